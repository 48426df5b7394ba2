import type { ComponentType } from "preact";
import type { PageName } from "../../wire/pages.ts";
import { currentLanguage, type Language } from "../app/language/words.ts";
import { FindDialog } from "./find-dialog.tsx";

/** What people call a page besides its name. */
type Terms = Readonly<Partial<Record<PageName, string>>>;

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly terms: Terms }>>> = {
  en: () => import("../words/find/en.ts"),
  de: () => import("../words/find/de.ts"),
  fr: () => import("../words/find/fr.ts"),
  es: () => import("../words/find/es.ts"),
  pt: () => import("../words/find/pt.ts"),
  zh: () => import("../words/find/zh.ts"),
  ja: () => import("../words/find/ja.ts"),
  ar: () => import("../words/find/ar.ts"),
};

/** The dialog with the terms of the chosen language. */
export async function loadFinder(): Promise<ComponentType<{ onClose: () => void }>> {
  const { terms } = await LOADERS[currentLanguage()]();
  return ({ onClose }) => <FindDialog terms={terms} onClose={onClose} />;
}
