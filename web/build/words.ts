import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { APART, ASKING, LINK, MORE } from "../words/words.ts";

const FOLDER = new URL("../words/", import.meta.url);
const FORMS = ["zero", "one", "two", "few", "many", "other"];

/** Texts by their keys, in groups; a plural is a group of its forms. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** Words that are loaded together, as lists of keys: `app`, `errors.unknown`. */
const PARTS: Readonly<Record<string, (keys: readonly string[]) => readonly string[]>> = {
  link: () => LINK,
  core: (keys) => keys.filter((key) => ![...MORE, ...APART].some((other) => other === key)),
  more: () => MORE,
  asking: () => ASKING,
  find: () => ["terms"],
  wall: () => ["wall"],
  elsewhere: () => ["elsewhere"],
};

/**
 * Provides `words/de.json?part=link`, a part of a language's words. Missing ones are filled in with English, so that
 * readers of other languages do not load English.
 */
export function wordParts(): Plugin {
  return {
    name: "word-parts",
    load(id) {
      const [, language, part = ""] = /\/web\/words\/([a-z]{2})\.json\?part=([a-z]+)$/.exec(id) ?? [];
      if (language === undefined) return undefined;
      const words = fillFromEnglish(readWords(language), readWords("en"));
      const keys = PARTS[part]?.(Object.keys(words)) ?? [];
      return { code: `export default ${JSON.stringify(pick(words, keys))};`, moduleType: "js" };
    },
  };
}

/** The languages that have words. */
export function listLanguages(): string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".json"));
  return files.map((file) => file.replace(".json", ""));
}

/** The words that each language lacks, as `de: pages.share.title`. */
export function listMissingWords(): string[] {
  return listLanguages().flatMap((language) =>
    missingWords(readWords(language), readWords("en")).map((path) => `${language}: ${path}`),
  );
}

/** The words of a language, with the forms of each plural in a group. */
export function readWords(language: string): Texts {
  // Our own file; a test compares its keys with the English ones.
  return groupForms(JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), "utf8")) as Texts);
}

/** `pages_one` and `pages_other` become `pages`, with both in it. */
export function groupForms(texts: Texts): Texts {
  const grouped: Record<string, string | Texts> = {};
  for (const [key, value] of Object.entries(texts)) {
    const [, name = key, form] = /^(.+)_([a-z]+)$/.exec(key) ?? [];
    if (typeof value !== "string") grouped[key] = groupForms(value);
    else if (form === undefined || !FORMS.includes(form)) grouped[key] = value;
    else grouped[name] = { ...groupOf(grouped[name]), [form]: value };
  }
  return grouped;
}

/** The paths of English words that a language lacks: `pages.share.title`. */
export function missingWords(own: Texts, english: Texts, path = ""): string[] {
  return Object.entries(english).flatMap(([key, value]) => {
    const inside = own[key];
    if (inside === undefined) return [`${path}${key}`];
    return isGroup(inside) && isGroup(value) ? missingWords(inside, value, `${path}${key}.`) : [];
  });
}

/** The words of a language, with English for missing ones. */
export function fillFromEnglish(own: Texts, english: Texts): Texts {
  const filled = Object.entries(english).map(([key, value]) => {
    const inside = own[key];
    const isTree = isGroup(inside) && isGroup(value);
    return [key, isTree ? fillFromEnglish(inside, value) : (inside ?? value)];
  });
  return Object.fromEntries(filled);
}

/** The words with these keys; a key with a dot is inside a group. */
function pick(words: Texts, keys: readonly string[]): Texts {
  const picked: Record<string, string | Texts> = {};
  for (const [group, own] of Map.groupBy(keys, (key) => key.split(".", 1).join())) {
    const inside = own.map((key) => key.slice(group.length + 1));
    const value = words[group] ?? {};
    picked[group] = inside.includes("") ? value : pick(groupOf(value), inside);
  }
  return picked;
}

function groupOf(value: string | Texts | undefined): Texts {
  return typeof value === "object" ? value : {};
}

/** The forms of a plural belong together: each language has its own. */
export function isGroup(value: string | Texts | undefined): value is Texts {
  return typeof value === "object" && !Object.keys(value).every((key) => FORMS.includes(key));
}
