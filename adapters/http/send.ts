import { FastResponse } from "srvx";
import type { JsonText } from "../../wire/json-text.ts";
import { streamOf } from "./stream.ts";

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

/** An answer of these parts, whose length is told beforehand. */
export function answerParts(
  parts: readonly Uint8Array[],
  { status, headers }: { status: number; headers: Headers },
): Response {
  headers.set("Content-Length", String(parts.reduce((sum, part) => sum + part.length, 0)));
  return new FastResponse(streamOf(parts), { status, headers });
}
