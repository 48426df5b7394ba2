/// <reference types="vite/types/importMeta.d.ts" />
import type { WordFile, WordLoaders } from "./words.ts";

/** What the first pages say in each language. */
export const coreWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../../words",
  query: { part: "core" },
});

/** What the pages of requests say besides. */
export const askingWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../../words",
  query: { part: "asking" },
});

/** What the other pages say besides; loaded with the first of them. */
export const moreWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../../words",
  query: { part: "more" },
});
