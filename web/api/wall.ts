// What the pages say where something has answered that is no Hushkit. It is loaded when that has happened.
import { explainAnswer, notHushkitOf, type NotHushkit } from "../../client/answers/not-hushkit.ts";
import type { RestFailure } from "../../client/rest.ts";
import { currentLanguage, fill, type WordFile } from "../app/language/words.ts";
import type { AllWords } from "../words/words.ts";

const WORDS = import.meta.glob<WordFile<Pick<AllWords, "wall">>>("./*.json", {
  base: "../words",
  query: { part: "wall" },
});

/** Has a failure of a call say what has answered. */
export async function explainWall(failure: RestFailure): Promise<void> {
  const { came } = failure;
  failure.cause = await describeWall(explainAnswer(came, { url: came.url, method: "POST" }));
}

/** The same for an error of the typed client, as if the server had said it. */
export async function explainError<Failure extends Error & { data: unknown }>(
  error: Failure,
): Promise<Failure> {
  const wrong = notHushkitOf(error);
  if (wrong?.kind === "version") error.data = { code: "outdated", requestId: "" };
  if (wrong?.facts) error.data = await describeWall(wrong);
  return error;
}

/** A failure in the words of the page; without a network it says less. */
async function describeWall({ kind, facts = { status: 0 } }: NotHushkit) {
  const words = await WORDS[`./${currentLanguage()}.json`]?.().catch(() => undefined);
  const texts: Readonly<Record<string, string>> = words?.default.wall ?? {};
  const what = [facts.status, facts.server, facts.address].filter(Boolean).join(", ");
  const text = texts[kind];
  return { code: "unreachable", requestId: "", wall: text && fill(text, { what }) };
}
