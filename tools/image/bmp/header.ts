import { ToolFailure } from "../../../wire/tool-failure.ts";
import { damagedImage } from "../image-info.ts";

/** The bits of a channel in a pixel. */
interface Mask {
  readonly shift: number;
  /** 0 where there is no such channel. */
  readonly bits: number;
}

/** A device-independent bitmap (Microsoft, Win32 "Bitmap Storage"; OS/2 1.x and 2.x). */
export interface BitmapHeader {
  readonly width: number;
  /** The height of the picture; in an icon half of what is written. */
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bits: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  readonly isRunLength: boolean;
  /** Red, green, blue, alpha, for 16 and 32 bits. */
  readonly masks: readonly Mask[];
  readonly paletteAt: number;
  readonly colors: number;
  /** Bytes of a color. */
  readonly colorBytes: 3 | 4;
  /** The end of header, masks and palette. */
  readonly endsAt: number;
}

const BITS: readonly number[] = [1, 2, 4, 8, 16, 24, 32];
/** Values of biCompression. */
const [NONE, RUNS_8, RUNS_4, FIELDS, ALPHA_FIELDS] = [0, 1, 2, 3, 6];
/** Lengths of headers: OS/2 1.x, OS/2 2.x in short, and from the first of Windows on. */
const [CORE, SHORT_OS2, INFO] = [12, 16, 40];
const LONGEST = 124;
const OS2_LONG = 64;

/** @throws ToolFailure damaged_file, unsupported_feature; RangeError when it is cut */
export function readBitmapHeader(view: DataView, at: number): BitmapHeader {
  const headerBytes = view.getUint32(at, true);
  if (headerBytes === CORE) return readCore(view, at);
  if (headerBytes < SHORT_OS2 || headerBytes > LONGEST) throw damagedImage("its header has no known length");
  const [width, signedHeight] = [view.getInt32(at + 4, true), view.getInt32(at + 8, true)];
  const bits = view.getUint16(at + 14, true);
  const compression = headerBytes > SHORT_OS2 ? view.getUint32(at + 16, true) : NONE;
  checkCoding({ bits, compression, isOs2: headerBytes < INFO || headerBytes === OS2_LONG });
  const fields = compression === FIELDS || compression === ALPHA_FIELDS;
  const areBehind = fields && headerBytes === INFO;
  const masksBytes = areBehind ? (compression === ALPHA_FIELDS ? 16 : 12) : 0;
  const used = headerBytes >= INFO ? view.getUint32(at + 32, true) : 0;
  const colors = bits > 8 ? 0 : Math.min(used || 2 ** bits, 2 ** bits);
  const paletteAt = at + headerBytes + masksBytes;
  return {
    ...checkSize(width, Math.abs(signedHeight)),
    isTopDown: signedHeight < 0,
    // checkCoding has checked it.
    bits: bits as BitmapHeader["bits"],
    isRunLength: compression === RUNS_8 || compression === RUNS_4,
    masks: readMasks(view, {
      at: fields ? at + INFO : undefined,
      bits,
      headerBytes: headerBytes + masksBytes,
    }),
    paletteAt,
    colors,
    colorBytes: 4,
    endsAt: paletteAt + 4 * (bits > 8 ? used : colors),
  };
}

function readCore(view: DataView, at: number): BitmapHeader {
  const bits = view.getUint16(at + 10, true);
  checkCoding({ bits, compression: NONE, isOs2: true });
  const colors = bits > 8 ? 0 : 2 ** bits;
  const paletteAt = at + CORE;
  return {
    ...checkSize(view.getUint16(at + 4, true), view.getUint16(at + 6, true)),
    isTopDown: false,
    bits: bits as BitmapHeader["bits"],
    isRunLength: false,
    masks: readMasks(view, { at: undefined, bits, headerBytes: CORE }),
    paletteAt,
    colors,
    colorBytes: 3,
    endsAt: paletteAt + 3 * colors,
  };
}

function checkSize(width: number, height: number): { width: number; height: number } {
  if (width <= 0 || height === 0) throw damagedImage("it does not say how large it is");
  return { width, height };
}

function checkCoding(coding: { bits: number; compression: number; isOs2: boolean }): void {
  const { bits, compression, isOs2 } = coding;
  if (!BITS.includes(bits)) throw damagedImage(`its pixels have ${bits} bits`);
  const isRight =
    compression === NONE ||
    (compression === RUNS_8 && bits === 8) ||
    (compression === RUNS_4 && bits === 4) ||
    (!isOs2 && (compression === FIELDS || compression === ALPHA_FIELDS) && (bits === 16 || bits === 32));
  if (isRight) return;
  throw new ToolFailure(
    "unsupported_feature",
    `A BMP of the compression ${compression} cannot be converted.`,
  );
}

/** Without masks: five bits each, or a byte each. */
const USUAL: Readonly<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x3e0, 0x1f, 0],
  32: [0xff0000, 0xff00, 0xff, 0],
};

function readMasks(
  view: DataView,
  { at, bits, headerBytes }: { at: number | undefined; bits: number; headerBytes: number },
): readonly Mask[] {
  if (at === undefined) return (USUAL[bits] ?? []).map(maskOf);
  const hasAlpha = headerBytes >= INFO + 16;
  const numbers = [0, 4, 8].map((offset) => view.getUint32(at + offset, true));
  return [...numbers, hasAlpha ? view.getUint32(at + 12, true) : 0].map(maskOf);
}

function maskOf(mask: number): Mask {
  if (mask === 0) return { shift: 0, bits: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { shift, bits: 32 - Math.clz32(mask >>> shift) };
}

/** Rows are padded to four bytes. */
export function rowLength({ width }: { width: number }, bits: number): number {
  return Math.ceil((width * bits) / 32) * 4;
}
