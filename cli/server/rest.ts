import type { ErrorBody } from "../../router/errors/errors.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { Server } from "./connect.ts";

/** An error that the API answered. */
export class RestError extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.error);
    this.name = "RestError";
    this.body = body;
  }
}

export const UNREACHABLE =
  "The server cannot be reached, or what answers there is no Hushkit; see HUSHKIT_URL.";

/**
 * Posts to the documented API, where a file goes and comes piece by piece; the typed client holds it whole.
 * @throws RestError; CliError network where no Hushkit answers
 */
export async function post(
  io: Io,
  { url, token }: Server,
  sent: { path: string; headers?: Readonly<Record<string, string>>; body: BodyInit; signal?: AbortSignal },
): Promise<Response> {
  const { path, headers, body, signal } = sent;
  const response = await io
    .fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body,
      ...(signal && { signal }),
      // Needed for a body that is a stream, and not yet in the type (whatwg/fetch#1457).
      ...({ duplex: "half" } as object),
    })
    .catch(() => {
      throw new CliError(EXIT.network, UNREACHABLE);
    });
  if (response.ok) return response;
  const answer: unknown = await response.json().catch(() => undefined);
  if (isErrorBody(answer)) throw new RestError(answer);
  throw new CliError(EXIT.network, UNREACHABLE);
}

// As the typed client tells the server's errors from those of a proxy.
function isErrorBody(answer: unknown): answer is ErrorBody {
  return typeof answer === "object" && answer !== null && "code" in answer && "status" in answer;
}
