import { zlibSync } from "fflate";
import type { ByteParts } from "../../../wire/byte-parts.ts";
import { exists, load, type Pdf, sourceOf } from "../model/document.ts";
import { type Reader, readerOf } from "../syntax/lexer.ts";
import { spend } from "../limits.ts";
import { openPack } from "../reader/object-stream.ts";
import { readHeader } from "../syntax/parse.ts";
import { putValue, type Renumber } from "./serialize.ts";
import { gather, openSink, piecesOf, putBytes, putText, type Sink, sizeOf } from "./sink.ts";
import type { Source } from "../reader/source.ts";
import { putWritten, scanObject } from "./raw-object.ts";
import { type Dict, isRef, isStream, type Ref, type Stream, type Value } from "../syntax/values.ts";
import { type Place, putTable, putXrefStream } from "./xref.ts";

/** Objects per object stream, as many as fit a reader's patience: one must be inflated whole for each. */
const PACKED = 200;

export interface Layout {
  readonly trailer: Dict;
  /** For example "1.7". */
  readonly version: string;
  /** Whether to put objects into object streams (PDF 1.5). */
  readonly isCompact: boolean;
}

interface Job {
  readonly pdf: Pdf;
  readonly sink: Sink;
  readonly isCompact: boolean;
  readonly numbers: Map<number, number>;
  readonly queue: number[];
  readonly renumber: Renumber;
  /** By new number: the place in the file, or for packed objects the stream and the index in it. */
  readonly places: Place[];
  pack: OpenPack;
}

interface OpenPack {
  readonly nums: number[];
  readonly starts: number[];
  readonly body: Sink;
}

/**
 * Writes what the trailer leads to, and nothing else, numbered anew from 1 in the order it is met.
 * @throws ToolFailure result_too_large, and NeedsRepair where the file is not what it says
 */
export async function writePdf(pdf: Pdf, { trailer, version, isCompact }: Layout): Promise<ByteParts> {
  const sink = openSink(pdf.budget.written);
  const job = openJob(pdf, { sink, isCompact });
  putText(sink, `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`);
  putValue(openSink(pdf.budget.read), { value: trailer, renumber: job.renumber });
  for (let i = 0; i < job.queue.length; i++) {
    const later = putObject(job, job.queue[i]!);
    if (later) await later;
  }
  closePack(job);
  const finish = isCompact ? putXrefStream : putTable;
  finish(sink, { places: job.places, trailer, renumber: job.renumber });
  return piecesOf(sink);
}

function openJob(pdf: Pdf, { sink, isCompact }: { sink: Sink; isCompact: boolean }): Job {
  const numbers = new Map<number, number>();
  const queue: number[] = [];
  const places: Place[] = [{ at: 0, holder: 0 }];
  const renumber = (ref: Ref): number => {
    const known = numbers.get(ref.num);
    if (known !== undefined) return known;
    // An object changed into a reference is one that another has taken the place of.
    const stead = pdf.changed.get(ref.num);
    if (isRef(stead)) return renumber(stead);
    if (!exists(pdf, ref)) return 0;
    numbers.set(ref.num, places.length);
    queue.push(ref.num);
    return places.push({ at: 0, holder: 0 }) - 1;
  };
  return { pdf, sink, isCompact, numbers, queue, renumber, places, pack: emptyPack(pdf) };
}

function emptyPack(pdf: Pdf): OpenPack {
  return { nums: [], starts: [], body: openSink(pdf.budget.read) };
}

function putObject(job: Job, old: number): Promise<void> | undefined {
  const num = job.numbers.get(old)!;
  if (copyObject(job, { old, num })) return undefined;
  const value = job.pdf.changed.has(old) ? job.pdf.changed.get(old)! : load(job.pdf, old);
  if (!isStream(value)) {
    putPlain(job, { num, put: (sink) => putValue(sink, { value, renumber: job.renumber }) });
    return undefined;
  }
  if (!value.unseal) return void putStream(job, { num, stream: value, data: value.data });
  return value.unseal.later(value.data).then((data) => putStream(job, { num, stream: value, data }));
}

/** Takes an object over as it is written in its file, where that is possible. */
function copyObject(job: Job, { old, num }: { old: number; num: number }): boolean {
  const { pdf, renumber } = job;
  if (pdf.changed.has(old)) return false;
  const source = sourceOf(pdf, old);
  const reader = readerFor(source, old);
  const written = reader && scanObject(reader, source.base);
  if (!written) return false;
  spend(pdf.budget.read, written.to - written.from);
  putPlain(job, { num, put: (sink) => putWritten(sink, { written, renumber }) });
  return true;
}

function readerFor(source: Source, old: number): Reader | undefined {
  const own = old - source.base;
  const entry = source.entries.get(own);
  if (!entry) return undefined;
  if (entry.holder > 0) {
    const pack = openPack(source, entry.holder);
    const at = pack?.places.get(own);
    return pack && at !== undefined ? readerOf(pack.bytes, { at }) : undefined;
  }
  const reader = readerOf(source.bytes, { at: entry.at });
  return !source.guard && readHeader(reader)?.num === own ? reader : undefined;
}

interface Plain {
  readonly num: number;
  readonly put: (sink: Sink) => void;
}

function putPlain(job: Job, { num, put }: Plain): void {
  if (job.isCompact) return putPacked(job, { num, put });
  job.places[num] = { at: sizeOf(job.sink), holder: 0 };
  putText(job.sink, `${num} 0 obj\n`);
  put(job.sink);
  putText(job.sink, "\nendobj\n");
}

function putPacked(job: Job, { num, put }: Plain): void {
  const { pack } = job;
  pack.nums.push(num);
  pack.starts.push(sizeOf(pack.body));
  put(pack.body);
  putText(pack.body, "\n");
  if (pack.nums.length >= PACKED) closePack(job);
}

function closePack(job: Job): void {
  const { nums, starts, body } = job.pack;
  if (nums.length === 0) return;
  const holder = job.places.push({ at: 0, holder: 0 }) - 1;
  nums.forEach((num, at) => (job.places[num] = { at, holder }));
  const head = nums.map((num, i) => `${num} ${starts[i]}`).join(" ") + "\n";
  const whole = openSink(job.pdf.budget.read);
  putText(whole, head);
  putBytes(whole, gather(body));
  const data = zlibSync(gather(whole), { level: 6 });
  const dict: Dict = new Map<string, Value>([
    ["Type", "ObjStm"],
    ["N", nums.length],
    ["First", head.length],
    ["Filter", "FlateDecode"],
  ]);
  job.pack = emptyPack(job.pdf);
  putStream(job, { num: holder, stream: { kind: "stream", dict, data }, data });
}

function putStream(job: Job, { num, stream, data }: { num: number; stream: Stream; data: Uint8Array }): void {
  const { sink, renumber } = job;
  job.places[num] = { at: sizeOf(sink), holder: 0 };
  putText(sink, `${num} 0 obj\n`);
  putValue(sink, { value: new Map([...stream.dict, ["Length", data.length]]), renumber });
  putText(sink, "\nstream\n");
  putBytes(sink, data);
  putText(sink, "\nendstream\nendobj\n");
}
