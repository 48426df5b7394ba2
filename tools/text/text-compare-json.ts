import type { Without } from "../file/finish-file.ts";
import { type Bytes, joinBytes, utf8 } from "../../wire/bytes.ts";
import { compareTexts, type CompareOptions, type TextComparison } from "../text-compare.ts";

/** A comparison whose long part, under `key`, is already JSON in UTF-8, to be passed on. */
type WrittenComparison = Without<TextComparison, "rows" | "spans" | "patch"> & {
  key: "rows" | "spans" | "patch";
  json: Bytes;
};

const ENTRIES_PER_PIECE = 2_000;

/**
 * compareTexts, for a worker. Texts are UTF-8, or strings where that cannot hold them.
 * @throws ToolFailure as compareTexts
 */
export async function compareToJson(
  { a, b }: { a: Bytes | string; b: Bytes | string },
  options: CompareOptions,
): Promise<WrittenComparison> {
  const texts = { a: textOf(a), b: textOf(b) };
  const comparison = await compareTexts(texts, options);
  if ("patch" in comparison) {
    const { patch, ...about } = comparison;
    return { ...about, key: "patch", json: utf8(JSON.stringify(patch)) };
  }
  if ("spans" in comparison) {
    const { spans, ...about } = comparison;
    return { ...about, key: "spans", json: writeList(spans) };
  }
  const { rows, ...about } = comparison;
  return { ...about, key: "rows", json: writeList(rows) };
}

function textOf(text: Bytes | string): string {
  return typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
}

/** In pieces, because the JSON of four million rows is longer than a string may be. */
function writeList(list: readonly unknown[]): Bytes {
  const parts: Bytes[] = [];
  for (let at = 0; at < list.length; at += ENTRIES_PER_PIECE) {
    const entries = JSON.stringify(list.slice(at, at + ENTRIES_PER_PIECE)).slice(1, -1);
    parts.push(utf8(`${at === 0 ? "[" : ","}${entries}`));
  }
  return joinBytes([...parts, utf8(list.length === 0 ? "[]" : "]")]);
}
