import {
  createTRPCClient,
  httpBatchLink,
  splitLink,
  TRPCClientError,
  type HTTPBatchLinkOptions,
  type TRPCClient,
} from "@trpc/client";
import type { AppRouter } from "../router/app.ts";
import type { ProblemBody } from "../router/errors.ts";
import { decodeBase64Tree, encodeBase64Tree } from "../wire/base64-tree.ts";
import { frameLink, holdsBytes } from "./frame-link.ts";

/** A server keeps a batch to ten calls. */
const MAX_BATCH_CALLS = 10;

export interface ClientOptions {
  /** An API token; without one the anonymous limits apply. */
  readonly token?: string;
  /** For tests and for runtimes with a fetch of their own. */
  readonly fetch?: typeof fetch;
}

export type Client = TRPCClient<AppRouter>;

/**
 * The typed client for a server at `url`. Files are `Uint8Array`s both ways: calls with bytes travel as one
 * binary frame, all others as JSON in batches.
 */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const door = {
    url: `${url.replace(/\/+$/, "")}/trpc`,
    fetch: options.fetch ?? globalThis.fetch,
    headers: options.token === undefined ? {} : { authorization: `Bearer ${options.token}` },
  };
  const transformer = { serialize: encodeBase64Tree, deserialize: decodeBase64Tree };
  // tRPC writes the type of fetch down once more, with other optional members.
  const fetchEsque = door.fetch as NonNullable<
    HTTPBatchLinkOptions<AppRouter["_def"]["_config"]["$types"]>["fetch"]
  >;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type, input }) => type === "mutation" && holdsBytes(input),
        true: frameLink(door),
        false: httpBatchLink({ ...door, fetch: fetchEsque, transformer, maxItems: MAX_BATCH_CALLS }),
      }),
    ],
  });
}

/** The server's word on a failed call, or undefined where the failure was not the server's (network, abort). */
export function failureOf(error: unknown): ProblemBody | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const data: unknown = error.data;
  if (typeof data !== "object" || data === null || !("code" in data) || !("status" in data)) return undefined;
  // Both doors write these keys from one type (router/errors.ts).
  return data as ProblemBody;
}
