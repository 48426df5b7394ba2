import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import type { Entries, TiffLayout } from "./layout.ts";
import { COMPRESSION, TAG } from "./tags.ts";

/** What says how samples are to be understood and is the same in any layout. */
const KEPT: readonly number[] = [
  TAG.photometric,
  TAG.orientation,
  TAG.colorMap,
  TAG.sampleFormat,
  TAG.profile,
];
const SHORT = 3;
const LONG = 4;
const HEAD_BYTES = 8;
export const ENTRY_BYTES = 12;

interface Field {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  readonly data: Uint8Array;
}

interface Parts {
  /** Of the file that is written anew, in the same byte order. */
  readonly entries: Entries;
  readonly isLittle: boolean;
  readonly layout: TiffLayout;
  readonly bits: 8 | 16;
  readonly pixels: Bytes;
}

/** Writes a TIFF of one strip, not compressed (TIFF 6.0, section 2). */
export function writeTiff({ entries, isLittle, layout, bits, pixels }: Parts): Bytes {
  const { width, height, kept: samples, alpha } = layout;
  const field = (tag: number, type: number, values: readonly number[]): Field => {
    const view = new DataView(new ArrayBuffer(values.length * (type === SHORT ? 2 : 4)));
    values.forEach((value, i) =>
      type === SHORT ? view.setUint16(2 * i, value, isLittle) : view.setUint32(4 * i, value, isLittle),
    );
    return { tag, type, count: values.length, data: new Uint8Array(view.buffer) };
  };
  const kept = KEPT.flatMap((tag) => {
    const entry = entries.get(tag);
    return entry ? [{ tag, type: entry.type, count: entry.count, data: entry.data }] : [];
  });
  const made = [
    field(TAG.width, LONG, [width]),
    field(TAG.height, LONG, [height]),
    field(TAG.bits, SHORT, new Array<number>(samples.length).fill(bits)),
    field(TAG.compression, SHORT, [COMPRESSION.none]),
    field(TAG.stripOffsets, LONG, [HEAD_BYTES]),
    field(TAG.samples, SHORT, [samples.length]),
    field(TAG.rowsPerStrip, LONG, [height]),
    field(TAG.stripLengths, LONG, [pixels.length]),
    ...(alpha === undefined ? [] : [field(TAG.extraSamples, SHORT, [alpha])]),
  ];
  const fields = [...made, ...kept].sort((a, b) => a.tag - b.tag);
  const directoryAt = HEAD_BYTES + pixels.length + (pixels.length % 2);
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  head.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  head.setUint16(2, 42, isLittle);
  head.setUint32(4, directoryAt, isLittle);
  const padding = new Uint8Array(pixels.length % 2);
  return joinBytes([
    new Uint8Array(head.buffer),
    pixels,
    padding,
    ...writeDirectory(fields, { directoryAt, isLittle }),
  ]);
}

/** The directory, and behind it the values that do not fit into four bytes. */
function writeDirectory(
  fields: readonly Field[],
  { directoryAt, isLittle }: { directoryAt: number; isLittle: boolean },
): Uint8Array[] {
  const view = new DataView(new ArrayBuffer(2 + ENTRY_BYTES * fields.length + 4));
  const values: Uint8Array[] = [];
  let valuesAt = directoryAt + view.byteLength;
  view.setUint16(0, fields.length, isLittle);
  for (const [i, { tag, type, count, data }] of fields.entries()) {
    const at = 2 + ENTRY_BYTES * i;
    view.setUint16(at, tag, isLittle);
    view.setUint16(at + 2, type, isLittle);
    view.setUint32(at + 4, count, isLittle);
    if (data.length <= 4) new Uint8Array(view.buffer).set(data, at + 8);
    else {
      view.setUint32(at + 8, valuesAt, isLittle);
      values.push(data);
      valuesAt += data.length;
    }
  }
  return [new Uint8Array(view.buffer), ...values];
}
