import {
  createTRPCClient,
  httpBatchLink,
  splitLink,
  TRPCClientError,
  type HTTPBatchLinkOptions,
  type Operation,
  type TRPCClient,
  type TRPCLink,
} from "@trpc/client";
import type { inferRouterOutputs } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import type { ErrorBody } from "../router/errors/errors.ts";
import { MAX_BATCH_CALLS, STREAMED_CALLS } from "../wire/rpc.ts";
import { abortLink } from "./abort-link.ts";
import { versionLink } from "./answers/error-link.ts";
import { askFollowing } from "./answers/follow.ts";
import { cutAnswer, notHushkitOf, explainAnswer, type CallTarget } from "./answers/not-hushkit.ts";
import { readAnswerJson } from "./answers/read-answer.ts";
import { WAITS_MS } from "./ask-again.ts";
import { checkOptions, readBase, type ClientOptions } from "./client-options.ts";
import { deliveryLink, RECEIVED } from "./delivery-link.ts";
import { bytesTransformer, hasBytes } from "./file-body.ts";
import { frameLink, type Connection } from "./frame-link.ts";
import type { IdempotencyContext, ProgressContext } from "./call-context.ts";
import { isErrorBody } from "./rest.ts";

const REPEATED = [...Object.keys(RECEIVED), "requests.answer"];

export type { ClientOptions } from "./client-options.ts";
export type Client = TRPCClient<AppRouter>;
/** What each procedure answers. */
export type Answers = inferRouterOutputs<AppRouter>;

/**
 * The typed client for a server at `url`. A file in an input is bytes, a `Blob` or a `File`, and where it may be sent
 * while it is read anything that can be iterated; in an output it is a `Uint8Array`, and a secret's a `ByteStream`. A
 * call with bytes is sent as one binary frame; other calls are sent as JSON in batches. What is handed out once is read
 * with a ticket: where the answer is lost, the call is sent again, as is the answer to a request.
 * @throws TypeError for an invalid URL, an unknown option, and an invalid token
 */
export function createClient(url: string | URL, options: ClientOptions = {}): Client {
  checkOptions(options);
  const base = readBase(url, options);
  return createTRPCClient<AppRouter>({
    links: [
      ...(options.links ?? []),
      abortLink,
      deliveryLink,
      againLink(REPEATED),
      versionLink(base, options.fetch),
      sendingLink(base, options),
    ],
  });
}

function sendingLink(base: string, { token, headers, ...options }: ClientOptions): TRPCLink<AppRouter> {
  const url = `${base}/trpc`;
  // The server takes bytes, and a name only where a call gives it one.
  const files = { areFilesPlain: true };
  const connection: Connection = { ...options, ...files, url, headers: () => headersOf({ token, headers }) };
  // tRPC has its own types of fetch and headers, whose optional members differ from those of the platform's.
  const fetchEsque = rpcFetch(options) as unknown as NonNullable<
    HTTPBatchLinkOptions<AppRouter["_def"]["_config"]["$types"]>["fetch"]
  >;
  return splitLink({
    condition: isSentAsFrame,
    true: frameLink(connection),
    false: httpBatchLink({
      url,
      headers: () => headersOf({ token, headers }),
      fetch: fetchEsque,
      transformer: bytesTransformer,
      maxItems: MAX_BATCH_CALLS,
    }),
  });
}

function isSentAsFrame({ type, path, input, context }: Operation): boolean {
  const { idempotencyKey, onUploadProgress, onDownloadProgress }: IdempotencyContext & ProgressContext =
    context;
  const isAlone = (idempotencyKey ?? onUploadProgress ?? onDownloadProgress) !== undefined;
  return type === "mutation" && (isAlone || hasBytes(input) || STREAMED_CALLS.includes(path));
}

async function headersOf({
  token,
  headers = {},
}: {
  token?: string | undefined;
  headers?: ClientOptions["headers"];
}) {
  const given = new Headers(typeof headers === "function" ? await headers() : headers);
  if (token !== undefined) given.set("authorization", `Bearer ${token}`);
  return given;
}

/** The server's error behind a failed call; undefined where the error is not the server's (network, abort). */
export function failureOf(error: unknown): ErrorBody | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  return isErrorBody(data) ? data : undefined;
}

/** Repeats calls of these procedures a few times where the answer was lost: the server returns the same answer. */
function againLink(paths: readonly string[]): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (!paths.includes(op.path)) return next(op);
      return observable((observer) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        let running = send(0);
        return () => {
          clearTimeout(timer);
          running.unsubscribe();
        };

        function send(tries: number) {
          return next(op).subscribe({
            next: (answer) => observer.next(answer),
            complete: () => observer.complete(),
            error: (error) => {
              const wait = WAITS_MS[tries];
              const isLost = !error.data && (notHushkitOf(error)?.isPassing ?? true);
              if (wait === undefined || !isLost || op.signal?.aborted) return observer.error(error);
              timer = setTimeout(() => (running = send(tries + 1)), wait);
            },
          });
        }
      });
    };
}

/** A fetch for tRPC's links that checks answers before tRPC reads them. @throws NotHushkit */
function rpcFetch({
  fetch,
  credentials,
}: Pick<ClientOptions, "fetch" | "credentials">): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const sent = { ...init, ...(credentials && { credentials }) };
    const response = await askFollowing(fetch ?? globalThis.fetch, url, sent);
    const asked = { url, method: init.method };
    // tRPC calls only this method; the object in an error is still the Response.
    return Object.defineProperty(response, "json", {
      value: async () => checkedAnswer(await read(response, url), response, asked),
    });
  };
}

/** An answer that is not JSON is not Hushkit's. @throws NotHushkit where its connection was cut */
async function read(response: Response, url: string): Promise<unknown> {
  return readAnswerJson(response).catch((error: unknown) => {
    throw cutAnswer(error, url);
  });
}

async function checkedAnswer(body: unknown, response: Response, asked: CallTarget): Promise<unknown> {
  const answers: readonly unknown[] = Array.isArray(body) ? body : [body];
  const isOwn = answers.length > 0 && answers.every(isAnswer);
  // A POST that became a GET on its way, which a Hushkit refuses.
  const isTurned = response.redirected && response.status === 405;
  if (isOwn && !isTurned) return body;
  throw await explainAnswer(response, asked);
}

function isAnswer(answer: unknown): boolean {
  const { result, error } = Object(answer) as { result?: unknown; error?: { data?: unknown } };
  return (typeof result === "object" && result !== null) || isErrorBody(error?.data);
}
