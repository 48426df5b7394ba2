/// <reference types="vite/types/importMeta.d.ts" />
import type { WordFile, WordLoaders } from "./words.ts";

/** The words of the first pages in each language. */
export const coreWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../../words",
  query: { part: "core" },
});

/** Additional words of the pages of requests. */
export const askingWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../../words",
  query: { part: "asking" },
});

/** Additional words of the other pages, loaded with the first of them. */
export const moreWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../../words",
  query: { part: "more" },
});
