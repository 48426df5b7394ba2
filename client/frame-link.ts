import { TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter, TRPCCombinedDataTransformer, TRPCDataTransformer } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { ByteStream, type FileSource } from "../wire/byte-stream.ts";
import { joinBytes, type Bytes } from "../wire/bytes.ts";
import { headTransformer } from "../wire/bytes-transformer.ts";
import { decodeFrame, openFrame, streamedFrameParts, type Transform } from "../wire/frame.ts";
import { FRAME_TYPE, STREAMED_CALLS, transformData } from "../wire/rpc.ts";
import { progressOf, type ProgressContext } from "./progress.ts";
import { send, type HttpRequest } from "./send.ts";

type Headers = Readonly<Record<string, string>>;

/** Where calls are sent to, and how. */
export interface Connection {
  /** With /trpc at its end. */
  readonly url: string;
  readonly headers?: Headers | (() => Headers | Promise<Headers>);
  readonly fetch?: typeof fetch;
  readonly credentials?: RequestCredentials;
  /** Paths of procedures whose answer holds a stream, which is then handed out while it arrives. */
  readonly streamed?: readonly string[];
  /** The router's, where it has one. */
  readonly transformer?: TRPCDataTransformer | TRPCCombinedDataTransformer;
}

interface Call {
  readonly type: "query" | "mutation" | "subscription";
  readonly path: string;
  readonly input: unknown;
  readonly context: ProgressContext;
  readonly signal: AbortSignal;
}

/**
 * A terminating link for any router: it sends one call as a frame, with raw bytes, and reads a frame as the answer. A
 * query without bytes is sent with GET.
 */
export function frameLink<TRouter extends AnyTRPCRouter>(connection: Connection): TRPCLink<TRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const aborting = new AbortController();
        const signal = op.signal ? AbortSignal.any([op.signal, aborting.signal]) : aborting.signal;
        let isAnswered = false;
        call(connection, { type: op.type, path: op.path, input: op.input, context: op.context, signal })
          .then((data) => {
            isAnswered = true;
            observer.next({ result: { type: "data", data } });
            observer.complete();
          })
          .catch((cause: unknown) => observer.error(toClientError<TRouter>(cause)));
        // What the answer holds may still be on its way.
        return () => isAnswered || aborting.abort();
      });
}

async function call(
  connection: Connection,
  { type: kind, path, input, context, signal }: Call,
): Promise<unknown> {
  const { url, headers = {}, fetch, credentials, streamed = STREAMED_CALLS } = connection;
  const given = typeof headers === "function" ? await headers() : headers;
  const isStreamed = streamed.includes(path);
  const isGet = kind === "query" && !hasBytes(input);
  const { serialize, deserialize } = transformsOf(connection);
  const { status, type, pieces } = await send({
    url: `${url}/${path}${isGet ? queryOf(input, serialize) : ""}`,
    headers: { ...given, ...(isGet ? { accept: FRAME_TYPE } : { "content-type": FRAME_TYPE }) },
    body: isGet ? undefined : bodyOf(input, serialize),
    signal,
    fetch,
    credentials,
    isStreamed,
    ...progressOf(context),
  });
  if (type !== FRAME_TYPE) throw new Error(`The server answered ${status} without a frame`);
  const options = { deserialize };
  return readAnswer(
    isStreamed
      ? await openFrame(pieces, options)
      : decodeFrame(await new ByteStream(pieces).bytes(), options),
  );
}

/** What the transformer does to the JSON of an input and of an answer. */
function transformsOf({ transformer }: Connection): { serialize?: Transform; deserialize?: Transform } {
  if (!transformer) return {};
  const ends = "input" in transformer ? transformer : { input: transformer, output: transformer };
  const [input, output] = [headTransformer(ends.input), headTransformer(ends.output)];
  return {
    ...(input && { serialize: (head) => input.serialize(head) }),
    ...(output && { deserialize: (answer) => transformData(answer, (data) => output.deserialize(data)) }),
  };
}

function queryOf(input: unknown, serialize: Transform = (value) => value): string {
  return input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(serialize(input)))}`;
}

function readAnswer(answer: unknown): unknown {
  if (isObject(answer) && isObject(answer.result)) return answer.result.data;
  const error = isObject(answer) && isObject(answer.error) ? answer.error : {};
  throw TRPCClientError.from({ error: { code: -32000, message: String(error.message), data: error.data } });
}

async function* nothing(): AsyncGenerator<Bytes, void> {}

/** What is sent; a file on the disk is left to the platform, which takes streams in a few places only. */
function bodyOf(input: unknown, serialize: Transform | undefined): NonNullable<HttpRequest["body"]> {
  // JSON cannot write it, and an empty frame stands for it.
  if (input === undefined) return new Uint8Array(0);
  const { value, blob } = withStream(input);
  const parts = streamedFrameParts(value, { serialize });
  const bytes = parts.filter((part) => part instanceof Uint8Array);
  const stream = parts.find((part) => part instanceof ByteStream);
  if (!stream) return joinBytes(bytes);
  // Parts are views on ordinary buffers.
  if (blob) return new Blob([...(bytes as Bytes[]), blob]);
  return new ByteStream(after(joinBytes(bytes), stream.pieces));
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

function toClientError<TRouter extends AnyTRPCRouter>(cause: unknown): TRPCClientError<TRouter> {
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
