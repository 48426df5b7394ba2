import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  type AnyTRPCRouter,
} from "@trpc/server";
import { CallError } from "../../../wire/call-error.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import type { RequestContext } from "../adapter.ts";
import { formatThrown } from "../answer/write-error.ts";
import { writeFrame, calledProcedures } from "./answers.ts";
import { readFrame } from "./inputs.ts";
import { headWriter } from "./transformer.ts";

/** Answers one call that came as a binary frame. */
export async function answerFrame(context: RequestContext, router: AnyTRPCRouter): Promise<Response> {
  const { adapter, url, request } = context;
  const [path = ""] = calledProcedures(url, adapter);
  const called = adapter.procedures[path]?.procedure._def.type;
  let input: Promise<unknown> | undefined;
  try {
    checkFrameCall(context, path);
    await context.prepare?.();
    const result: unknown = await callTRPCProcedure({
      router: adapter.router,
      path,
      getRawInput: () => (input ??= readFrame(context, path)),
      ctx: context.trpcContext,
      // GET calls queries alone; a frame calls what there is.
      type: request.method === "GET" ? "query" : (called ?? "mutation"),
      signal: request.signal,
      batchIndex: 0,
    });
    return writeFrame({ result: { data: result } }, { context, serialize: headWriter(adapter.router) });
  } catch (thrown) {
    const known = await input?.catch(() => undefined);
    const error = formatThrown(thrown, context, { path, input: known });
    const shape: unknown = getTRPCErrorShape({
      config: router._def._config,
      error: getTRPCErrorFromUnknown(thrown),
      path,
      input: known,
      ctx: context.trpcContext,
      type: called ?? "unknown",
    });
    return writeFrame({ error: shape }, { context, error });
  }
}

function checkFrameCall({ adapter, request, url, mediaType }: RequestContext, path: string): void {
  if (adapter.procedures[path]?.isSubscription) {
    throw new CallError("method_not_allowed", "Events are listened to with GET and not in a frame", {
      allowed: ["GET"],
    });
  }
  if (request.method !== "POST" && mediaType === FRAME_TYPE) {
    throw new CallError("method_not_allowed", "A frame is sent with POST", { allowed: ["POST"] });
  }
  if (url.searchParams.has("batch") || path.includes(",")) {
    const error = "A frame contains one call; batches are JSON";
    throw new CallError("invalid_parameter", error, { parameter: "batch" });
  }
}
