import { readdirSync } from "node:fs";
import type { Plugin } from "vite";
import { fillFromEnglish, missingWords } from "../words/translation.ts";

const FOLDER = new URL("../words/", import.meta.url);

/**
 * Puts English in the place of what a language does not say yet. Done while the pages are built, so that a reader
 * of another language loads no English; where nothing is missing it does nothing.
 */
export function fillWords(): Plugin {
  return {
    name: "fill-words",
    async load(id) {
      const [, file] = /\/web\/words\/((?:link|core|more)\/[a-z]{2}\.ts)$/.exec(id) ?? [];
      if (file === undefined) return undefined;
      const [own, english] = [await readWords(file), await readWords(englishOf(file))];
      if (missingWords(own, english).length === 0) return undefined;
      return `export const words = ${JSON.stringify(fillFromEnglish(own, english))};`;
    },
  };
}

/** What each language leaves out, as `de: pages.share.title`. */
export async function listMissingWords(): Promise<string[]> {
  const files = readdirSync(FOLDER).filter((file) => /^[a-z]{2}\.ts$/.test(file));
  const english = await readWords("en.ts");
  const lists = files.map(async (file) => {
    const paths = missingWords(await readWords(file), english);
    return paths.map((path) => `${file.replace(".ts", "")}: ${path}`);
  });
  return (await Promise.all(lists)).flat();
}

async function readWords(file: string): Promise<object> {
  const { words }: { words: object } = await import(new URL(file, FOLDER).href);
  return words;
}

function englishOf(file: string): string {
  return file.replace(/[a-z]{2}\.ts$/, "en.ts");
}
