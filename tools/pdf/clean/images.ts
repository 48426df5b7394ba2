import { type Bytes, byteAt, joinBytes } from "../../../wire/bytes.ts";
import { dropJpegMetadata, isPadding } from "../../image/jpeg-metadata.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import type { Budget } from "../limits.ts";
import { rawStreamData, resolve } from "../model/document.ts";
import { without, type Dict, type Stream, type Value } from "../syntax/values.ts";
import type { CleanedDocument } from "./cleaned-document.ts";
import { latin1 } from "../syntax/lexer.ts";

/** Filters whose data is a file, with what cameras and programs have written into it. */
const FILES: Readonly<Record<string, (image: Bytes) => Bytes>> = {
  DCTDecode: dropJpegMetadata,
  DCT: dropJpegMetadata,
  JPXDecode: withoutJpxMetadata,
};

/** An image without the metadata inside it; its pixels do not change by a byte. */
export function cleanImage({ pdf, found }: CleanedDocument, stream: Stream): Stream {
  const find = (value: Value | undefined) => resolve(pdf, value);
  const cleaned = cleanImageData(stream.dict, {
    stored: () => rawStreamData(stream),
    budget: pdf.budget,
    find,
  });
  if (!cleaned) return stream;
  found.add("metadata");
  const { filter, parameters, data } = cleaned;
  const dict = new Map([...without(stream.dict, ["Filter", "DecodeParms"]), ["Filter", filter]]);
  if (parameters) dict.set("DecodeParms", parameters);
  return { ...stream, dict, data, decryptor: undefined };
}

/** The data of an image without metadata, and its one filter; undefined where nothing changes. */
export function cleanImageData(
  dict: Dict,
  { stored, budget, find }: { stored: () => Bytes; budget: Budget; find: Parameters<typeof filterSteps>[1] },
): { filter: string; parameters: Dict | undefined; data: Bytes } | undefined {
  const steps = filterSteps(dict, find);
  const last = steps.at(-1);
  const strip = last && Object.hasOwn(FILES, last.name) ? FILES[last.name] : undefined;
  if (!last || !strip) return undefined;
  const before = steps.slice(0, -1);
  // The decoded bytes have a buffer of their own, or are the stored ones.
  const image = before.length > 0 ? (decodeStream(stored(), before, budget).bytes as Bytes) : stored();
  const data = strip(image);
  return data === image ? undefined : { filter: last.name, parameters: last.parameters, data };
}

/**
 * Boxes of JPEG 2000 that a decoder needs (ISO/IEC 15444-1, annex I, and 15444-2, annex M): signature, kinds, headers
 * and codestream. Others are descriptions, such as XML and UUID boxes, and labels.
 */
const NEEDED = ["jP  ", "ftyp", "rreq", "jp2h", "jpch", "jplh", "jp2c", "ftbl", "mdat"];
/** Boxes inside the headers. */
const NEEDED_IN_HEADERS = ["ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res ", "cgrp", "opct", "creg"];
const HEADERS = ["jp2h", "jpch", "jplh"];
const CODESTREAM = "jp2c";
const SIGNATURE = "jP  ";
const BOX_HEAD = 8;
/** With a length of 64 bits. */
const LONG_BOX_HEAD = 16;

/** A JPEG 2000 file without its describing boxes and comments; the same bytes where it has none, or cannot be read. */
function withoutJpxMetadata(image: Bytes): Bytes {
  if (image[0] === 0xff) return withoutComments(image);
  if (image.length < 12 || latin1(image, { from: 4, to: 8 }) !== SIGNATURE) return image;
  return keepBoxes(image, NEEDED);
}

function keepBoxes(bytes: Bytes, needed: readonly string[]): Bytes {
  const kept: Uint8Array[] = [];
  let hasChanged = false;
  for (const { type, at, head, end } of boxesOf(bytes)) {
    const isKept = needed.includes(type);
    const box = bytes.subarray(at, end);
    const changed = isKept ? changeBox(box, type, head) : undefined;
    if (changed !== box) hasChanged = true;
    if (changed) kept.push(changed);
  }
  return hasChanged ? joinBytes(kept) : bytes;
}

function changeBox(box: Bytes, type: string, head: number): Bytes {
  const content = box.subarray(head);
  const changed =
    type === CODESTREAM
      ? withoutComments(content)
      : HEADERS.includes(type)
        ? keepBoxes(content, NEEDED_IN_HEADERS)
        : content;
  if (changed === content) return box;
  const whole = joinBytes([box.subarray(0, head), changed]);
  // A box that extends to the end has no length, or one of 64 bits.
  if (head === BOX_HEAD && whole.some((code, i) => i < 4 && code !== 0))
    new DataView(whole.buffer).setUint32(0, whole.length);
  if (head === LONG_BOX_HEAD) new DataView(whole.buffer).setBigUint64(BOX_HEAD, BigInt(whole.length));
  return whole;
}

interface Box {
  readonly type: string;
  readonly at: number;
  /** The length of what stands before its content. */
  readonly head: number;
  readonly end: number;
}

/** The boxes one after the other; an incomplete one ends with the bytes, as in decoders. */
function* boxesOf(bytes: Uint8Array): Generator<Box, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + BOX_HEAD <= bytes.length;) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + LONG_BOX_HEAD <= bytes.length;
    const head = isLong ? LONG_BOX_HEAD : BOX_HEAD;
    const length = isLong ? Number(view.getBigUint64(at + BOX_HEAD)) : short;
    const end = length < head ? bytes.length : Math.min(bytes.length, at + length);
    yield { type: latin1(bytes, { from: at + 4, to: at + BOX_HEAD }), at, head, end };
    at = end;
  }
}

const [START_OF_TILE, START_OF_DATA, COMMENT, END] = [0x90, 0x93, 0x64, 0xd9];

/**
 * A codestream up to its end, with spaces in place of its comments (A.9.2), because headers of tiles contain their
 * lengths. After each header its data is skipped by that length.
 */
function withoutComments(stream: Bytes): Bytes {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  let changed = stream;
  let tileEnd = 0;
  for (let at = 2; at + 4 <= stream.length && stream[at] === 0xff;) {
    const marker = byteAt(stream, at + 1);
    if (marker === END) return isPadding(stream.subarray(at + 2)) ? changed : changed.slice(0, at + 2);
    if (marker === START_OF_DATA) {
      if (tileEnd <= at) break;
      at = tileEnd;
      continue;
    }
    const end = Math.min(stream.length, at + 2 + view.getUint16(at + 2));
    // A tile that extends to the end has the length 0.
    if (marker === START_OF_TILE && at + 10 <= stream.length) tileEnd = at + view.getUint32(at + 6);
    if (marker === COMMENT && stream.subarray(at + 6, end).some((code) => code !== 0x20)) {
      if (changed === stream) changed = stream.slice();
      changed.fill(0x20, at + 6, end);
    }
    at = end;
  }
  return changed;
}
