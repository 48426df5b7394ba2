import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { profileLength } from "../../image/image-info.ts";
import { dropJpegMetadata, isPadding } from "../../image/jpeg-metadata.ts";
import { cutAtEnd } from "../filters/data-end.ts";
import { readImageFacts, rowBytesOf } from "../compress/image-facts.ts";
import { deflate } from "../filters/deflate.ts";
import { decodeStream, ifDecodable, type Step } from "../filters/filters.ts";
import { type Budget, MAX_FILTERS } from "../limits.ts";
import { decodedStream, numbersAt, type Pdf, rawStreamData, resolve, stepsOf } from "../model/document.ts";
import {
  latin1,
  lexerAt,
  skipHexString,
  skipLiteralString,
  skipRegular,
  skipWhitespace,
} from "../syntax/lexer.ts";
import { type Dict, numberOf, type Stream, without } from "../syntax/values.ts";
import type { CleanedDocument } from "./cleaned-document.ts";
import { withoutJbig2Comments, withoutJpxMetadata } from "./images.ts";
import type { ObjectType } from "./object-types.ts";

/** Filters whose data is a file, with what cameras and programs have written into it. */
const FILES: Readonly<Record<string, (image: Bytes) => Bytes>> = {
  DCTDecode: dropJpegMetadata,
  DCT: dropJpegMetadata,
  JPXDecode: withoutJpxMetadata,
  JBIG2Decode: withoutJbig2Comments,
};

/**
 * A stream without the bytes that no reader of its data looks at; nothing that is drawn changes. `rest` is what follows
 * the end of its data, where that is known.
 */
export function cleanStreamData(
  { pdf, found }: CleanedDocument,
  { stream, rest }: { stream: Stream; rest?: Uint8Array | undefined },
  type: ObjectType,
): Stream {
  const isUsedUp = rest && isPadding(rest) && mostBytes(pdf, stream, type) === undefined;
  const cleaned = cleanDecoded(pdf, stream, type) ?? (isUsedUp ? undefined : cleanStored(pdf, stream, type));
  if (!cleaned) return stream;
  found.add("metadata");
  return { ...cleaned, decryptor: undefined };
}

function cleanStored(pdf: Pdf, stream: Stream, type: ObjectType): Stream | undefined {
  const cleaned = cleanFiltered(stepsOf(pdf, stream), {
    stored: () => rawStreamData(stream),
    budget: pdf.budget,
    most: () => mostBytes(pdf, stream, type),
  });
  return cleaned && { ...stream, dict: withFilters(stream.dict, cleaned.filters, LONG), data: cleaned.data };
}

/** Data without metadata, and the filters that it still has; undefined where nothing changes. */
export function cleanFiltered(
  steps: readonly Step[],
  { stored, budget, most }: { stored: () => Bytes; budget: Budget; most?: () => number | undefined },
): { data: Bytes; filters: readonly Step[] } | undefined {
  if (steps.length === 0) {
    const length = most?.();
    const data = length === undefined ? undefined : stored();
    return data && !isPadding(data.subarray(length))
      ? { data: data.slice(0, length), filters: [] }
      : undefined;
  }
  let cleaned: { data: Bytes; filters: readonly Step[] } | undefined;
  let data: Bytes | undefined = stored();
  for (const [i, step] of steps.slice(0, MAX_FILTERS).entries()) {
    const isLast = i + 1 === steps.length;
    const file = Object.hasOwn(FILES, step.name) ? FILES[step.name] : undefined;
    const own: { data: Bytes; isAgain: boolean } = file
      ? { data: file(data), isAgain: false }
      : cutAtEnd(data, step, { budget, most: isLast ? most?.() : undefined });
    const kept = own.isAgain ? { ...step, name: "FlateDecode" } : step;
    if (own.data !== data) cleaned = { data: own.data, filters: [kept, ...steps.slice(i + 1)] };
    if (isLast) break;
    // The decoded bytes have a buffer of their own, or are the stored ones.
    data = ifDecodable(() => decodeStream(own.data, [step], budget).bytes as Bytes);
    if (!data) break;
  }
  return cleaned;
}

