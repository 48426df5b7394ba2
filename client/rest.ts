// What reaches the documented API without the weight of tRPC: pages that must load little, and files as streams.
import type { ErrorBody } from "../router/errors/errors.ts";
import type { CameInstead } from "./answers/not-hushkit.ts";

/** What came in place of what was asked for. */
export class RestFailure extends Error {
  /** Undefined where no server of ours has answered; what `came` is then, `explainAnswer` says. */
  readonly body: ErrorBody | undefined;
  readonly came: CameInstead;

  constructor(answer: string, came: CameInstead) {
    const body = readError(answer);
    super(body?.error ?? "No Hushkit has answered");
    this.name = "RestFailure";
    this.body = body;
    this.came = came;
  }
}

/** Posts to the API; the answer can be read while it arrives. @throws RestFailure; TypeError where nobody answers */
export async function postRest(
  url: string,
  {
    fetch = globalThis.fetch,
    signal,
    ...call
  }: {
    body: BodyInit;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal | undefined;
    fetch?: typeof globalThis.fetch;
  },
): Promise<Response> {
  // Needed for a body that is a stream, and not yet in the type (whatwg/fetch#1457).
  const duplex = { duplex: "half" };
  const response = await fetch(url, { method: "POST", ...call, signal: signal ?? null, ...duplex });
  // Hushkit gives each answer an id; a web page with 200 has none.
  if (response.ok && response.headers.has("request-id")) return response;
  throw new RestFailure(response.ok ? "" : await response.text(), response);
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
