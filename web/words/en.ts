import { words as core } from "./core/en.ts";
import { words as more } from "./more/en.ts";

/** The words of the pages in English. Every language has the same keys, with the same {placeholders}. */
export const words = { ...core, ...more };

/** What a language has to say. */
export type Words = typeof words;
