import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { words as core } from "./core/zh.ts";
import { words as more } from "./more/zh.ts";

/** The words of the pages in Chinese. */
export const words: Translation<Words> = { ...core, ...more };
