import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/es.ts";
import { words as more } from "./more/es.ts";

/** The words of the pages in Spanish. */
export const words: Translation<Words> = { ...core, ...more };
