import type { Log } from "../operations/log.ts";
import type { RequestContext } from "./request-context.ts";

/** Writes the answer to an error that was thrown outside a procedure. */
export type ErrorWriter = (error: unknown, of: { context: RequestContext; log: Log }) => Response;

/** Answers one request; the path's parameters come beside it. */
export type Handle = (
  context: RequestContext,
  params: Readonly<Record<string, string>>,
) => Promise<Response> | Response;

/** One path of the service with the methods it takes. */
export interface Route {
  readonly path: string;
  readonly methods: Readonly<Record<string, Handle>>;
  /** Writes what is refused before a procedure, where that is not done as REST does it. */
  readonly fault?: ErrorWriter;
  /** Whether a page of another origin may call it; behind one path of RPC are many procedures. */
  readonly cors: boolean | ((url: URL) => boolean);
}
