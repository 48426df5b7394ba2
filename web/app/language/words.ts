import { signal } from "@preact/signals";
import type { LinkWords, Plural, Words } from "../../words/words.ts";
import { keep, readKept } from "../paths/tab.ts";

/** Every language by its tag, with its own name. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  pt: "Português",
  zh: "简体中文",
  ja: "日本語",
  ar: "العربية",
} as const;

export type Language = keyof typeof LANGUAGES;

/** A part of a language's words, as the build makes it. */
export interface WordFile<Part = object> {
  readonly default: Part;
}

/** Loads the words of a language when it is chosen, by the name of its file: `./de.json`. */
export type WordLoaders = Readonly<Record<string, () => Promise<WordFile>>>;

/** Languages written from right to left. */
const RIGHT_TO_LEFT: readonly Language[] = ["ar"];

const KEY = "language";
const current = signal<{ language: Language; words: LinkWords } | undefined>(undefined);
const loaders = new Set<WordLoaders>();

/** The words of the chosen language. A component that reads them is drawn again when the language changes. */
export function words(): Words {
  // The page behind a link, which has fewer words, uses linkWords.
  return linkWords() as Words;
}

/** The words that the page behind a link has too. */
export function linkWords(): LinkWords {
  if (!current.value) throw new Error("The words are not loaded yet");
  return current.value.words;
}

export function currentLanguage(): Language {
  return current.value?.language ?? "en";
}

/** Loads the language that was chosen before, or else the first of the browser's languages that is available. */
export async function loadWords(from: WordLoaders): Promise<void> {
  loaders.add(from);
  const tags = [readKept(KEY), ...navigator.languages];
  const languages = tags.map((tag) => tag?.split("-")[0]?.toLowerCase());
  await show(languages.find(isLanguage) ?? "en");
  beginMore();
}

let beginMore = (): void => {};
const begun = new Promise<void>((resolve) => (beginMore = resolve));

const further = new Map<WordLoaders, Promise<void>>();

/** Loads additional words, in this language and in each that is chosen afterwards. */
export function loadMoreWords(from: WordLoaders): Promise<void> {
  const loading = further.get(from) ?? loadMore(from);
  further.set(from, loading);
  return loading;
}

async function loadMore(from: WordLoaders): Promise<void> {
  // A page can be asked for before the language is known.
  await begun;
  loaders.add(from);
  try {
    await show(currentLanguage());
  } catch (error) {
    // The next page tries again.
    loaders.delete(from);
    further.delete(from);
    throw error;
  }
}

/** Changes the language and stores the choice in this browser, without a cookie. */
export async function chooseLanguage(language: Language): Promise<void> {
  await show(language);
  keep(KEY, language);
}

/** The language and region that numbers, sizes and dates are written for. */
export function locale(): string {
  const language = currentLanguage();
  const tag = navigator.languages.find((each) => each.split("-")[0] === language) ?? language;
  // Always Western digits: page ranges and links are written with them, whatever the region prefers.
  return /-[ux]-/.test(tag)
    ? new Intl.Locale(tag, { numberingSystem: "latn" }).toString()
    : `${tag}-u-nu-latn`;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Formats numbers for the reader. Cached, because making one takes a phone several milliseconds. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = locale() + JSON.stringify(options);
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(locale(), options);
  numberFormats.set(key, known);
  return known;
}

/** Fills values into a text: `{{count}} of {{total}}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => isolate(values[name] ?? placeholder));
}

/**
 * A name or path as a sentence from right to left shows it, in its own direction: otherwise the slash of `/trpc` and the
 * number of `scan (2)` stand at its other end. In Unicode's characters for that (UAX 9, FSI and PDI), as names of buttons
 * and tabs have no markup.
 */
export function isolate(value: string | number): string {
  const isRightToLeft = document.documentElement.dir === "rtl";
  return isRightToLeft && /[^\P{L}\p{Script=Arabic}]/u.test(String(value))
    ? `\u2068${value}\u2069`
    : String(value);
}

/** The name for a value of the API; an unknown value stays as it is. */
export function nameOf(names: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(names, value) ? (names[value] ?? value) : value;
}

/** The plural form for a number, including the number: `12 pages`. */
export function formatCount(count: number, forms: Plural): string {
  const form = forms[new Intl.PluralRules(locale()).select(count)] ?? forms.other;
  return fill(form, { count: numberFormat().format(count) });
}

let showing: Promise<void> = Promise.resolve();

// One after the other: the language that was chosen last stays, with everything that is loaded by then.
function show(language: Language): Promise<void> {
  const next = showing.then(() => loadAndShow(language));
  showing = next.catch(() => undefined);
  return next;
}

async function loadAndShow(language: Language): Promise<void> {
  const files = await Promise.all([...loaders].map((from) => from[`./${language}.json`]?.()));
  const parts = files.map((file) => file?.default);
  // The build has filled in English for missing words.
  current.value = { language, words: Object.assign({}, ...parts) as LinkWords };
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";
}

function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(LANGUAGES, tag);
}
