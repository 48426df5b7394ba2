import type { JsonText } from "../../../wire/json-text.ts";

// tRPC 11.25 writes an answer with JSON.stringify (unstable-core-do-not-import/http/resolveResponse.ts) and takes
// no text that is JSON already. So a text that a worker wrote leaves a mark in the JSON, a UUID that no caller can
// guess, and this file, the only one that cuts JSON, writes the text in place of its mark.

/** JSON with marks in it, as parts, with the texts in place of their marks. */
export function spliceTexts(json: string, texts: readonly JsonText[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  const places = texts.map((text) => ({ text, at: json.indexOf(`"${text.mark}"`) }));
  // The mark of a text is missing when an error was answered in its place.
  for (const { text, at } of places.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)) {
    parts.push(Buffer.from(json.slice(from, at)), text.bytes);
    from = at + text.mark.length + 2;
  }
  return [...parts, Buffer.from(json.slice(from))];
}
