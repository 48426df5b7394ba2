import { askFollowing } from "../../client/answers/follow.ts";
import { postRest } from "../../client/rest.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";

interface Sent {
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
  { path, headers, body, ...call }: Sent,
): Promise<Response> {
  const known = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return postRest(`${url}${path}`, {
    ...call,
    headers: { ...headers, ...known },
    body: body(),
    fetch: (input, init = {}) => askFollowing(fetch, String(input), init, body),
  });
}
