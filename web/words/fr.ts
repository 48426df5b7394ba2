import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/fr.ts";
import { words as more } from "./more/fr.ts";

/** The words of the pages in French. */
export const words: Translation<Words> = { ...core, ...more };
