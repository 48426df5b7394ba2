import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/ar.ts";
import { words as more } from "./more/ar.ts";

/** The words of the pages in Arabic. */
export const words: Translation<Words> = { ...core, ...more };
