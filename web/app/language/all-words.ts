import type { WordLoaders } from "./words.ts";

/** What the first pages say in each language. */
export const coreWords: WordLoaders = {
  en: () => import("../../words/core/en.ts"),
  de: () => import("../../words/core/de.ts"),
  fr: () => import("../../words/core/fr.ts"),
  es: () => import("../../words/core/es.ts"),
  pt: () => import("../../words/core/pt.ts"),
  zh: () => import("../../words/core/zh.ts"),
  ja: () => import("../../words/core/ja.ts"),
  ar: () => import("../../words/core/ar.ts"),
};

/** What the other pages say besides; loaded with the first of them. */
export const moreWords: WordLoaders = {
  en: () => import("../../words/more/en.ts"),
  de: () => import("../../words/more/de.ts"),
  fr: () => import("../../words/more/fr.ts"),
  es: () => import("../../words/more/es.ts"),
  pt: () => import("../../words/more/pt.ts"),
  zh: () => import("../../words/more/zh.ts"),
  ja: () => import("../../words/more/ja.ts"),
  ar: () => import("../../words/more/ar.ts"),
};
