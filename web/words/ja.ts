import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/ja.ts";
import { words as more } from "./more/ja.ts";

/** The words of the pages in Japanese. */
export const words: Translation<Words> = { ...core, ...more };
