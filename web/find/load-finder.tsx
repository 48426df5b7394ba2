import type { ComponentType } from "preact";
import type { PageName } from "../../wire/pages.ts";
import { currentLanguage } from "../app/language/words.ts";
import { FindDialog } from "./find-dialog.tsx";

/** What people call a page besides its name. */
type Terms = Readonly<Partial<Record<PageName, string>>>;

const LOADERS = import.meta.glob<{ readonly terms: Terms }>("./*.json", {
  base: "../words",
  query: { part: "find" },
  import: "default",
});

/** The dialog with the terms of the chosen language. */
export async function loadFinder(): Promise<ComponentType<{ onClose: () => void }>> {
  const words = await LOADERS[`./${currentLanguage()}.json`]?.();
  return ({ onClose }) => <FindDialog terms={words?.terms ?? {}} onClose={onClose} />;
}
