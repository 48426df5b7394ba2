import { joinBytes, type Bytes } from "../../../wire/bytes.ts";
import { makePartCounter, damagedImage, viewOf } from "../image-info.ts";
import { VALUE_BYTES } from "../readers/exif.ts";

/** The number after the byte order: 42 in a TIFF, one more in a BigTIFF. */
const [TIFF, BIG_TIFF] = [42, 43];
const BIG_ENTRY_BYTES = 20;
export const ENTRY_BYTES = 12;
const LONG = 4;
/** LONG8, SLONG8 and IFD8: numbers of 8 bytes, which in a file of less than 4 GiB fit into four. */
const EIGHT_BYTES: ReadonlySet<number> = new Set([16, 17, 18]);

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Where its values are, or where their first four bytes are to be in the entry. */
  readonly at?: number;
  readonly data?: Uint8Array;
}

/**
 * A BigTIFF (Adobe and libtiff, 2007) as a TIFF: every byte of the pixels stays where it is, and directories with
 * numbers of four bytes follow them. A TIFF is returned unchanged.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is incomplete
 */
export function classicTiff(image: Bytes): Bytes {
  const isLittle = image[0] === 0x49;
  const view = viewOf(image);
  if (view.getUint16(2, isLittle) !== BIG_TIFF) return image;
  const count = makePartCounter("entries");
  const parts: Uint8Array[] = [image, new Uint8Array(image.length % 2)];
  let endsAt = image.length + (image.length % 2);
  let pointer: { readonly view: DataView; readonly at: number } | undefined;
  const seen = new Set<number>();
  const head = new Uint8Array(8);
  for (let at = readLong8(view, 8, isLittle); at !== 0 && !seen.has(at);) {
    seen.add(at);
    const { entries, next } = readBigDirectory(view, { at, isLittle, count });
    const directory = writeDirectory(entries, endsAt, isLittle);
    if (pointer) pointer.view.setUint32(pointer.at, endsAt, isLittle);
    else viewOf(head).setUint32(4, endsAt, isLittle);
    pointer = { view: viewOf(directory), at: 2 + ENTRY_BYTES * entries.length };
    parts.push(directory);
    endsAt += directory.length;
    at = next;
  }
  const classic = joinBytes(parts);
  head.set(image.subarray(0, 2));
  viewOf(head).setUint16(2, TIFF, isLittle);
  classic.set(head);
  return classic;
}

function readBigDirectory(
  view: DataView,
  { at, isLittle, count }: { at: number; isLittle: boolean; count: (parts: number) => void },
) {
  const length = readLong8(view, at, isLittle);
  count(length);
  const entries = Array.from({ length }, (_, i) =>
    readBigEntry(view, at + 8 + BIG_ENTRY_BYTES * i, isLittle),
  );
  return { entries, next: readLong8(view, at + 8 + BIG_ENTRY_BYTES * length, isLittle) };
}

function readBigEntry(view: DataView, at: number, isLittle: boolean): Entry {
  const [tag, type] = [view.getUint16(at, isLittle), view.getUint16(at + 2, isLittle)];
  const count = readLong8(view, at + 4, isLittle);
  const isLong8 = EIGHT_BYTES.has(type);
  const sizeBytes = count * (isLong8 ? 8 : (VALUE_BYTES[type] ?? 1));
  const start = sizeBytes <= 8 ? at + 12 : readLong8(view, at + 12, isLittle);
  const isInside = start + sizeBytes <= view.byteLength;
  // Values beyond the end stay there, which whatever needs them will notice.
  if (!isInside) return { tag, type: isLong8 ? LONG : type, count, at: start };
  if (!isLong8)
    return { tag, type, count, data: new Uint8Array(view.buffer, view.byteOffset + start, sizeBytes) };
  const short = new DataView(new ArrayBuffer(4 * count));
  for (let i = 0; i < count; i++) short.setUint32(4 * i, readLong8(view, start + 8 * i, isLittle), isLittle);
  return { tag, type: LONG, count, data: new Uint8Array(short.buffer) };
}

/** @throws ToolFailure damaged_file for a number beyond any accepted file */
function readLong8(view: DataView, at: number, isLittle: boolean): number {
  const value = view.getBigUint64(at, isLittle);
  if (value > 0xffff_ffffn) throw damagedImage("a part of it lies past 4 GiB");
  return Number(value);
}

/** A directory, followed by the values that do not fit into four bytes. */
export function writeDirectory(entries: readonly Entry[], directoryAt: number, isLittle: boolean): Bytes {
  const view = new DataView(new ArrayBuffer(2 + ENTRY_BYTES * entries.length + 4));
  const values: Uint8Array[] = [];
  let valuesAt = directoryAt + view.byteLength;
  view.setUint16(0, entries.length, isLittle);
  for (const [i, { tag, type, count, at: valueAt, data }] of entries.entries()) {
    const at = 2 + ENTRY_BYTES * i;
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, type, isLittle);
    view.setUint32(at + 4, count, isLittle);
    if (data && data.length <= 4) new Uint8Array(view.buffer).set(data, at + 8);
    else view.setUint32(at + 8, valueAt ?? valuesAt, isLittle);
    if (!data || data.length <= 4) continue;
    values.push(data, new Uint8Array(data.length % 2));
    valuesAt += data.length + (data.length % 2);
  }
  return joinBytes([new Uint8Array(view.buffer), ...values]);
}
