import type { WordLoaders } from "../app/language/words.ts";
// All languages share it: named here, it comes with this file, not in one more.
import "../words/plural.ts";

/** What the page behind a link says in each language. */
export const linkPageWords: WordLoaders = {
  en: () => import("../words/link/en.ts"),
  de: () => import("../words/link/de.ts"),
  fr: () => import("../words/link/fr.ts"),
  es: () => import("../words/link/es.ts"),
  pt: () => import("../words/link/pt.ts"),
  zh: () => import("../words/link/zh.ts"),
  ja: () => import("../words/link/ja.ts"),
  ar: () => import("../words/link/ar.ts"),
};
