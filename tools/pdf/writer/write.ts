import { zlibSync } from "fflate";
import { ByteParts } from "../../../wire/byte-pieces.ts";
import { changedObject, objectExists, getObject, type Pdf, sourceOf } from "../model/document.ts";
import type { OnProgress } from "../../file/progress.ts";
import { type Lexer, lexerAt } from "../syntax/lexer.ts";
import { spend } from "../limits.ts";
import { loadObjectStream } from "../reader/object-stream.ts";
import { readObjectHeader } from "../syntax/parse.ts";
import { writeValue, type Renumber } from "./serialize.ts";
import {
  writtenBytes,
  createByteWriter,
  writtenParts,
  writeBytes,
  writeText,
  type ByteWriter,
  bytesWritten,
} from "./byte-writer.ts";
import type { PdfSource } from "../reader/source.ts";
import { withoutCrypt } from "../security/decryptor.ts";
import type { Encryptor } from "../security/encryption.ts";
import { MOST_DIGITS, writeRawObject, scanRawObject } from "./raw-object.ts";
import {
  type Dict,
  isDict,
  isRef,
  isStream,
  makeDict,
  pushAll,
  isReal,
  type Ref,
  type Stream,
  type Value,
} from "../syntax/values.ts";
import { type ObjectLocation, writeXrefTable, writeXrefStream } from "./xref.ts";

/** How many objects are written between two reports of progress. A scanned page has two or three objects. */
const OBJECTS_PER_STEP = 16;
/** Objects per object stream. A reader must inflate all of it to read one of them. */
const OBJECTS_PER_STREAM = 200;

