/// <reference types="vite/types/importMeta.d.ts" />
import type { WordLoaders } from "./words.ts";

/** What the first pages say in each language. */
export const coreWords: WordLoaders = import.meta.glob<object>("./*.json", {
  base: "../../words",
  query: { part: "core" },
  import: "default",
});

/** What the other pages say besides; loaded with the first of them. */
export const moreWords: WordLoaders = import.meta.glob<object>("./*.json", {
  base: "../../words",
  query: { part: "more" },
  import: "default",
});
