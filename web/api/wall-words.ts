import { loadMoreWords, type WordFile, type WordLoaders } from "../app/language/words.ts";

const wallWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "../words",
  query: { part: "wall" },
});

/** Loads what is said where no Hushkit has answered; without a network the page says less. */
export function loadWallWords(): Promise<void> {
  return loadMoreWords(wallWords).catch(() => undefined);
}
