import { AsyncLocalStorage } from "node:async_hooks";
import type { CustomFetch } from "openid-client";
import { joinBytes, type Bytes } from "../../../wire/bytes.ts";
import { exceededBound } from "../../../wire/json/json-bounds.ts";

/** The most time for everything that one step of a login asks the provider. */
export const TIMEOUT_SECONDS = 10;
/** The most bytes of one answer, after decompression. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const BOUNDS = { depth: 20, values: 10_000 };

/** A provider's answer that exceeds the limits. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
  readonly code: "oidc_answer_too_long" | "oidc_answer_too_deep";

  constructor(code: AnswerError["code"]) {
    super("The provider's answer is too long or too deeply nested");
    this.code = code;
  }
}

const deadlines = new AsyncLocalStorage<AbortSignal>();

/** Sets one deadline for everything that is fetched meanwhile. */
export function withDeadline<Result>(work: () => Promise<Result>): Promise<Result> {
  return deadlines.run(AbortSignal.timeout(TIMEOUT_SECONDS * 1000), work);
}

/**
 * A fetch that follows no redirects and reads no more than a provider's answer can have.
 * @throws AnswerError; DOMException TimeoutError after the deadline
 */
export const boundedFetch: CustomFetch = async (url, { signal, ...options }) => {
  const signals = [signal, deadlines.getStore()].filter((each) => each !== undefined);
  const request = {
    ...options,
    // Bun 1.4 and Node have different names for the types of a body.
    body: options.body as BodyInit,
    redirect: "manual" as const,
    signal: AbortSignal.any(signals),
  };
  const { bytes, response } = await fetchWhole(url, request).catch(rethrowAsNode);
  checkBounds(bytes);
  const { status, statusText, headers } = response;
  const hasBody = bytes.length > 0;
  return new Response(hasBody ? bytes : null, { status, statusText, headers: plainHeaders(headers) });
};

async function fetchWhole(url: string, request: RequestInit) {
  const response = await fetch(url, request);
  return { response, bytes: await readBounded(response) };
}

// Bun puts the system's code on the error itself, where openid-client has codes of its own.
function rethrowAsNode(error: unknown): never {
  if (error instanceof TypeError && "code" in error) throw new TypeError("fetch failed", { cause: error });
  throw error;
}

/** @throws AnswerError for JSON that is deeper or larger than any answer of a provider */
export function checkBounds(json: Uint8Array): void {
  if (exceededBound(json, BOUNDS)) throw new AnswerError("oidc_answer_too_deep");
}

async function readBounded({ body }: Response): Promise<Bytes> {
  const parts: Uint8Array[] = [];
  let length = 0;
  if (body)
    for await (const part of body) {
      length += part.length;
      // Leaving the loop cancels the body.
      if (length > MAX_ANSWER_BYTES) throw new AnswerError("oidc_answer_too_long");
      parts.push(part);
    }
  return joinBytes(parts);
}

// The bytes are already decompressed.
function plainHeaders(given: Headers): Headers {
  const headers = new Headers(given);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return headers;
}
