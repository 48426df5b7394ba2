// The words for answers of something that is not Hushkit, loaded when that happens.
import type { AnswerFacts } from "../../client/answers/advice.ts";
import { explainAnswer, notHushkitOf, type NotHushkit } from "../../client/answers/not-hushkit.ts";
import type { RestFailure } from "../../client/rest.ts";
import { inTime } from "../app/paths/reload.ts";
import { currentLanguage, fill, type WordFile } from "../app/language/words.ts";
import { hrefTo } from "../app/paths/base.ts";
import type { AllWords } from "../words/words.ts";

const WORDS = import.meta.glob<WordFile<Pick<AllWords, "wall">>>("./*.json", {
  base: "../words",
  query: { part: "wall" },
});

/** Makes a failure say what has answered, where something did. */
export async function explainWall(failure: RestFailure | TypeError): Promise<void> {
  if ("came" in failure) {
    const { came } = failure;
    failure.cause = await describeWall(await explainAnswer(came, { url: came.url, method: "POST" }));
  } else if (await isSentAway()) Object.assign(failure, { data: await describeWall(SENT_AWAY) });
}

/** Makes an error of the typed client say what has answered, in the form of a server's error. */
export async function explainError<Failure extends Error & { data: unknown }>(
  error: Failure,
): Promise<Failure> {
  const wrong = notHushkitOf(error);
  if (wrong?.kind === "version") error.data = asError("outdated");
  if (wrong?.facts) error.data = await describeWall(wrong);
  if (wrong?.kind === "unreachable" && (await isSentAway())) error.data = await describeWall(SENT_AWAY);
  return error;
}

interface Wall extends Pick<NotHushkit, "kind"> {
  readonly facts: AnswerFacts | { readonly status: "3xx" } | undefined;
}

const SENT_AWAY: Wall = { kind: "login", facts: { status: "3xx" } };

/**
 * Whether calls are redirected to another origin, as a single sign-on does. Where fetch follows that, it fails like a
 * network error (Fetch, 4.4), so this requests something without following.
 */
async function isSentAway(): Promise<boolean> {
  const url = hrefTo("/api/instance");
  const response = await inTime(fetch(url, { redirect: "manual", cache: "no-store" })).catch(() => undefined);
  return response?.type === "opaqueredirect";
}

/** A failure in the words of the page, or shorter without a network. */
async function describeWall({ kind, facts }: Wall) {
  const words = await WORDS[`./${currentLanguage()}.json`]?.().catch(() => undefined);
  const texts: Readonly<Record<string, string>> = words?.default.wall ?? {};
  const what = Object.values(facts ?? {}).join(", ");
  const text = texts[kind];
  return { ...asError("unreachable"), wall: text && fill(text, { what }) };
}

/** An error as a server writes it, of which pages read the code. */
function asError(code: string) {
  return { error: "", code, status: 0, requestId: "" };
}
