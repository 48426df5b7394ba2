import type { WordFile, WordLoaders } from "../app/language/words.ts";

/** What the page behind a link says in each language. */
export const linkPageWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../words",
  query: { part: "link" },
});
