import type { ComponentType } from "preact";
import { currentLanguage, type WordFile } from "../app/language/words.ts";
import type { AllWords } from "../words/words.ts";
import { FindDialog } from "./find-dialog.tsx";

/** What people call the pages besides their names. */
const LOADERS = import.meta.glob<WordFile<Pick<AllWords, "terms">>>("./*.json", {
  base: "../words",
  query: { part: "find" },
});

/** The dialog with the terms of the chosen language. */
export async function loadFinder(): Promise<ComponentType<{ onClose: () => void }>> {
  const file = await LOADERS[`./${currentLanguage()}.json`]?.();
  return ({ onClose }) => <FindDialog terms={file?.default.terms ?? {}} onClose={onClose} />;
}
