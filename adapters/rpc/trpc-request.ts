import { wrongRpcType } from "../../router/errors/explain-error.ts";
import { decodeText } from "../http/body/request-body.ts";
import type { RequestContext } from "../http/request-context.ts";
import { checkBounds } from "../rest/json.ts";
import { callLimit } from "./call.ts";

/**
 * The request as tRPC reads it: nothing before a procedure asks, and never more than the caller may send.
 *
 * fetchRequestHandler of @trpc/server 11.25 (unstable-core-do-not-import/http/contentType.ts) uses `method`,
 * `headers`, `url`, `signal` and, once an input is asked for, `text()` or `formData()`. So the body is given
 * through these two alone: a Request with a body of its own would stream all of it through once more.
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

  override async text(): Promise<string> {
    const { body, url, trpcContext } = this.#context;
    const { tier } = await trpcContext.identify();
    const bytes = await body.bytes(callLimit(url, { tier, encoding: "json" }));
    checkBounds(bytes);
    return decodeText(bytes, "body");
  }

  override formData(): Promise<FormData> {
    return Promise.reject(wrongRpcType());
  }
}
