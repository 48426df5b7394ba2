import { postRest, RestFailure } from "../../client/rest.ts";
import type { Io } from "../terminal/io.ts";
import type { ServerAddress } from "./connect.ts";
import { connectionFailure } from "./connection-failure.ts";

/**
 * Posts to the documented API, where a file goes and comes piece by piece; the typed client holds it whole.
 * @throws RestFailure with what the API says; CliError network where no Hushkit answers
 */
export async function postToServer(
  { fetch }: Io,
  { url, token }: ServerAddress,
  sent: { path: string; headers?: Readonly<Record<string, string>>; body: BodyInit; signal?: AbortSignal },
): Promise<Response> {
  const { path, headers, ...call } = sent;
  const known = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return postRest(`${url}${path}`, { ...call, headers: { ...headers, ...known }, fetch }).catch(
    (error: unknown) => {
      if (error instanceof RestFailure && error.body) throw error;
      throw connectionFailure(error, { proxy: undefined });
    },
  );
}