/** How much of the decoded data of an image, or of a function that is a table (7.10.2), is read. */
function mostBytes(pdf: Pdf, stream: Stream, type: ObjectType): number | undefined {
  const { dict } = stream;
  if (type.has("XObject")) {
    const facts = readImageFacts(pdf, stream);
    return facts?.stored === undefined ? undefined : rowBytesOf(facts) * facts.height;
  }
  if (!type.has("Function") || resolve(pdf, dict.get("FunctionType")) !== 0) return undefined;
  const bits = numberOf(resolve(pdf, dict.get("BitsPerSample"))) ?? 0;
  const outputs = numbersAt(pdf, dict.get("Range")).length / 2;
  const samples = numbersAt(pdf, dict.get("Size")).reduce((product, size) => product * size, outputs);
  return samples * bits > 0 ? Math.ceil((samples * bits) / 8) : undefined;
}

const FLATE: Step = { name: "FlateDecode", parameters: undefined };
const LONG = ["Filter", "DecodeParms"] as const;
const SHORT = ["F", "DP"] as const;

/** The dictionary of a stream, or in `SHORT` of an inline image, with these filters in place of its own. */
function withFilters(
  dict: Dict,
  filters: readonly Step[],
  [filterKey, parametersKey]: typeof LONG | typeof SHORT,
): Dict {
  if (filters.length === 0) return dict;
  const [names, parameters] = [
    filters.map(({ name }) => name),
    filters.map((each) => each.parameters ?? null),
  ];
  const [name = null] = names;
  const changed = without(dict, [...LONG, ...(filterKey === "F" ? SHORT : [])]);
  changed.set(filterKey, names.length > 1 ? names : name);
  if (parameters.some((each) => each !== null))
    changed.set(parametersKey, parameters.length > 1 ? parameters : (parameters[0] ?? null));
  return changed;
}

/** Inline images have no length that would have to change. */
export function withInlineFilters(dict: Dict, filters: readonly Step[]): Dict {
  return without(withFilters(dict, filters, SHORT), ["L", "Length"]);
}

/** What of the decoded data of a type no reader looks at. */
function cleanDecoded(pdf: Pdf, stream: Stream, type: ObjectType): Stream | undefined {
  const clean = findCleaner(pdf, stream, type);
  const decoded = clean && ifDecodable(() => decodedStream(pdf, stream));
  if (!clean || !decoded?.isComplete) return undefined;
  const data = clean(decoded.bytes);
  if (data === decoded.bytes) return undefined;
  const isPacked = stepsOf(pdf, stream).length > 0;
  const dict = withFilters(stream.dict, isPacked ? [FLATE] : [], LONG);
  return { kind: "stream", dict, data: isPacked ? deflate(data) : data };
}

function findCleaner(pdf: Pdf, { dict }: Stream, type: ObjectType): ((data: Bytes) => Bytes) | undefined {
  // A code map and a function of type 4 are PostScript (9.7.5, 7.10.5).
  if (type.has("Encoding")) return withoutComments;
  if (type.has("Function") && resolve(pdf, dict.get("FunctionType")) === 4) return withoutComments;
  if (type.has("Segments")) return withoutJbig2Comments;
  // The palette of an indexed space has no number of components.
  return type.has("ColorSpace") && dict.has("N") ? cutProfile : undefined;
}

const [PERCENT, PARENTHESIS, LESS] = [0x25, 0x28, 0x3c];
const LINE_END = utf8("\n");

function withoutComments(program: Bytes): Bytes {
  if (!program.includes(PERCENT)) return program;
  const lexer = lexerAt(program);
  const kept: Uint8Array[] = [];
  for (let [from, done] = [0, 0]; ; from = lexer.at) {
    const code = skipWhitespace(lexer);
    if (program.subarray(from, lexer.at).includes(PERCENT)) {
      kept.push(program.subarray(done, from), LINE_END);
      done = lexer.at;
    }
    if (code < 0) return kept.length > 0 ? joinBytes([...kept, program.subarray(done)]) : program;
    const isHex = code === LESS && program[lexer.at + 1] !== LESS;
    const start = lexer.at;
    if (code === PARENTHESIS) skipLiteralString(lexer);
    else if (isHex) skipHexString(lexer);
    else skipRegular(lexer);
    if (lexer.at === start) lexer.at += code === LESS ? 2 : 1;
  }
}

/** A color profile up to its end; it has a signature. */
function cutProfile(profile: Bytes): Bytes {
  if (latin1(profile, { from: 36, to: 40 }) !== "acsp") return profile;
  const length = profileLength(profile);
  return isPadding(profile.subarray(length)) ? profile : profile.slice(0, length);
}
