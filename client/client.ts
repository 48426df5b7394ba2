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
import type { AppRouter } from "../router/app.ts";
import type { ErrorBody } from "../router/errors/errors.ts";
import { bytesTransformer } from "../wire/bytes-transformer.ts";
import { MAX_BATCH_CALLS, STREAMED_CALLS } from "../wire/rpc.ts";
import { againLink } from "./again-link.ts";
import { rpcFetch } from "./answers/rpc-answer.ts";
import { versionLink } from "./answers/error-link.ts";
import { deliveryLink, RECEIVED } from "./delivery-link.ts";
import { hasBytes } from "./file-body.ts";
import { frameLink, type Connection } from "./frame-link.ts";
import { hasKey } from "./idempotency.ts";
import { wantsProgress } from "./progress.ts";
import { isErrorBody } from "./rest.ts";

export interface ClientOptions {
  /** An API token; without one the anonymous limits apply. */
  readonly token?: string | undefined;
  /** Further headers of every request, or what answers them anew for each. */
  readonly headers?: Connection["headers"];
  /** Instead of the platform's: for tests, frameworks and proxies. */
  readonly fetch?: typeof fetch | undefined;
  /** tRPC links that stand before the one that sends, such as `loggerLink()` or `retryLink(…)`. */
  readonly links?: readonly TRPCLink<AppRouter>[] | undefined;
  /** Whether the browser sends cookies: "include" for a page of another origin, as far as the server allows it. */
  readonly credentials?: RequestCredentials | undefined;
}

const OPTIONS: readonly string[] = [
  "token",
  "headers",
  "fetch",
  "links",
  "credentials",
] satisfies (keyof ClientOptions)[];

const REPEATED = [...Object.keys(RECEIVED), "requests.answer"];

export type Client = TRPCClient<AppRouter>;

/**
 * The typed client for a server at `url`. A file in an input is a `Uint8Array`, a `Blob` or a `File`, and where it may
 * be sent while it is read anything that can be iterated; in an output it is a `Uint8Array`, and a secret's a
 * `ByteStream`. A call with bytes is sent as one binary frame; other calls are sent as JSON in batches. What is handed
 * out once is read with a ticket: where the answer is lost, the call is sent again, as is the answer to a request.
 * @throws TypeError for an option that there is not, and a URL that is none
 */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const unknown = Object.keys(options).filter((name) => !OPTIONS.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`There is no option ${unknown.join(", ")}; the options are ${OPTIONS.join(", ")}`);
  if (!/^(https?:\/\/|\/|$)/.test(url))
    throw new TypeError(
      "The URL of the server must begin with http:// or https://, or with / on its own pages",
    );
  return createTRPCClient<AppRouter>({
    links: [
      ...(options.links ?? []),
      deliveryLink,
      againLink(REPEATED),
      versionLink(url, options.fetch),
      sendingLink(url, options),
    ],
  });
}

function sendingLink(base: string, { token, headers, ...options }: ClientOptions): TRPCLink<AppRouter> {
  const url = `${base.replace(/\/+$/, "")}/trpc`;
  const connection: Connection = { ...options, url, headers: () => headersOf({ token, headers }) };
  const { fetch, credentials } = options;
  const send = fetch ?? globalThis.fetch;
  const credentialed: typeof send = credentials
    ? (input, init) => send(input, { ...init, credentials })
    : send;
  // tRPC has its own types of fetch and headers, whose optional members differ from those of the platform's.
  const fetchEsque = rpcFetch(credentialed) as unknown as NonNullable<
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
  const isAlone = wantsProgress(context) || hasKey(context);
  return type === "mutation" && (isAlone || hasBytes(input) || STREAMED_CALLS.includes(path));
}

async function headersOf({
  token,
  headers = {},
}: {
  token?: string | undefined;
  headers?: ClientOptions["headers"];
}) {
  const given = typeof headers === "function" ? await headers() : headers;
  return token === undefined ? given : { ...given, authorization: `Bearer ${token}` };
}

/** The server's error behind a failed call; undefined when it is not the server's (network, abort). */
export function failureOf(error: unknown): ErrorBody | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  return isErrorBody(data) ? data : undefined;
}
