import type { DecodedStream } from "../filters/flate.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { readUnsigned, lexerAt, skipWhitespace } from "../syntax/lexer.ts";
import { MAX_OBJECTS, tooComplex } from "../limits.ts";
import { readObjectAt, type ObjectStream, type PdfSource } from "./source.ts";
import { unsignedOf, isRef, isStream, type Stream } from "../syntax/values.ts";

/** Reads the object stream with the number `num` in its file (ISO 32000-1, 7.5.7); undefined if there is none. */
export function loadObjectStream(source: PdfSource, num: number): ObjectStream | undefined {
  const known = source.objectStreams.get(num);
  if (known) return known;
  const entry = source.entries.get(num);
  if (!entry || entry.offset < 0 || entry.streamNum > 0) return undefined;
  const found = readObjectAt(source, entry.offset);
  if (found?.num !== num || !isStream(found.value)) return undefined;
  const decryptor = source.decryptor?.streamDecryptor(found.value.dict, found);
  const stream = decryptor ? { ...found.value, data: decryptor.decrypt(found.value.data) } : found.value;
  const objectStream = decodeObjectStream(source, stream);
  source.objectStreams.set(num, objectStream);
  return objectStream;
}

/** If an object stream cannot be decoded, its objects are lost and not the whole document. */
function decodeObjectStream(source: PdfSource, stream: Stream): ObjectStream {
  try {
    const { bytes, isComplete } = decodeFileStream(source, stream);
    if (!isComplete) source.repairs.hasLostObjects = true;
    return { bytes, offsets: readOffsets(bytes, stream) };
  } catch (error) {
    if (!(error instanceof ToolFailure) || error.code !== "unsupported_feature") throw error;
    source.repairs.hasLostObjects = true;
    return { bytes: new Uint8Array(0), offsets: new Map() };
  }
}

/** Decodes a cross-reference stream or object stream; references in its dictionary are ignored. */
export function decodeFileStream({ budget }: PdfSource, { dict, data }: Stream): DecodedStream {
  return decodeStream(
    data,
    filterSteps(dict, (value) => (isRef(value) ? undefined : value)),
    budget,
  );
}

function readOffsets(bytes: Uint8Array, { dict }: Stream): Map<number, number> {
  const first = unsignedOf(dict.get("First")) ?? 0;
  const count = unsignedOf(dict.get("N")) ?? 0;
  const lexer = lexerAt(bytes, { end: Math.min(first, bytes.length) });
  const offsets = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    skipWhitespace(lexer);
    const num = readUnsigned(lexer);
    skipWhitespace(lexer);
    const at = readUnsigned(lexer);
    if (num === undefined || at === undefined) break;
    if (offsets.size >= MAX_OBJECTS)
      throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
    if (first + at < bytes.length) offsets.set(num, first + at);
  }
  return offsets;
}
