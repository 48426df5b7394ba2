import type { TRPCRequestInfo } from "@trpc/server/http";
import type { ParsedCalls } from "../../../tools/json-calls.ts";
import { requesterOf } from "../../../router/policy/count.ts";
import type { Requester } from "../../../router/context.ts";
import { wrongRpcType } from "../../../router/errors/explain-error.ts";
import { decodeBase64Tree } from "../../../wire/base64-tree.ts";
import { inputTrees, type Inputs } from "../../../wire/call-inputs.ts";
import { decodeFrame, headOf, openFrame } from "../../../wire/frame.ts";
import type { Utf8Text } from "../../../wire/utf8-text.ts";
import type { RequestContext } from "../../service/request-context.ts";
import {
  checkBounds,
  invalidJson,
  LARGE_JSON_BYTES,
  parseJson,
  restoreText,
  unreadableJson,
} from "../rest/json.ts";
import { callLimit, httpMetaOf, knownKeys } from "./call.ts";

/**
 * Has the calls of a POST read their inputs here, once a procedure asks. tRPC 11.25 would parse the body itself
 * (unstable-core-do-not-import/http/contentType.ts), however large, in the one thread that answers everybody.
 */
export function readInputsHere({ calls, isBatchCall }: TRPCRequestInfo, context: RequestContext): void {
  if (context.request.method !== "POST") return;
  let inputs: Promise<Inputs> | undefined;
  const paths = calls.map(({ path }) => path);
  for (const [place, call] of calls.entries()) {
    let input: unknown;
    call.getRawInput = async () => {
      inputs ??= readJson(context, { paths, isBatch: isBatchCall });
      return (input = (await inputs)[place]);
    };
    call.result = () => input;
  }
}

interface Calls {
  readonly paths: readonly string[];
  readonly isBatch: boolean;
}

async function readJson(context: RequestContext, { paths, isBatch }: Calls): Promise<Inputs> {
  if (context.mediaType !== "application/json") throw wrongRpcType();
  const bytes = await readBody(context, "json");
  if (bytes.length === 0) return {};
  if (bytes.length >= LARGE_JSON_BYTES) {
    const { services } = context.trpcContext;
    const known = paths.map(knownKeys);
    const parsed = await services.runJob("parseCalls", [bytes, { known, isBatch }], await requester(context));
    return restore(parsed, paths);
  }
  const body = parseJson(bytes);
  return asInput(() => ({ ...inputTrees(body, { count: paths.length, isBatch }).map(decodeBase64Tree) }));
}

/** The input of a call that came as a frame. */
export async function readFrame(context: RequestContext, path: string): Promise<unknown> {
  const kind = httpMetaOf(path)?.body;
  if (kind === "upload" || kind === "stream") return readStreamed(context, { streamLast: kind === "upload" });
  const bytes = await readBody(context, "frame");
  const head = asInput(() => headOf(bytes));
  if (head.length < LARGE_JSON_BYTES) {
    checkBounds(head);
    return asInput(() => decodeFrame(bytes));
  }
  const { services } = context.trpcContext;
  const known = knownKeys(path);
  const parsed = await services.runJob("parseFrame", [bytes, { known }], await requester(context));
  const [input] = Object.values(restore(parsed, [path]));
  return input;
}

// What takes a file as it arrives has few other fields, so its head is short.
async function readStreamed(
  context: RequestContext,
  { streamLast }: { streamLast: boolean },
): Promise<unknown> {
  const { body, url, trpcContext } = context;
  const { tier } = await trpcContext.identify();
  const source = body.chunks(callLimit(url, { tier, encoding: "frame" }));
  const head = { maxHeadBytes: LARGE_JSON_BYTES, checkHead: checkBounds };
  return openFrame(source, { ...head, streamLast }).catch(refuseInput);
}

async function readBody({ body, url, trpcContext }: RequestContext, encoding: "json" | "frame") {
  const { tier } = await trpcContext.identify();
  return body.bytes(callLimit(url, { tier, encoding }));
}

async function requester({ request, trpcContext }: RequestContext): Promise<Requester> {
  const { address, identify } = trpcContext;
  return requesterOf({ caller: await identify(), address }, request.signal);
}

/** Puts long texts back, which came from the worker as UTF-8. */
function restore(parsed: ParsedCalls, paths: readonly string[]): Inputs {
  if ("fault" in parsed) throw unreadableJson(parsed);
  for (const { place, text } of parsed.texts) {
    const [call, name = "", ...inner] = place;
    // Deeper in an input stands no text of its own.
    const http = inner.length > 0 ? undefined : httpMetaOf(paths[Number(call)] ?? "");
    putAt(parsed.inputs, { place, text: restoreText(text, { name, http }) });
  }
  return parsed.inputs;
}

function putAt(inputs: Inputs, { place, text }: { place: readonly string[]; text: string | Utf8Text }): void {
  const [last = "", ...path] = place.toReversed();
  // The worker took the text from there, so every key leads to a list or an object.
  const table = path.reduceRight<unknown>((node, name) => Reflect.get(Object(node), name), inputs);
  Reflect.set(Object(table), last, text);
}

function asInput<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return refuseInput(error);
  }
}

function refuseInput(error: unknown): never {
  if (error instanceof TypeError) throw invalidJson("The body is not the input of a call");
  throw error;
}
