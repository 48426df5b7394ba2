import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import { decodeFrame, encodeFrame } from "../wire/frame.ts";
import { FRAME_TYPE } from "../wire/rpc.ts";

interface Connection {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
}

/** A terminating link: it sends one call as a frame, with raw bytes, and reads a frame as the answer. */
export function frameLink(connection: Connection): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const aborting = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, aborting.signal]) : aborting.signal;
        send(connection, { path: op.path, input: op.input, signal })
          .then((data) => {
            observer.next({ result: { type: "data", data } });
            observer.complete();
          })
          .catch((cause: unknown) => observer.error(toClientError(cause)));
        return () => aborting.abort();
      });
}

async function send(
  { url, fetch, headers }: Connection,
  { path, input, signal }: { path: string; input: unknown; signal: AbortSignal },
): Promise<unknown> {
  const response = await fetch(`${url}/${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": FRAME_TYPE },
    body: encodeFrame(input),
    signal,
  });
  if (response.headers.get("content-type") !== FRAME_TYPE) {
    throw new Error(`The server answered ${response.status} without a frame`);
  }
  const answer = decodeFrame(new Uint8Array(await response.arrayBuffer()));
  if (isObject(answer) && isObject(answer.result)) return answer.result.data;
  const error = isObject(answer) && isObject(answer.error) ? answer.error : {};
  throw TRPCClientError.from({ error: { code: -32000, message: String(error.message), data: error.data } });
}

function toClientError(cause: unknown): TRPCClientError<AppRouter> {
  return TRPCClientError.from(cause instanceof Error ? cause : new Error("The call failed"));
}

/** Whether there is a byte array anywhere in the value. */
export function hasBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return Array.isArray(value) ? value.some(hasBytes) : isObject(value) && Object.values(value).some(hasBytes);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
