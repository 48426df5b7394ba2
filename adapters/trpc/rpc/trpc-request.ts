import type { RequestContext } from "../adapter.ts";

/**
 * The request as tRPC reads it: everything but the body, which is read where its inputs are asked for (inputs.ts).
 *
 * fetchRequestHandler of @trpc/server 11.25 (unstable-core-do-not-import/http/contentType.ts) uses `method`,
 * `headers`, `url` and `signal`. A Request with a body of its own would stream all of it through once more.
 */
export class TrpcRequest extends Request {
  readonly #request: Request;
  readonly #signal: AbortSignal;

  constructor({ request, url }: RequestContext, signal: AbortSignal) {
    super(url, { method: request.method === "HEAD" ? "GET" : request.method });
    this.#request = request;
    this.#signal = signal;
  }

  override get headers(): Headers {
    return this.#request.headers;
  }

  override get signal(): AbortSignal {
    return this.#signal;
  }
}
