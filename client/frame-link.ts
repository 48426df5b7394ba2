import { TRPCClientError, type TRPCLink } from "@trpc/client";
import type { AnyTRPCRouter, TRPCCombinedDataTransformer, TRPCDataTransformer } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { ByteStream } from "../wire/byte-pieces.ts";
import { headTransformer } from "../wire/byte-tree.ts";
import { decodeFrame, openFrame, streamedFrameParts, type Transform } from "../wire/frame.ts";
import { FRAME_TYPE, STREAMED_CALLS, transformData } from "../wire/rpc.ts";
import { abortError } from "./abort-link.ts";
import { explainAnswer } from "./answers/not-hushkit.ts";
import { MAX_ANSWER_BYTES } from "./answers/read-answer.ts";
import { hasBytes, isObject, withStreams, type BodyParts } from "./file-body.ts";
import type { IdempotencyContext, ProgressContext } from "./call-context.ts";
import { send } from "./send.ts";

export { hasBytes } from "./file-body.ts";

type GivenHeaders = Readonly<Record<string, string>> | Headers;

/** The server, and how calls are sent to it. */
export interface Connection {
  /** Ends with /trpc. */
  readonly url: string;
  readonly headers?: GivenHeaders | (() => GivenHeaders | Promise<GivenHeaders>) | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly credentials?: RequestCredentials | undefined;
  /** Paths of procedures whose result contains a stream, which is returned while it arrives. */
  readonly streamed?: readonly string[] | undefined;
  /** Whether a File or Blob is sent without its name and type, for a server that takes bytes. */
  readonly areFilesPlain?: boolean | undefined;
  /** The router's transformer, where it has one. */
  readonly transformer?: TRPCDataTransformer | TRPCCombinedDataTransformer | undefined;
}

interface Call {
  readonly type: "query" | "mutation" | "subscription";
  readonly path: string;
  readonly input: unknown;
  readonly context: ProgressContext & IdempotencyContext;
  readonly signal: AbortSignal;
  readonly onEnd: () => void;
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
        // React Native has no AbortSignal.any.
        const follow = () => aborting.abort(op.signal?.reason);
        op.signal?.addEventListener("abort", follow);
        if (op.signal?.aborted) follow();
        // A signal may last as long as the caller's program.
        const onEnd = () => op.signal?.removeEventListener("abort", follow);
        let isAnswered = false;
        call(connection, { ...op, signal: aborting.signal, onEnd })
          .then(({ data, meta }) => {
            isAnswered = true;
            observer.next({ result: { type: "data", data }, context: meta });
            observer.complete();
          })
          .catch((cause: unknown) => {
            onEnd();
            observer.error(op.signal?.aborted ? abortError(op.signal) : toClientError<TRouter>(cause));
          });
        // A stream in the result may still be arriving.
        return () => isAnswered || aborting.abort();
      });
}

async function call(
  connection: Connection,
  { type: kind, path, input, context, signal, onEnd }: Call,
): Promise<Answer> {
  const {
    url,
    headers = {},
    fetch,
    credentials,
    streamed = STREAMED_CALLS,
    areFilesPlain = false,
  } = connection;
  const given = typeof headers === "function" ? await headers() : headers;
  const isStreamed = streamed.includes(path);
  const isGet = kind === "query" && !hasBytes(input);
  const { serialize, deserialize } = transformsOf(connection);
  const address = `${url}/${path}${isGet ? queryOf(input, serialize) : ""}`;
  const { length, pieces, ...came } = await send({
    url: address,
    headers: {
      ...Object.fromEntries(new Headers(given)),
      ...(context.idempotencyKey !== undefined && { "idempotency-key": context.idempotencyKey }),
      [isGet ? "accept" : "content-type"]: FRAME_TYPE,
    },
    body: isGet ? undefined : bodyOf(input, !areFilesPlain, serialize),
    signal,
    fetch,
    credentials,
    isStreamed,
    onUpload: context.onUploadProgress,
    onDownload: context.onDownloadProgress,
    onEnd,
  });
  if (came.headers.get("content-type") !== FRAME_TYPE)
    throw await explainAnswer(came, { url: address, method: isGet ? "GET" : "POST" });
  const answer = isStreamed
    ? await openFrame(pieces, { deserialize, maxHeadBytes: MAX_ANSWER_BYTES })
    : decodeFrame(await new ByteStream(pieces, length).bytes(), { deserialize });
  return readAnswer(answer, { response: came.response });
}

interface Answer {
  readonly data: unknown;
  /** As with tRPC's links, for those who want the status or a header; fetch alone has a response, which is read. */
  readonly meta: { readonly response: Response | undefined };
}

/** What the transformer does to the JSON of inputs and of answers. */
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

function readAnswer(answer: unknown, meta: Answer["meta"]): Answer {
  if (isObject(answer) && isObject(answer.result)) return { data: answer.result.data, meta };
  const error = isObject(answer) && isObject(answer.error) ? answer.error : {};
  const { code = -32000, message, ...more } = error;
  throw TRPCClientError.from({ error: { ...more, code: Number(code), message: String(message) } }, { meta });
}

/** The body, with each part as it is. */
function bodyOf(input: unknown, keepBlobs: boolean, serialize: Transform | undefined): BodyParts {
  // JSON has no undefined, so an empty frame stands for it.
  if (input === undefined) return [];
  const keepViews = serialize !== undefined;
  return streamedFrameParts(withStreams(input, { keepBlobs, keepViews }), { serialize });
}

function toClientError<TRouter extends AnyTRPCRouter>(cause: unknown): TRPCClientError<TRouter> {
  return TRPCClientError.from(cause instanceof Error ? cause : new Error("The call failed"));
}
