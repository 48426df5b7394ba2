import type { Log } from "../operations/log.ts";
import type { RequestContext } from "../service/request-context.ts";

/** Writes the answer to an error that was thrown outside a procedure. */
export type ErrorWriter = (error: unknown, of: { context: RequestContext; log: Log }) => Response;

/** Answers one request; the path's parameters come beside it. */
export type Handle = (
  context: RequestContext,
  params: Readonly<Record<string, string>>,
) => Promise<Response> | Response;

/** One row in the table of what the service answers. */
export interface Route {
  /** "*" is every method. GET answers HEAD too. */
  readonly method: string;
  /** In h3's notation: `/api/secrets/:id`. */
  readonly path: string;
  readonly handle: Handle;
  /** What log and metrics call it instead of its path. */
  readonly label?: string;
  /** Whether a page of another origin may call it; behind one path of RPC are many procedures. */
  readonly cors?: boolean | ((url: URL) => boolean);
  /** Whether it is a file tool, of which no line is logged. */
  readonly isTool?: boolean | ((url: URL) => boolean);
  /** Answers while the server ends. */
  readonly whileDraining?: true;
  /** Writes what is refused before a procedure, where that is not done as REST does it. */
  readonly writeError?: ErrorWriter;
}

/** What the Allow header of a path lists. */
export function allowedMethods(routes: readonly Route[]): string[] {
  const methods = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}
