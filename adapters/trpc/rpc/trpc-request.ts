import type { RequestContext } from "../request-context.ts";

/**
 * The request as tRPC reads it: everything but the body, which is read where its inputs are asked for (inputs.ts).
 *
 * fetchRequestHandler of @trpc/server 11.25 (unstable-core-do-not-import/http/contentType.ts) uses `method`,
 * `headers`, `url` and `signal`. A Request with a body of its own would stream all of it through once more.
 */
export class TrpcRequest extends Request {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    const { request, url } = context;
    super(url, { method: request.method === "HEAD" ? "GET" : request.method });
    this.#context = context;
  }

  override get headers(): Headers {
    return this.#context.request.headers;
  }

  override get signal(): AbortSignal {
    return this.#context.request.signal;
  }
}
