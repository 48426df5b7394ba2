import type { WordLoaders } from "../app/language/words.ts";

/** What the page behind a link says in each language. */
export const linkPageWords: WordLoaders = import.meta.glob<object>("./*.json", {
  base: "../words",
  query: { part: "link" },
  import: "default",
});
