import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/pt.ts";
import { words as more } from "./more/pt.ts";

/** The words of the pages in Portuguese. */
export const words: Translation<Words> = { ...core, ...more };
