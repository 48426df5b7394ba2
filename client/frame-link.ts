import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import { ByteStream, readAll, type FileSource } from "../wire/byte-stream.ts";
import { joinBytes, type Bytes } from "../wire/bytes.ts";
import { decodeFrame, openFrame, streamedFrameParts } from "../wire/frame.ts";
import { FRAME_TYPE, STREAMED_CALLS } from "../wire/rpc.ts";

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
        let isAnswered = false;
        send(connection, { path: op.path, input: op.input, signal })
          .then((data) => {
            isAnswered = true;
            observer.next({ result: { type: "data", data } });
            observer.complete();
          })
          .catch((cause: unknown) => observer.error(toClientError(cause)));
        // What the answer holds may still be on its way.
        return () => isAnswered || aborting.abort();
      });
}

async function send(
  { url, fetch, headers }: Connection,
  { path, input, signal }: { path: string; input: unknown; signal: AbortSignal },
): Promise<unknown> {
  const response = await fetch(`${url}/${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": FRAME_TYPE },
    ...bodyOf(input),
    signal,
  });
  if (response.headers.get("content-type") !== FRAME_TYPE) {
    throw new Error(`The server answered ${response.status} without a frame`);
  }
  const isStream = STREAMED_CALLS.includes(path) && response.body;
  const answer = isStream
    ? await openFrame(readAll(isStream))
    : decodeFrame(new Uint8Array(await response.arrayBuffer()));
  if (isObject(answer) && isObject(answer.result)) return answer.result.data;
  const error = isObject(answer) && isObject(answer.error) ? answer.error : {};
  throw TRPCClientError.from({ error: { code: -32000, message: String(error.message), data: error.data } });
}

async function* nothing(): AsyncGenerator<Bytes, void> {}

/** What fetch is given; a file on the disk is read by the platform, which takes streams in a few places only. */
function bodyOf(input: unknown): RequestInit {
  const { value, blob } = withStream(input);
  const parts = streamedFrameParts(value);
  const bytes = parts.filter((part) => part instanceof Uint8Array);
  const stream = parts.find((part) => part instanceof ByteStream);
  if (!stream) return { body: joinBytes(bytes) };
  // Parts are views on ordinary buffers.
  if (blob) return { body: new Blob([...(bytes as Bytes[]), blob]) };
  const body = new ByteStream(after(joinBytes(bytes), stream.pieces)).stream();
  // TypeScript's DOM library does not know it, and fetch refuses a stream without it.
  const duplex = { duplex: "half" };
  return { body, ...duplex };
}

async function* after(first: Bytes, rest: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  yield first;
  yield* rest;
}

/** The input with the file in it, if it is one that is not in memory, as a stream. */
function withStream(input: unknown): { value: unknown; blob?: Blob } {
  if (!isObject(input)) return { value: input };
  const [name, file] = Object.entries(input).find(([, value]) => isStreamed(value)) ?? [];
  if (name === undefined || !isStreamed(file)) return { value: input };
  if (file instanceof Blob)
    return { value: { ...input, [name]: new ByteStream(nothing(), file.size) }, blob: file };
  const stream = file instanceof ByteStream ? file : new ByteStream(file);
  return { value: { ...input, [name]: stream } };
}

function isStreamed(value: unknown): value is Exclude<FileSource, Bytes> {
  return (
    value instanceof Blob || value instanceof ByteStream || (isObject(value) && Symbol.asyncIterator in value)
  );
}

function toClientError(cause: unknown): TRPCClientError<AppRouter> {
  return TRPCClientError.from(cause instanceof Error ? cause : new Error("The call failed"));
}

/** Whether there is a byte array or a file anywhere in the value. */
export function hasBytes(value: unknown): boolean {
  if (value instanceof Uint8Array || isStreamed(value)) return true;
  return Array.isArray(value) ? value.some(hasBytes) : isObject(value) && Object.values(value).some(hasBytes);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
