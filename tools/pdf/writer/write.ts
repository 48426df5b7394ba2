import { zlibSync } from "fflate";
import type { ByteParts } from "../../../wire/byte-parts.ts";
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
import type { Source } from "../reader/source.ts";
import { writeRawObject, scanRawObject } from "./raw-object.ts";
import { type Dict, isRef, isStream, type Ref, type Stream, type Value } from "../syntax/values.ts";
import { type ObjectLocation, writeXrefTable, writeXrefStream } from "./xref.ts";

/** From one report of the progress to the next. A scanned page is two or three objects. */
const OBJECTS_PER_STEP = 16;
/** Objects per object stream. A reader must inflate all of it to get one of them. */
const OBJECTS_PER_STREAM = 200;

export interface Layout {
  readonly trailer: Dict;
  /** For example "1.7". */
  readonly version: string;
  /** Whether to write objects into object streams (PDF 1.5). */
  readonly useObjectStreams: boolean;
  readonly onProgress?: OnProgress | undefined;
}

interface Writing {
  readonly pdf: Pdf;
  readonly output: ByteWriter;
  readonly useObjectStreams: boolean;
  readonly numbers: Map<number, number>;
  readonly queue: number[];
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
 * Writes what the trailer leads to, and nothing else, numbered anew from 1 in the order it is met.
 * @throws ToolFailure result_too_large, and NeedsRepair where the file is not what it says
 */
export async function writePdf(pdf: Pdf, layout: Layout): Promise<ByteParts> {
  const { trailer, version, useObjectStreams, onProgress } = layout;
  const output = createByteWriter(pdf.budget.written);
  const writing = startWriting(pdf, { output, useObjectStreams });
  writeText(output, `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  writeValue(createByteWriter(pdf.budget.read), { value: trailer, renumber: writing.renumber });
  const total = onProgress ? countObjects(pdf) : 0;
  for (let i = 0; i < writing.queue.length; i++) {
    const later = writeObject(writing, writing.queue[i]!);
    if (later) await later;
    if (onProgress && i % OBJECTS_PER_STEP === 0) onProgress(Math.min(1, i / total));
  }
  finishObjectStream(writing);
  const finish = useObjectStreams ? writeXrefStream : writeXrefTable;
  finish(output, { locations: writing.locations, trailer, renumber: writing.renumber });
  return writtenParts(output);
}

/** About how many objects there are to write: those that no page is without, and new ones, are few. */
function countObjects({ sources, isRemoved }: Pdf): number {
  let count = 1;
  for (const { entries, firstNum } of sources) {
    for (const [num, { offset }] of entries) if (offset >= 0 && !isRemoved?.(num + firstNum)) count++;
  }
  return count;
}

function startWriting(
  pdf: Pdf,
  { output, useObjectStreams }: { output: ByteWriter; useObjectStreams: boolean },
): Writing {
  const numbers = new Map<number, number>();
  const queue: number[] = [];
  const locations: ObjectLocation[] = [{ offset: 0, streamNum: 0 }];
  const renumber = (ref: Ref): number => {
    const known = numbers.get(ref.num);
    if (known !== undefined) return known;
    // An object that was replaced with a reference: the object referred to stands for it.
    const stead = changedObject(pdf, ref.num);
    if (isRef(stead)) return renumber(stead);
    if (!objectExists(pdf, ref)) return 0;
    numbers.set(ref.num, locations.length);
    queue.push(ref.num);
    return locations.push({ offset: 0, streamNum: 0 }) - 1;
  };
  return {
    pdf,
    output,
    useObjectStreams,
    numbers,
    queue,
    renumber,
    locations,
    objectStream: startObjectStream(pdf),
  };
}

function startObjectStream(pdf: Pdf): OpenObjectStream {
  return { nums: [], starts: [], body: createByteWriter(pdf.budget.read) };
}

function writeObject(writing: Writing, old: number): Promise<void> | undefined {
  const num = writing.numbers.get(old)!;
  if (copyRawObject(writing, { old, num })) return undefined;
  const value = getObject(writing.pdf, old);
  if (!isStream(value)) {
    writeNonStream(writing, {
      num,
      write: (output) => writeValue(output, { value, renumber: writing.renumber }),
    });
    return undefined;
  }
  if (!value.decryptor) return void writeStream(writing, { num, stream: value, data: value.data });
  return value.decryptor
    .decryptAsync(value.data)
    .then((data) => writeStream(writing, { num, stream: value, data }));
}

/** Copies the bytes of an object, if it can be copied without parsing. */
function copyRawObject(writing: Writing, { old, num }: { old: number; num: number }): boolean {
  const { pdf, renumber } = writing;
  if (changedObject(pdf, old) !== undefined) return false;
  const source = sourceOf(pdf, old);
  const lexer = lexerFor(source, old);
  const raw = lexer && scanRawObject(lexer, source.firstNum);
  if (!raw) return false;
  spend(pdf.budget.read, raw.to - raw.from);
  writeNonStream(writing, { num, write: (output) => writeRawObject(output, { raw, renumber }) });
  return true;
}

function lexerFor(source: Source, old: number): Lexer | undefined {
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

interface Plain {
  readonly num: number;
  readonly write: (output: ByteWriter) => void;
}

function writeNonStream(writing: Writing, { num, write }: Plain): void {
  if (writing.useObjectStreams) return writeCompressed(writing, { num, write });
  writing.locations[num] = { offset: bytesWritten(writing.output), streamNum: 0 };
  writeText(writing.output, `${num} 0 obj\n`);
  write(writing.output);
  writeText(writing.output, "\nendobj\n");
}

function writeCompressed(writing: Writing, { num, write }: Plain): void {
  const { objectStream } = writing;
  objectStream.nums.push(num);
  objectStream.starts.push(bytesWritten(objectStream.body));
  write(objectStream.body);
  writeText(objectStream.body, "\n");
  if (objectStream.nums.length >= OBJECTS_PER_STREAM) finishObjectStream(writing);
}

function finishObjectStream(writing: Writing): void {
  const { nums, starts, body } = writing.objectStream;
  if (nums.length === 0) return;
  const streamNum = writing.locations.push({ offset: 0, streamNum: 0 }) - 1;
  nums.forEach((num, at) => (writing.locations[num] = { offset: at, streamNum }));
  const head = nums.map((num, i) => `${num} ${starts[i]}`).join(" ") + "\n";
  const content = createByteWriter(writing.pdf.budget.read);
  writeText(content, head);
  writeBytes(content, writtenBytes(body));
  const data = zlibSync(writtenBytes(content), { level: 6 });
  const dict: Dict = new Map<string, Value>([
    ["Type", "ObjStm"],
    ["N", nums.length],
    ["First", head.length],
    ["Filter", "FlateDecode"],
  ]);
  writing.objectStream = startObjectStream(writing.pdf);
  writeStream(writing, { num: streamNum, stream: { kind: "stream", dict, data }, data });
}

function writeStream(
  writing: Writing,
  { num, stream, data }: { num: number; stream: Stream; data: Uint8Array },
): void {
  const { output, renumber } = writing;
  writing.locations[num] = { offset: bytesWritten(output), streamNum: 0 };
  writeText(output, `${num} 0 obj\n`);
  writeValue(output, { value: new Map([...stream.dict, ["Length", data.length]]), renumber });
  writeText(output, "\nstream\n");
  writeBytes(output, data);
  writeText(output, "\nendstream\nendobj\n");
}
