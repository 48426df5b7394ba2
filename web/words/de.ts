import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/de.ts";
import { words as more } from "./more/de.ts";

/** The words of the pages in German. */
export const words: Translation<Words> = { ...core, ...more };
