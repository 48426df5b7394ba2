import { makePartCounter, MAX_PARTS, type PartCounter, type MetadataKind, viewOf } from "../image-info.ts";

const MAKER_NOTE = 0x927c;
const EXIF_IFD = 0x8769;
const GPS_IFD = 0x8825;
const ORIENTATION = 0x112;

/** One entry of an image file directory (TIFF 6.0, section 2): `values` has the first 65,536 of its numbers. */
export interface Entry {
  readonly type: number;
  readonly count: number;
  readonly values: readonly number[];
  /** The values as stored in the file. */
  readonly data: Uint8Array;
}

export interface Directory {
  readonly entries: ReadonlyMap<number, Entry>;
  /** Whether all values lie inside the file. */
  readonly isWhole: boolean;
  /** The offset of the next directory, or 0. */
  readonly next: number;
}

const MAX_VALUES = 65_536;
const MISSING = 0xffff_ffff;
/** The bytes of one value, by its type. */
export const VALUE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/**
 * Reads the directory at an offset. Only integers matter here; a value beyond the end of the file has no numbers.
 * @throws ToolFailure too_complex; RangeError when it is incomplete
 */
export function readDirectory(
  bytes: Uint8Array,
  offset: number,
  count: PartCounter = makePartCounter("entries"),
): Directory {
  const view = viewOf(bytes);
  const isLittle = bytes[0] === 0x49;
  const length = view.getUint16(offset, isLittle);
  const entries = new Map<number, Entry>();
  let isWhole = true;
  // A directory that does not fit is incomplete, however many entries it announces.
  if (length > MAX_PARTS) view.getUint32(offset + 2 + 12 * length);
  count(length);
  for (let i = 0; i < length; i++) {
    const at = offset + 2 + 12 * i;
    const type = view.getUint16(at + 2, isLittle);
    const valueCount = view.getUint32(at + 4, isLittle);
    const sizeBytes = valueCount * (VALUE_BYTES[type] || 1);
    const start = sizeBytes <= 4 ? at + 8 : view.getUint32(at + 8, isLittle);
    const isHere = start + sizeBytes <= bytes.length;
    isWhole &&= isHere;
    const where = { start, count: isHere ? valueCount : 0, type, isLittle };
    const data = bytes.subarray(start, start + sizeBytes);
    const read = readOnce(() => readValues(view, where));
    entries.set(view.getUint16(at, isLittle), {
      type,
      count: valueCount,
      // Entries may share their bytes: reading the values of all could take their number times the file.
      get values() {
        return read();
      },
      data,
    });
  }
  return { entries, isWhole, next: readNext(view, offset + 2 + 12 * length, isLittle) };
}

/** A file that ends with its last entry says nothing about another directory: beyond any end, like a wrong one. */
function readNext(view: DataView, at: number, isLittle: boolean): number {
  return at + 4 <= view.byteLength ? view.getUint32(at, isLittle) : MISSING;
}

/** The kinds of metadata in an Exif block, besides itself; an unreadable one still counts as one. */
export function readExifKinds(tiff: Uint8Array, count?: PartCounter): MetadataKind[] {
  const kinds: MetadataKind[] = ["exif"];
  try {
    const first = readDirectory(tiff, viewOf(tiff).getUint32(4, tiff[0] === 0x49), count).entries;
    if (first.has(GPS_IFD)) kinds.push("gps");
    const [exifAt] = first.get(EXIF_IFD)?.values ?? [];
    if (exifAt && readDirectory(tiff, exifAt, count).entries.has(MAKER_NOTE)) kinds.push("makernote");
  } catch (error) {
    // An incomplete block is dropped like a complete one, so it need not be reported.
    if (!(error instanceof RangeError)) throw error;
  }
  return kinds;
}

/** The orientation in an Exif block, 1 to 8 as in TIFF 6.0; 1 where that cannot be read. */
export function readOrientation(tiff: Uint8Array): number {
  try {
    return orientationOf(readDirectory(tiff, viewOf(tiff).getUint32(4, tiff[0] === 0x49)));
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Whether an Exif block says that its picture is turned by a quarter. */
export function isTurnedSideways(tiff: Uint8Array): boolean {
  return isSideways(readOrientation(tiff));
}

export function liesSideways(directory: Directory): boolean {
  return isSideways(orientationOf(directory));
}

function orientationOf({ entries }: Directory): number {
  return entries.get(ORIENTATION)?.values[0] ?? 1;
}

/** Whether a picture of this orientation is shown with width and height swapped. */
export function isSideways(orientation: number): boolean {
  return orientation >= 5 && orientation <= 8;
}

function readOnce<Value>(read: () => Value): () => Value {
  let value: Value | undefined;
  return () => (value ??= read());
}

function readValues(
  view: DataView,
  { start, count, type, isLittle }: { start: number; count: number; type: number; isLittle: boolean },
): number[] {
  return Array.from({ length: Math.min(count, MAX_VALUES) }, (_, i) => {
    if (type === 3) return view.getUint16(start + 2 * i, isLittle);
    if (type === 4 || type === 13) return view.getUint32(start + 4 * i, isLittle);
    return view.getUint8(start + i);
  });
}
