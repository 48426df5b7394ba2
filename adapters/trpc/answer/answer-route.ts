import type { Adapter } from "../adapter.ts";
import { addCorsHeaders, answerOptions, type CorsHeaders } from "./cors.ts";
import type { RequestContext } from "../request-context.ts";
import { methodNotAllowed, type Route } from "../route.ts";
import { answerError } from "./write-error.ts";

interface Answering<Context> {
  readonly adapter: Adapter;
  /** All rows of the table that have the request's path. */
  readonly routes: readonly Route<Context>[];
  readonly params: Readonly<Record<string, string>>;
  /** Where pages of other origins may call. */
  readonly cors: CorsHeaders | undefined;
  /** Refuses a request before anything else. */
  readonly check?: () => void;
  /** Makes what the route needs, for a request that has one. */
  readonly prepare?: () => Promise<void>;
}

/** Answers a request by the route for its method, and whatever goes wrong as an error. */
export async function answerRoute<Context extends RequestContext>(
  context: Context,
  { adapter, routes, params, cors, check, prepare }: Answering<Context>,
): Promise<Response> {
  const { request, responseHeaders } = context;
  try {
    check?.();
    if (cors) addCorsHeaders(responseHeaders, { request, cors });
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes.find((each) => each.method === method || each.method === "*");
    if (route && prepare) await prepare();
    if (route) return await route.handle(context, params);
    if (method === "OPTIONS") return answerOptions(context, { routes, cors });
    throw methodNotAllowed(routes);
  } catch (error) {
    return routes[0]?.writeError?.(error, context) ?? answerError(error, { adapter, context });
  }
}
