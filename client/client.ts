import {
  createTRPCClient,
  httpBatchLink,
  splitLink,
  TRPCClientError,
  type HTTPBatchLinkOptions,
  type TRPCClient,
} from "@trpc/client";
import type { AppRouter } from "../router/app.ts";
import type { ErrorBody } from "../router/errors/errors.ts";
import { decodeBase64Tree, encodeBase64Tree } from "../wire/base64-tree.ts";
import { MAX_BATCH_CALLS, STREAMED_CALLS } from "../wire/rpc.ts";
import { frameLink, hasBytes } from "./frame-link.ts";

export interface ClientOptions {
  /** An API token; without one the anonymous limits apply. */
  readonly token?: string;
  /** For tests, and for runtimes with their own fetch. */
  readonly fetch?: typeof fetch;
}

export type Client = TRPCClient<AppRouter>;

/**
 * The typed client for a server at `url`. A file in an input is a `Uint8Array`, and one that is sent while it is read
 * a `Blob` or anything that can be iterated; in an output it is a `Uint8Array`, and a secret's a `ByteStream`. A call
 * with bytes is sent as one binary frame; other calls are sent as JSON in batches.
 */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const connection = {
    url: `${url.replace(/\/+$/, "")}/trpc`,
    fetch: options.fetch ?? globalThis.fetch,
    headers: options.token === undefined ? {} : { authorization: `Bearer ${options.token}` },
  };
  const transformer = { serialize: encodeBase64Tree, deserialize: decodeBase64Tree };
  // tRPC has its own type of fetch, whose optional members differ from those of the platform's.
  const fetchEsque = connection.fetch as NonNullable<
    HTTPBatchLinkOptions<AppRouter["_def"]["_config"]["$types"]>["fetch"]
  >;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type, path, input }) =>
          type === "mutation" && (hasBytes(input) || STREAMED_CALLS.includes(path)),
        true: frameLink(connection),
        false: httpBatchLink({ ...connection, fetch: fetchEsque, transformer, maxItems: MAX_BATCH_CALLS }),
      }),
    ],
  });
}

/** The server's error behind a failed call; undefined when it is not the server's (network, abort). */
export function failureOf(error: unknown): ErrorBody | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  return isErrorBody(data) ? data : undefined;
}

// The server writes REST and RPC errors from one type (router/errors/errors.ts), so two of its keys are proof enough.
function isErrorBody(data: unknown): data is ErrorBody {
  return typeof data === "object" && data !== null && "code" in data && "status" in data;
}
