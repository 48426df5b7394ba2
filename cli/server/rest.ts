import { askFollowing } from "../../client/answers/follow.ts";
import { explainAnswer, type NotHushkit } from "../../client/answers/not-hushkit.ts";
import { postRest, RestFailure } from "../../client/rest.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";

/**
 * Posts to the documented API, where a file is sent piece by piece; the typed client holds it in memory.
 * @throws RestFailure with the API's error; NotHushkit where no Hushkit answers
 */
export async function postToServer(
  { fetch }: Io,
  { url, token }: ServerAddress,
  {
    path,
    headers,
    body,
    ...call
  }: {
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Called again where the server has moved: a stream cannot be sent twice. */
    readonly body: () => BodyInit;
    readonly signal?: AbortSignal;
  },
): Promise<Response> {
  const known = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return postRest(`${url}${path}`, {
    ...call,
    headers: { ...headers, ...known },
    body: body(),
    fetch: (input, init = {}) => askFollowing(fetch, String(input), init, body),
  }).catch(async (error: unknown) => {
    throw error instanceof RestFailure ? await explainFailure(error, `${url}${path}`, "POST") : error;
  });
}

/** The API's own errors stay as they are. */
export async function explainFailure(
  failure: RestFailure,
  url: string,
  method: string,
): Promise<RestFailure | NotHushkit> {
  return failure.body ? failure : await explainAnswer(failure.came, { url, method });
}
