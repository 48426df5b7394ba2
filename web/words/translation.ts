import type { Plural } from "./plural.ts";

/** What a language says of the words that there are in English; what it leaves out is shown in English. */
export type Translation<Words> = {
  readonly [Key in keyof Words]?: Words[Key] extends string | Plural ? Words[Key] : Translation<Words[Key]>;
};

/** The paths of the English words that a language leaves out: `pages.share.title`. */
export function missingWords(own: object, english: object, path = ""): string[] {
  const said: Readonly<Record<string, unknown>> = { ...own };
  return Object.entries(english).flatMap(([key, value]: [string, unknown]) => {
    const inside = said[key];
    if (inside === undefined) return [`${path}${key}`];
    return isGroup(inside) && isGroup(value) ? missingWords(inside, value, `${path}${key}.`) : [];
  });
}

/** The words of a language, with English in the place of what it leaves out. */
export function fillFromEnglish<Words extends object>(own: object, english: Words): Words {
  const said: Readonly<Record<string, unknown>> = { ...own };
  const filled = Object.entries(english).map(([key, value]: [string, unknown]) => {
    const inside = said[key];
    const isTree = isGroup(inside) && isGroup(value);
    return [key, isTree ? fillFromEnglish(inside, value) : (inside ?? value)];
  });
  // Every key of the English words has its own value or that of the language, which has the same shape.
  return Object.fromEntries(filled) as Words;
}

// The forms of a plural belong together: they are those that the language needs.
function isGroup(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("other" in value);
}
