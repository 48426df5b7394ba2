import type { WordLoaders } from "./words.ts";

/** All words of each language. */
export const allWords: WordLoaders = {
  en: () => import("../../words/en.ts"),
  de: () => import("../../words/de.ts"),
  fr: () => import("../../words/fr.ts"),
  es: () => import("../../words/es.ts"),
  pt: () => import("../../words/pt.ts"),
  zh: () => import("../../words/zh.ts"),
  ja: () => import("../../words/ja.ts"),
  ar: () => import("../../words/ar.ts"),
};
