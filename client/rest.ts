// What reaches the documented API without the weight of tRPC: pages that must load little, and files as streams.
import type { ErrorBody } from "../router/errors/errors.ts";
import type { CameInstead } from "./answers/not-hushkit.ts";

/** What the API answered in place of what it was asked for. */
export class RestFailure extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.error);
    this.name = "RestFailure";
    this.body = body;
  }
}

interface RestCall {
  readonly body: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch;
}

/** Posts to the API; the answer can be read while it arrives. @throws RestFailure, NotHushkit; TypeError where nobody answers */
export async function postRest(
  url: string,
  { fetch = globalThis.fetch, signal, ...call }: RestCall,
): Promise<Response> {
  // Needed for a body that is a stream, and not yet in the type (whatwg/fetch#1457).
  const duplex = { duplex: "half" };
  const response = await fetch(url, { method: "POST", ...call, signal: signal ?? null, ...duplex });
  // Hushkit gives each answer an id; a web page with 200 has none.
  if (response.ok && response.headers.has("request-id")) return response;
  throw await failureIn(response, url, response.ok ? "" : await response.text());
}

/** What an answer that is not the one that was asked for is: an error of the API, or no Hushkit's at all. */
export async function failureIn(
  came: CameInstead,
  url: string,
  answer: string,
  method = "POST",
): Promise<Error> {
  const body = readError(answer);
  if (body) return new RestFailure(body);
  // The page behind a link loads it only where it is needed.
  const { explainAnswer } = await import("./answers/not-hushkit.ts");
  return explainAnswer(came, { url, method });
}

/** Whether it is an error of the server, which writes those of REST and RPC from one type: two keys are proof enough. */
export function isErrorBody(data: unknown): data is ErrorBody {
  return typeof data === "object" && data !== null && "code" in data && "requestId" in data;
}

function readError(answer: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(answer);
    return isErrorBody(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
