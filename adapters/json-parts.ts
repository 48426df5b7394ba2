import { JsonText } from "../router/json-text.ts";

/** A record as JSON, with the texts in it as they are. */
export function recordParts(record: Readonly<Record<string, unknown>>): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let before = "{";
  for (const [key, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const isText = value instanceof JsonText;
    parts.push(Buffer.from(`${before}${JSON.stringify(key)}:${isText ? "" : JSON.stringify(value)}`));
    if (isText) parts.push(value.bytes);
    before = ",";
  }
  parts.push(Buffer.from(before === "{" ? "{}" : "}"));
  return parts;
}

/** JSON in which marks stand, with the texts in their place. */
export function spliceTexts(json: string, texts: readonly JsonText[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  const places = texts.map((text) => ({ text, at: json.indexOf(`"${text.mark}"`) }));
  // One that an error took the place of is not there.
  for (const { text, at } of places.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)) {
    parts.push(Buffer.from(json.slice(from, at)), text.bytes);
    from = at + text.mark.length + 2;
  }
  return [...parts, Buffer.from(json.slice(from))];
}

export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