export interface Layout {
  readonly trailer: Dict;
  /** For example "1.7". */
  readonly version: string;
  /** Whether to write objects into object streams (PDF 1.5). */
  readonly useObjectStreams: boolean;
  /** Requires object streams: then only strings in the dictionaries of streams are encrypted one by one. */
  readonly encryptor?: Encryptor | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface PdfOutput {
  readonly pdf: Pdf;
  output: ByteWriter;
  readonly useObjectStreams: boolean;
  readonly encryptor: Encryptor | undefined;
  /** New numbers by old ones, in the order the objects are written. */
  readonly numbers: Map<number, number>;
  readonly renumber: Renumber;
  /** By new number: where the object was written. */
  readonly locations: ObjectLocation[];
  objectStream: OpenObjectStream;
}

interface OpenObjectStream {
  readonly nums: number[];
  readonly starts: number[];
  readonly body: ByteWriter;
}

/**
 * Writes only what the trailer leads to, renumbered from 1 in the order of discovery.
 * @throws ToolFailure result_too_large, and NeedsRepair if the file contradicts its cross-reference
 */
export async function writePdf(pdf: Pdf, layout: Layout): Promise<ByteParts> {
  const { trailer, version, useObjectStreams, encryptor, onProgress } = layout;
  const output = createByteWriter(pdf.budget.written);
  const pdfOutput = startWriting(pdf, { output, useObjectStreams, encryptor });
  writeText(output, `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  writeValue(createByteWriter(pdf.budget.read), { value: trailer, renumber: pdfOutput.renumber });
  const total = onProgress ? countObjects(pdf) : 0;
  let written = 0;
  // Objects that others refer to are added during the loop.
  for (const [old, num] of pdfOutput.numbers) {
    const later = writeObject(pdfOutput, old, num);
    if (later) await later;
    if (onProgress && written % OBJECTS_PER_STEP === 0) onProgress(Math.min(1, written / total));
    written++;
  }
  finishObjectStream(pdfOutput);
  const finish = useObjectStreams ? writeXrefStream : writeXrefTable;
  finish(output, { locations: pdfOutput.locations, trailer, renumber: pdfOutput.renumber });
  return writtenParts(output);
}

/** The approximate number of objects to write: few are unused or new. */
function countObjects({ sources, isRemoved }: Pdf): number {
  let count = 1;
  for (const { entries, firstNum } of sources) {
    for (const [num, { offset }] of entries) if (offset >= 0 && !isRemoved?.(num + firstNum)) count++;
  }
  return count;
}

export function startWriting(
  pdf: Pdf,
  layout: Pick<PdfOutput, "output" | "useObjectStreams" | "encryptor">,
): PdfOutput {
  const numbers = new Map<number, number>();
  const locations: ObjectLocation[] = [{ offset: 0, streamNum: 0 }];
  const renumber = (ref: Ref): number => {
    const known = numbers.get(ref.num);
    if (known !== undefined) return known;
    // The object was replaced with a reference: the object referred to takes its place.
    const stead = changedObject(pdf, ref.num);
    if (isRef(stead)) return renumber(stead);
    if (!objectExists(pdf, ref)) return 0;
    numbers.set(ref.num, locations.length);
    return locations.push({ offset: 0, streamNum: 0 }) - 1;
  };
  return {
    ...layout,
    pdf,
    numbers,
    renumber,
    locations,
    objectStream: startObjectStream(pdf),
  };
}

function startObjectStream(pdf: Pdf): OpenObjectStream {
  return { nums: [], starts: [], body: createByteWriter(pdf.budget.read) };
}

export function writeObject(pdfOutput: PdfOutput, old: number, num: number): Promise<void> | undefined {
  if (copyRawObject(pdfOutput, old, num)) return undefined;
  const value = getObject(pdfOutput.pdf, old);
  if (isStream(value)) return writeStreamObject(pdfOutput, num, value);
  const write = (output: ByteWriter) => writeValue(output, { value, renumber: pdfOutput.renumber });
  // The encryption dictionary is in no object stream (7.5.7); programs misread integers over 64 bits in one.
  if (value === pdfOutput.encryptor?.dict || hasLongInteger(value)) writeUncompressed(pdfOutput, num, write);
  else writeNonStream(pdfOutput, num, write);
  return undefined;
}

function hasLongInteger(value: Value): boolean {
  const waiting = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (isDict(each)) pushAll(waiting, each.values());
    else if (Array.isArray(each)) pushAll(waiting, each);
    else if (isReal(each) && /^[+-]?[0-9]+$/.test(each.text) && each.text.length > MOST_DIGITS) return true;
  }
  return false;
}

function writeStreamObject(pdfOutput: PdfOutput, num: number, stream: Stream): Promise<void> | undefined {
  const { decryptor } = stream;
  if (decryptor) {
    return decryptor
      .decryptAsync(stream.data)
      .then((data) => writeStreamObject(pdfOutput, num, { ...stream, data, decryptor: undefined }));
  }
  const encrypting = pdfOutput.encryptor?.encryptStreamAsync(stream.data);
  return encrypting
    ? encrypting.then((data) => writeStoredStream(pdfOutput, { num, stream, data }))
    : void writeStream(pdfOutput, num, stream);
}

/** Copies the bytes of an object, if it can be copied without parsing. */
function copyRawObject(pdfOutput: PdfOutput, old: number, num: number): boolean {
  const raw = findRawObject(pdfOutput.pdf, old);
  if (raw) writeNonStream(pdfOutput, num, (output) => writeRawObject(output, raw, pdfOutput.renumber));
  return raw !== undefined;
}

/** An unchanged object as it stands in its file; undefined if it must be parsed, as every stream must. */
export function findRawObject(pdf: Pdf, num: number): ReturnType<typeof scanRawObject> {
  if (changedObject(pdf, num) !== undefined) return undefined;
  const source = sourceOf(pdf, num);
  const lexer = lexerFor(source, num);
  const raw = lexer && scanRawObject(lexer, source.firstNum);
  if (raw) spend(pdf.budget.read, raw.to - raw.from);
  return raw;
}

function lexerFor(source: PdfSource, old: number): Lexer | undefined {
  const own = old - source.firstNum;
  const entry = source.entries.get(own);
  if (!entry) return undefined;
  if (entry.streamNum > 0) {
    const objectStream = loadObjectStream(source, entry.streamNum);
    const at = objectStream?.offsets.get(own);
    return objectStream && at !== undefined ? lexerAt(objectStream.bytes, { at }) : undefined;
  }
  const lexer = lexerAt(source.bytes, { at: entry.offset });
  return !source.decryptor && readObjectHeader(lexer)?.num === own ? lexer : undefined;
}

function writeNonStream(pdfOutput: PdfOutput, num: number, write: (output: ByteWriter) => void): void {
  if (pdfOutput.useObjectStreams) writeCompressed(pdfOutput, num, write);
  else writeUncompressed(pdfOutput, num, write);
}

function writeUncompressed(pdfOutput: PdfOutput, num: number, write: (output: ByteWriter) => void): void {
  pdfOutput.locations[num] = { offset: bytesWritten(pdfOutput.output), streamNum: 0 };
  writeText(pdfOutput.output, `${num} 0 obj\n`);
  write(pdfOutput.output);
  writeText(pdfOutput.output, "\nendobj\n");
}

function writeCompressed(pdfOutput: PdfOutput, num: number, write: (output: ByteWriter) => void): void {
  const { objectStream } = pdfOutput;
  objectStream.nums.push(num);
  objectStream.starts.push(bytesWritten(objectStream.body));
  write(objectStream.body);
  writeText(objectStream.body, "\n");
  if (objectStream.nums.length >= OBJECTS_PER_STREAM) finishObjectStream(pdfOutput);
}

function finishObjectStream(pdfOutput: PdfOutput): void {
  const { nums, starts, body } = pdfOutput.objectStream;
  if (nums.length === 0) return;
  const streamNum = pdfOutput.locations.push({ offset: 0, streamNum: 0 }) - 1;
  nums.forEach((num, at) => (pdfOutput.locations[num] = { offset: at, streamNum }));
  const head = nums.map((num, i) => `${num} ${starts[i]}`).join(" ") + "\n";
  const content = createByteWriter(pdfOutput.pdf.budget.read);
  writeText(content, head);
  writeBytes(content, writtenBytes(body));
  // Three times as slow as the runtime's own, but a page makes the same bytes.
  const data = zlibSync(writtenBytes(content), { level: 6 });
  const about = { Type: "ObjStm", N: nums.length, First: head.length, Filter: "FlateDecode" };
  pdfOutput.objectStream = startObjectStream(pdfOutput.pdf);
  writeStream(pdfOutput, streamNum, { kind: "stream", dict: makeDict(about), data });
}

function writeStream(pdfOutput: PdfOutput, num: number, stream: Stream): void {
  const { encryptor } = pdfOutput;
  const data = encryptor ? encryptor.encryptStream(stream.data) : new ByteParts([stream.data]);
  writeStoredStream(pdfOutput, { num, stream, data });
}

/** Writes a stream whose data is already encoded. */
function writeStoredStream(
  { output, locations, encryptor, renumber }: PdfOutput,
  { num, stream, data }: { num: number; stream: Stream; data: ByteParts },
): void {
  locations[num] = { offset: bytesWritten(output), streamNum: 0 };
  // A crypt filter of its own, such as Identity, would claim another encryption of the data.
  const entries = encryptor ? withoutCrypt(stream.dict) : stream.dict;
  const dict = new Map([...entries, ["Length", data.length] as const]);
  writeText(output, `${num} 0 obj\n`);
  writeValue(output, { value: dict, renumber, encryptString: encryptor?.encryptString });
  writeText(output, "\nstream\n");
  for (const part of data.parts) writeBytes(output, part);
  writeText(output, "\nendstream\nendobj\n");
}
