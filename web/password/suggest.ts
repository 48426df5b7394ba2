import { generateFromList, type WordListName } from "../../tools/password.ts";
import { currentLanguage, type Language } from "../app/language/words.ts";

/** The long word lists by the language of the page; other languages get the English one. */
const LISTS: Readonly<Partial<Record<Language, WordListName>>> = {
  de: "german",
  fr: "french",
  es: "spanish",
};

/** A passphrase of at least this many bits, from words of the page's language where there is a long list of them. */
export async function suggestPassphrase(bits: number): Promise<string> {
  const list = LISTS[currentLanguage()] ?? "large";
  const { passwords } = await generateFromList({ mode: "passphrase", list, minEntropy: bits });
  return passwords[0] ?? "";
}
