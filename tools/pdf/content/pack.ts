import type { Bytes } from "../../../wire/bytes.ts";
import { deflate } from "../filters/deflate.ts";
import type { Pdf } from "../model/document.ts";
import type { Dict, Stream, Value } from "../syntax/values.ts";
import { createByteWriter, writeText, writtenBytes } from "../writer/byte-writer.ts";
import { writeValue } from "../writer/serialize.ts";

/** Shorter content is about as long packed, and tens of thousands of packings hold much memory. */
const LEAST_PACKED = 8 * 1024;

/** A stream of content with other entries. */
export function packContent(content: Bytes, entries: Dict): Stream {
  if (content.length < LEAST_PACKED) return { kind: "stream", dict: entries, data: content };
  const dict: Dict = new Map<string, Value>([...entries, ["Filter", "FlateDecode"]]);
  return { kind: "stream", dict, data: deflate(content) };
}

/** Operands as content has them, each with a space behind it. */
export function writeOperands(pdf: Pdf, operands: readonly Value[]): Uint8Array {
  const output = createByteWriter(pdf.budget.read);
  for (const value of operands) {
    writeValue(output, { value, renumber: () => 0 });
    writeText(output, " ");
  }
  return writtenBytes(output);
}
