// Calls the documented API without the size of tRPC: for pages that must stay small, and for files as streams.
import type { ErrorBody } from "../router/errors/errors.ts";
import type { ReceivedAnswer } from "./answers/not-hushkit.ts";

/** An answer other than the expected one. */
export class RestFailure extends Error {
  /** Undefined where it is not from a Hushkit; then `explainAnswer` says what `came` is. */
  readonly body: ErrorBody | undefined;
  readonly came: ReceivedAnswer;

  constructor(answer: string, came: ReceivedAnswer) {
    const body = readError(answer);
    super(body?.error ?? "No Hushkit has answered");
    this.name = "RestFailure";
    this.body = body;
    this.came = came;
  }
}

/**
 * Posts to the API; the answer can be read while it arrives.
 * @throws RestFailure; TypeError where there is no answer
 */
export async function postRest(
  url: string,
  {
    fetch = globalThis.fetch,
    readText = (response) => response.text(),
    signal,
    ...call
  }: {
    body: BodyInit;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal | undefined;
    fetch?: typeof globalThis.fetch;
    /** Reads an error; with a bound, where the server may be anybody's. */
    readText?: (response: Response) => Promise<string>;
  },
): Promise<Response> {
  // Required for a streamed body, and missing in the type (whatwg/fetch#1457).
  const duplex = { duplex: "half" };
  const response = await fetch(url, { method: "POST", ...call, signal: signal ?? null, ...duplex });
  // Hushkit gives every answer an id; a web page with status 200 has none.
  if (response.ok && response.headers.has("request-id")) return response;
  throw new RestFailure(response.ok ? "" : await readText(response), response);
}

/** Whether this is an error of the server, of any version. REST and RPC write errors of the same type. */
export function isErrorBody(data: unknown): data is ErrorBody {
  const { error, code, status, requestId } = Object(data) as Partial<Record<keyof ErrorBody, unknown>>;
  return [error, code, requestId].every((text) => typeof text === "string") && typeof status === "number";
}

function readError(answer: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(answer);
    return isErrorBody(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
