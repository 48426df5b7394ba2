import { askFollowing } from "../../client/answers/follow.ts";
import { explainAnswer, type NotHushkit } from "../../client/answers/not-hushkit.ts";
import { postRest, RestFailure } from "../../client/rest.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";

interface RestUpload {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew where the server says that it is elsewhere: a stream cannot be sent twice. */
  readonly body: () => BodyInit;
  readonly signal?: AbortSignal;
}

/**
 * Posts to the documented API, where a file goes and comes piece by piece; the typed client holds it whole.
 * @throws RestFailure with what the API says; NotHushkit where none answers
 */
export async function postToServer(
  { fetch }: Io,
  { url, token }: ServerAddress,
  { path, headers, body, ...call }: RestUpload,
): Promise<Response> {
  const known = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return postRest(`${url}${path}`, {
    ...call,
    headers: { ...headers, ...known },
    body: body(),
    fetch: (input, init = {}) => askFollowing(fetch, String(input), init, body),
  }).catch((error: unknown) => {
    throw error instanceof RestFailure ? explainFailure(error, `${url}${path}`, "POST") : error;
  });
}

/** What the API has said stays as it is. */
export function explainFailure(failure: RestFailure, url: string, method: string): RestFailure | NotHushkit {
  return failure.body ? failure : explainAnswer(failure.came, { url, method });
}
