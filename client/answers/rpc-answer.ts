import { isErrorBody } from "../rest.ts";
import { askFollowing } from "./follow.ts";
import { explainAnswer, type Asked } from "./not-hushkit.ts";

/** A fetch for tRPC's links, whose answers are looked at before tRPC takes them for some. @throws NotHushkit */
export function rpcFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const response = await askFollowing(fetch, url, init);
    const json = response.json.bind(response);
    const asked = { url, method: init.method };
    // What tRPC calls of it; what it finds in an error is still the Response.
    return Object.defineProperty(response, "json", {
      value: async () => own(await read(json), response, asked),
    });
  };
}

/** What is no JSON is nobody's answer; what is cut is the network's matter. */
async function read(json: () => Promise<unknown>): Promise<unknown> {
  return json().catch((error: unknown) => {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
}

function own(body: unknown, response: Response, asked: Asked): unknown {
  const answers: readonly unknown[] = Array.isArray(body) ? body : [body];
  const isOwn = answers.length > 0 && answers.every(isAnswer);
  // A POST that has become a GET on its way, which a Hushkit refuses.
  const isTurned = response.redirected && response.status === 405;
  if (isOwn && !isTurned) return body;
  throw explainAnswer(response, asked);
}

function isAnswer(answer: unknown): boolean {
  const { result, error } = Object(answer) as { result?: unknown; error?: { data?: unknown } };
  return (typeof result === "object" && result !== null) || isErrorBody(error?.data);
}
