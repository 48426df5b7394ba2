import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { forEachOperation, type Operation, packContent, writeOperands } from "../content/operations.ts";
import { joinContents } from "../content/read.ts";
import { filterSteps, ifDecodable } from "../filters/filters.ts";
import {
  addObject,
  arrayAt,
  decodedStream,
  numberBehind,
  type Pdf,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { pageDict, type PdfPage } from "../model/pages.ts";
import {
  without,
  type Dict,
  isDict,
  isStream,
  keepOnly,
  type Ref,
  type Stream,
  type Value,
} from "../syntax/values.ts";
import { isWhitespace, lexerAt, skipWhitespace, takeKeyword } from "../syntax/lexer.ts";
import { parseValue } from "../syntax/parse.ts";
import type { CleanedDocument } from "./cleaned-document.ts";
import { cleanFiltered, withInlineFilters } from "./stream-data.ts";

/**
 * Standard entries of property lists (ISO 32000-2, 14.6.2) and inline images (table 91); all others are a program's
 * own.
 */
const PROPERTIES =
  "MCID Lang ActualText Alt E Type Subtype BBox Attached TagSuspect Phoneme PhoneticAlphabet".split(" ");
const IMAGE =
  "BPC BitsPerComponent CS ColorSpace D Decode DP DecodeParms F Filter H Height IM ImageMask I Interpolate Intent L Length W Width".split(
    " ",
  );

/** A stream of content; where it is unchanged, also what follows the end of its data, if that is known. */
interface CleanedContent {
  readonly stream: Stream;
  readonly rest?: Uint8Array | undefined;
}

/**
 * Content without comments, and without metadata in its property lists and inline images; the same stream if it has none
 * of these. `onOpen` is called for metadata whose operator is in the next stream of the page.
 */
export function cleanContent(pdf: Pdf, stream: Stream, onOpen: () => void): CleanedContent {
  // Content that this engine cannot decode stays.
  const decoded = ifDecodable(() => decodedStream(pdf, stream));
  if (!decoded || !mayHaveMetadata(decoded.bytes)) return { stream, rest: decoded?.rest };
  const { bytes: content, rest } = decoded;
  const pieces: Uint8Array[] = [];
  let [done, last, percent] = [0, 0, content.indexOf(PERCENT)];
  const hasPercent = (from: number, to: number) => {
    if (percent >= 0 && percent < from) percent = content.indexOf(PERCENT, from);
    return percent >= 0 && percent < to;
  };
  // Between operations there is nothing but white space and comments.
  const dropComments = (to: number) => {
    if (!hasPercent(last, to)) return;
    pieces.push(content.subarray(done, last), LINE_END);
    done = to;
  };
  forEachOperation(content, (operation) => {
    const { from, to } = operation;
    dropComments(from);
    last = to;
    const cleaned = cleanOperation(pdf, content, operation);
    const changed = cleaned ?? (hasPercent(from, to) ? withoutComments(content, operation) : undefined);
    if (!changed) return;
    pieces.push(content.subarray(done, operation.from), changed);
    done = operation.to;
  });
  const end = lexerAt(content, { at: last });
  if (skipWhitespace(end) >= 0 && mayHaveMetadata(content.subarray(end.at))) onOpen();
  dropComments(end.at);
  if (pieces.length === 0) return { stream, rest };
  const data = joinBytes([...pieces, content.subarray(done)]);
  const packed = packContent(data, without(stream.dict, ["Filter", "DecodeParms"]));
  return { stream: { ...packed, decryptor: undefined } };
}

/** Cleans the contents of pages as one stream where metadata begins in one of these and ends in the next (7.8.2). */
export function cleanOpenContents(
  { pdf, found }: CleanedDocument,
  pages: readonly PdfPage[],
  open: ReadonlySet<number>,
): void {
  /** By the numbers of the streams: pages may share them. */
  const joined = new Map<string, Ref | undefined>();
  for (const page of open.size > 0 ? pages : []) {
    const dict = pageDict(pdf, page);
    const contents = arrayAt(pdf, dict.get("Contents")) ?? [];
    const nums = contents.map((each) => numberBehind(pdf, each) ?? -1);
    if (!nums.some((num) => open.has(num))) continue;
    const key = nums.join();
    const cleaned = joined.has(key) ? joined.get(key) : cleanJoined(pdf, contents);
    joined.set(key, cleaned);
    if (!cleaned) continue;
    found.add("metadata");
    replaceObject(pdf, page.num, new Map([...dict, ["Contents", cleaned]]));
  }
}

function cleanJoined(pdf: Pdf, contents: readonly Value[]): Ref | undefined {
  const streams = contents.map((each) => resolve(pdf, each)).filter(isStream);
  const read = ifDecodable(() => joinContents(streams.map((each) => decodedStream(pdf, each).bytes)));
  if (!read) return undefined;
  const joined: Stream = { kind: "stream", dict: new Map(), data: read };
  const { stream: cleaned } = cleanContent(pdf, joined, () => undefined);
  return cleaned === joined ? undefined : addObject(pdf, cleaned);
}

const [LESS, LETTER_B, LETTER_I, PERCENT] = [0x3c, 0x42, 0x49, 0x25];
const LINE_END = utf8("\n");

/** A quick check without reading everything, because hardly any content has metadata. */
function mayHaveMetadata(content: Bytes): boolean {
  if (content.includes(PERCENT)) return true;
  for (let at = content.indexOf(LETTER_B); at >= 0; at = content.indexOf(LETTER_B, at + 1))
    if (content[at + 1] === LETTER_I && !isLetter(content[at + 2])) return true;
  for (let at = content.indexOf(LESS); at >= 0; at = content.indexOf(LESS, at + 1)) {
    if (content[at + 1] !== LESS) continue;
    const lexer = lexerAt(content, { at });
    const dict = parseValue(lexer);
    if (!isDict(dict) || lexer.garbage > 0 || hasOthers(dict, PROPERTIES)) return true;
    at++;
  }
  return false;
}

function isLetter(code = 0): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

function hasOthers(dict: Dict, known: readonly string[]): boolean {
  for (const key of dict.keys()) if (!known.includes(key)) return true;
  return false;
}

/** The operation with cleaned operands; undefined where nothing changes. */
function cleanOperation(pdf: Pdf, content: Bytes, operation: Operation): Uint8Array | undefined {
  const { operator, from, to } = operation;
  if (operator === "BI") return cleanInlineImage(pdf, content.subarray(from, to));
  if (operator !== "BDC" && operator !== "DP") return undefined;
  const lexer = lexerAt(content, { at: from, end: to });
  const first = parseValue(lexer) ?? null;
  // The tag may be in the stream before.
  const [tag, properties] = isDict(first) ? [[], first] : [[first], parseValue(lexer)];
  if (!isDict(properties) || !hasOthers(properties, PROPERTIES)) return undefined;
  return joinBytes([writeOperands(pdf, [...tag, keepOnly(properties, PROPERTIES)]), utf8(operator)]);
}

/** An operation without the comments between its operands; undefined where there are none. */
function withoutComments(content: Bytes, { operator, from, to, strings }: Operation): Uint8Array | undefined {
  if (operator === "BI") return undefined;
  const pieces: Uint8Array[] = [];
  let [done, next] = [from, 0];
  for (let at = content.indexOf(PERCENT, from); at >= 0 && at < to; at = content.indexOf(PERCENT, at)) {
    while ((strings[next]?.to ?? to) <= at) next++;
    const string = strings[next];
    // In a string it is a character.
    if (string && string.from <= at) {
      at = string.to;
      continue;
    }
    pieces.push(content.subarray(done, at));
    while (at < to && content[at] !== 0x0a && content[at] !== 0x0d) at++;
    done = at;
  }
  return pieces.length > 0 ? joinBytes([...pieces, content.subarray(done, to)]) : undefined;
}

/** An inline image from BI to EI (8.9.7). */
function cleanInlineImage(pdf: Pdf, image: Bytes): Uint8Array | undefined {
  const lexer = lexerAt(image, { at: 2 });
  const dict: Dict = new Map();
  while (skipWhitespace(lexer) >= 0 && !takeKeyword(lexer, "ID")) {
    const [key, value] = [parseValue(lexer), parseValue(lexer)];
    if (value === undefined) return undefined;
    if (typeof key === "string") dict.set(key, value);
  }
  const end = image.length - 2 - (isWhitespace(image.at(-3)) ? 1 : 0);
  const data = image.slice(Math.min(lexer.at + 1, end), end);
  const steps = filterSteps(dict, (value) => value);
  const cleaned = cleanFiltered(steps, { stored: () => data, budget: pdf.budget });
  const hasComment = image.subarray(0, lexer.at).includes(PERCENT);
  if (!cleaned && !hasComment && !hasOthers(dict, IMAGE)) return undefined;
  const known = keepOnly(dict, IMAGE);
  const kept = cleaned ? withInlineFilters(known, cleaned.filters) : known;
  const operands = [...kept].flatMap(([key, value]): Value[] => [key, value]);
  return joinBytes([
    utf8("BI "),
    writeOperands(pdf, operands),
    utf8("ID "),
    cleaned?.data ?? data,
    utf8("\nEI"),
  ]);
}
