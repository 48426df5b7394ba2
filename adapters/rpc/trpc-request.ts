import { wrongRpcType } from "../../router/explain-error.ts";
import { decodeText } from "../http/request-body.ts";
import type { RequestContext } from "../http/request-context.ts";
import { bodyLimit } from "./call.ts";

// What base64 adds to bytes.
const JSON_FACTOR = 1.4;

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
    const { body, trpcContext } = this.#context;
    return decodeText(await body.bytes(await bodyLimit(trpcContext, JSON_FACTOR)), "body");
  }

  override formData(): Promise<FormData> {
    return Promise.reject(wrongRpcType());
  }
}
