import { signal } from "@preact/signals";
import type { Words } from "../words/en.ts";
import type { Plural } from "../words/plural.ts";

/** Every language by its tag, with its own name. Its words are loaded when it is chosen. */
export const LANGUAGES = {
  en: { name: "English", load: () => import("../words/en.ts") },
  de: { name: "Deutsch", load: () => import("../words/de.ts") },
  fr: { name: "Français", load: () => import("../words/fr.ts") },
  es: { name: "Español", load: () => import("../words/es.ts") },
  pt: { name: "Português", load: () => import("../words/pt.ts") },
  zh: { name: "简体中文", load: () => import("../words/zh.ts") },
  ja: { name: "日本語", load: () => import("../words/ja.ts") },
  ar: { name: "العربية", load: () => import("../words/ar.ts") },
} as const satisfies Record<string, { name: string; load: () => Promise<{ words: Words }> }>;

export type Language = keyof typeof LANGUAGES;

export type WarningName = keyof Words["warnings"];

/** Languages that are written from right to left. */
const RIGHT_TO_LEFT: readonly Language[] = ["ar"];

const KEY = "language";
const current = signal<{ language: Language; words: Words } | undefined>(undefined);

/** The words of the chosen language. A component that reads them is drawn again when the language changes. */
export function words(): Words {
  if (!current.value) throw new Error("The words are not loaded yet");
  return current.value.words;
}

export function currentLanguage(): Language {
  return current.value?.language ?? "en";
}

/** Loads the language that was chosen before, or else the first of the browser's languages that we have. */
export async function loadWords(): Promise<void> {
  const tags = [readChoice(), ...navigator.languages];
  const languages = tags.map((tag) => tag?.split("-")[0]?.toLowerCase());
  await show(languages.find(isLanguage) ?? "en");
}

/** Changes the language and remembers it in this browser, without a cookie. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language);
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** The language and region that numbers, sizes and dates are written for. */
export function locale(): string {
  const language = currentLanguage();
  const tag = navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
  // One kind of digits: page ranges and links are written with these, whatever the region prefers.
  return new Intl.Locale(tag, { numberingSystem: "latn" }).toString();
}

/** Puts values into a text: `{count} of {total}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The name for a value of the API; a value that has none yet stays as it is. */
export function nameOf(names: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] ?? value) : value;
}

/** The plural form for a number, with the number in it: `12 pages`. */
export function formatCount(count: number, forms: Plural): string {
  const form = forms[new Intl.PluralRules(locale()).select(count)] ?? forms.other;
  return fill(form, { count: new Intl.NumberFormat(locale()).format(count) });
}

async function show(language: Language): Promise<void> {
  const loaded = await LANGUAGES[language].load();
  current.value = { language, words: loaded.words };
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";
}

function readChoice(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag);
}
