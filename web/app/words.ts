import { signal } from "@preact/signals";
import { words as english, type Words } from "../words/en.ts";

export const language = signal("en");
const current = signal<Words>(english);

/** The language and region that numbers, sizes and dates are written for: the person's own, in our language. */
export function locale(): string {
  const own = navigator.languages.find((tag) => tag.split("-")[0] === language.value);
  return own ?? language.value;
}

/** Puts values into a text: `{count} of {total}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** The words of the chosen language. A component that reads them is drawn again when the language changes. */
export function words(): Words {
  return current.value;
}
