import { askFollowing } from "../../client/answers/follow.ts";
import { cutAnswer, explainAnswer, type NotHushkit } from "../../client/answers/not-hushkit.ts";
import { readAnswerJson, readAnswerText } from "../../client/answers/read-answer.ts";
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
  let isAnswered = false;
  return postRest(`${url}${path}`, {
    ...call,
    headers: { ...headers, ...known },
    body: body(),
    readText: readAnswerText,
    fetch: async (input, init = {}) => {
      const response = await askFollowing(fetch, String(input), init, body);
      isAnswered = true;
      return response;
    },
  }).catch(async (error: unknown) => {
    if (error instanceof RestFailure) throw await explainFailure(error, `${url}${path}`, "POST");
    throw isAnswered && !call.signal?.aborted ? cutAnswer(error, url) : error;
  });
}

/** The JSON of a procedure's answer. @throws NotHushkit where it was cut, or is somebody else's */
export async function readJson(
  response: Response,
  { url, procedure }: { url: string; procedure: string },
): Promise<unknown> {
  const answer = await readAnswerJson(response).catch((error: unknown) => {
    throw cutAnswer(error, url);
  });
  const { isKnownAnswer } = await import("./known-answers.ts");
  if (isKnownAnswer(procedure, answer)) return answer;
  throw await explainAnswer(response, { url, method: "POST" });
}

/** The API's own errors stay as they are. */
export async function explainFailure(
  failure: RestFailure,
  url: string,
  method: string,
): Promise<RestFailure | NotHushkit> {
  return failure.body ? failure : await explainAnswer(failure.came, { url, method });
}
