import type { RequestContext } from "./adapter.ts";
import { CallError } from "../../wire/call-error.ts";

/** Answers one request; the path's parameters come beside it. */
export type Handle<Context = RequestContext> = (
  context: Context,
  params: Readonly<Record<string, string>>,
) => Promise<Response> | Response;

/** One row in the table of what is answered. */
export interface Route<Context = RequestContext> {
  /** "*" is every method. GET answers HEAD too. */
  readonly method: string;
  /** In h3's notation: `/notes/:id`. */
  readonly path: string;
  readonly handle: Handle<Context>;
  /** What log and metrics call it; the path, where it is absent. */
  readonly label?: string;
  /** What to do instead, for who comes with another method. */
  readonly instead?: string;
  /** Writes what is refused before a procedure, where that is not done as REST does it. */
  readonly writeError?: (error: unknown, context: Context) => Response;
}

/** What the Allow header of a path lists. */
export function allowedMethods(routes: readonly { readonly method: string }[]): string[] {
  const methods = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** A path that does not take the method of a request. */
export function methodNotAllowed(
  routes: readonly { readonly method: string; readonly instead?: string }[],
): CallError {
  const methods = routes.map(({ method }) => method).join(" and ");
  const instead = routes.flatMap((route) => route.instead ?? []).map((each) => `; ${each}`);
  return new CallError("method_not_allowed", `This path takes ${methods}${instead.join("")}`, {
    allowed: allowedMethods(routes),
  });
}
