import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import { decodeFrame, encodeFrame } from "../wire/frame.ts";

const FRAME_TYPE = "application/vnd.hushkit.frame";

interface Door {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
}

/** A terminating link that sends one call, with its bytes as they are, and reads the answer the same way. */
export function frameLink(door: Door): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const ending = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, ending.signal]) : ending.signal;
        send(door, { path: op.path, input: op.input, signal })
          .then((data) => {
            observer.next({ result: { type: "data", data } });
            observer.complete();
          })
          .catch((cause: unknown) => observer.error(toClientError(cause)));
        return () => ending.abort();
      });
}

interface Sending {
  readonly path: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
}

async function send({ url, fetch, headers }: Door, { path, input, signal }: Sending): Promise<unknown> {
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
  const told = isObject(answer) && isObject(answer.error) ? answer.error : {};
  throw TRPCClientError.from({ error: { code: -32000, message: String(told.message), data: told.data } });
}

function toClientError(cause: unknown): TRPCClientError<AppRouter> {
  return TRPCClientError.from(cause instanceof Error ? cause : new Error("The call failed"));
}

/** True when there is a byte array anywhere in the value. */
export function holdsBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return Array.isArray(value)
    ? value.some(holdsBytes)
    : isObject(value) && Object.values(value).some(holdsBytes);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
