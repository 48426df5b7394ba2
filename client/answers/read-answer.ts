import { readAll } from "../../wire/byte-pieces.ts";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";

/** No answer of Hushkit in JSON, and no file of its pages, is nearly as long. */
export const MAX_ANSWER_BYTES = 2 ** 28;

/** A whole answer; undefined where it is longer than any of Hushkit's, and its rest is not read then. */
export async function readAnswer(response: Response): Promise<Bytes | undefined> {
  // React Native has no `body`, and node-fetch a stream of Node's. In a page Chromium tells the end of a stream before
  // that of its request, which the end of the call would then break off; and a page trusts its server.
  const isStream = response.body !== null && response.body !== undefined && "getReader" in response.body;
  if (!isStream || "document" in globalThis) return new Uint8Array(await response.arrayBuffer());
  const pieces: Bytes[] = [];
  let length = 0;
  for await (const piece of readAll(response.body as ReadableStream<Bytes>)) {
    length += piece.length;
    if (length > MAX_ANSWER_BYTES) return undefined;
    pieces.push(piece);
  }
  return joinBytes(pieces);
}

/** A whole answer as text; empty where it is longer than any of Hushkit's. */
export async function readAnswerText(response: Response): Promise<string> {
  return new TextDecoder().decode(await readAnswer(response));
}

/** What an answer holds; undefined where that is no JSON, or longer than any of Hushkit's. */
export async function readAnswerJson(response: Response): Promise<unknown> {
  const text = await readAnswerText(response);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
