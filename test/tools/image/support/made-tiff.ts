// TIFFs in layouts that sharp does not write, from samples of one value each.
import { deflateSync, zstdCompressSync } from "node:zlib";
import type { Bytes } from "../../../../wire/bytes.ts";
import { concatBytes } from "../../../../wire/bytes.ts";

export interface TiffShape {
  readonly width: number;
  readonly height: number;
  /** Values of a pixel at a place, one for each sample. */
  readonly at: (x: number, y: number) => readonly number[];
  readonly bits?: number;
  readonly compression?: number;
  readonly photometric?: number;
  readonly orientation?: number;
  /** Sides of a tile; strips of two rows without. */
  readonly tile?: number;
  /** Each color by itself. */
  readonly isSplit?: boolean;
  /** Differences in place of values. */
  readonly isPredicted?: boolean;
  readonly isBig?: boolean;
  /** What samples beside the colors are (ExtraSamples). */
  readonly extra?: readonly number[];
}

export type Field = readonly [tag: number, type: 3 | 4, values: readonly number[]];

export function shapedTiff(shape: TiffShape): Bytes {
  const { width, height, bits = 8, compression = 1, photometric = 2, orientation = 1, tile } = shape;
  const samples = shape.at(0, 0).length;
  const pieces = piecesOf(shape, samples).map((piece) => compress(piece, compression));
  const [placesTag, lengthsTag] = tile ? [324, 325] : [273, 279];
  const sides: Field[] = tile
    ? [
        [322, 3, [tile]],
        [323, 3, [tile]],
      ]
    : [[278, 3, [2]]];
  return joinTiff(pieces, {
    isLittle: !shape.isBig,
    fields: (offsets) => [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, Array.from({ length: samples }, () => bits)],
      [259, 3, [compression]],
      [262, 3, [photometric]],
      [274, 3, [orientation]],
      [277, 3, [samples]],
      [284, 3, [shape.isSplit ? 2 : 1]],
      [317, 3, [shape.isPredicted ? 2 : 1]],
      ...sides,
      ...(shape.extra ? ([[338, 3, shape.extra]] satisfies Field[]) : []),
      [placesTag, 4, offsets],
      [lengthsTag, 4, pieces.map(({ length }) => length)],
    ],
  });
}

/** A TIFF of parts and a directory that knows where they stand. */
export function joinTiff(
  parts: readonly Bytes[],
  { fields, isLittle = true }: { fields: (offsets: number[]) => Field[]; isLittle?: boolean },
): Bytes {
  const offsets = [8];
  for (const { length } of parts) offsets.push(offsets.at(-1)! + length);
  const start = offsets.pop()!;
  const head = new DataView(new ArrayBuffer(8));
  head.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  head.setUint16(2, 42, isLittle);
  head.setUint32(4, start, isLittle);
  const directory = directoryOf(fields(offsets), { start, isLittle });
  return concatBytes(new Uint8Array(head.buffer), ...parts, directory);
}

function directoryOf(fields: Field[], { start, isLittle }: { start: number; isLittle: boolean }): Bytes {
  const view = new DataView(new ArrayBuffer(2 + 12 * fields.length + 4));
  const values: Bytes[] = [];
  let at = start + view.byteLength;
  view.setUint16(0, fields.length, isLittle);
  for (const [i, [tag, type, numbers]] of fields.sort(([a], [b]) => a - b).entries()) {
    const data = new DataView(new ArrayBuffer(numbers.length * (type === 3 ? 2 : 4)));
    numbers.forEach((number, n) =>
      type === 3 ? data.setUint16(2 * n, number, isLittle) : data.setUint32(4 * n, number, isLittle),
    );
    view.setUint16(2 + 12 * i, tag, isLittle);
    view.setUint16(4 + 12 * i, type, isLittle);
    view.setUint32(6 + 12 * i, numbers.length, isLittle);
    const bytes = new Uint8Array(data.buffer);
    if (bytes.length <= 4) new Uint8Array(view.buffer).set(bytes, 10 + 12 * i);
    else {
      view.setUint32(10 + 12 * i, at, isLittle);
      values.push(bytes);
      at += bytes.length;
    }
  }
  return concatBytes(new Uint8Array(view.buffer), ...values);
}

/** Tiles or strips, not compressed: those of the first sample come first where colors lie apart. */
function piecesOf(shape: TiffShape, samples: number): Bytes[] {
  const { width, height, tile, isSplit } = shape;
  const [across, down] = [tile ?? width, tile ?? 2];
  const groups = isSplit ? Array.from({ length: samples }, (_, i) => [i]) : [[...Array(samples).keys()]];
  const pieces: Bytes[] = [];
  for (const group of groups) {
    // What a tile has past the picture repeats the picture's edge.
    const valuesAt = (x: number, y: number) => {
      const pixel = shape.at(Math.min(x, width - 1), Math.min(y, height - 1));
      return group.map((sample) => pixel[sample]!);
    };
    for (let top = 0; top < height; top += down) {
      const rows = tile ? down : Math.min(down, height - top);
      for (let left = 0; left < width; left += across) {
        const rowAt = (y: number) => Array.from({ length: across }, (_, x) => valuesAt(left + x, y));
        pieces.push(concatBytes(...Array.from({ length: rows }, (_, y) => packRow(rowAt(top + y), shape))));
      }
    }
  }
  return pieces;
}

function packRow(pixels: number[][], { bits = 8, isPredicted, isBig }: TiffShape): Bytes {
  const step = pixels[0]!.length;
  const values = pixels.flat();
  const mask = 2 ** bits - 1;
  const coded = isPredicted
    ? values.map((value, i) => (value - (i < step ? 0 : values[i - step]!)) & mask)
    : values;
  if (bits === 16) {
    const view = new DataView(new ArrayBuffer(2 * coded.length));
    coded.forEach((value, i) => view.setUint16(2 * i, value, !isBig));
    return new Uint8Array(view.buffer);
  }
  const text = coded.map((value) => value.toString(2).padStart(bits, "0")).join("");
  const bytes = text.match(/.{1,8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => parseInt(byte.padEnd(8, "0"), 2));
}

function compress(piece: Bytes, compression: number): Bytes {
  if (compression === 1) return piece;
  if (compression === 5) return literalLzw(piece);
  if (compression === 32_773) return literalPackBits(piece);
  return new Uint8Array(compression === 50_000 ? zstdCompressSync(piece) : deflateSync(piece));
}

/** Codes of nine bits only: the table is cleared before it would need more. */
function literalLzw(piece: Bytes): Bytes {
  const codes = [...piece].flatMap((byte, i) => (i % 200 === 0 ? [256, byte] : [byte]));
  const text = [...codes, 257].map((code) => code.toString(2).padStart(9, "0")).join("");
  return Uint8Array.from(text.match(/.{1,8}/g)!, (byte) => parseInt(byte.padEnd(8, "0"), 2));
}

/** The first byte as a run of one less than all that are like it, the others as they are. */
function literalPackBits(piece: Bytes): Bytes {
  const parts: Bytes[] = [];
  for (let at = 0; at < piece.length;) {
    const run = piece.subarray(at).findIndex((byte) => byte !== piece[at]);
    const length = Math.min(128, run < 0 ? piece.length - at : run);
    parts.push(length > 1 ? Uint8Array.of(257 - length, piece[at]!) : Uint8Array.of(0, piece[at]!));
    at += length;
  }
  return concatBytes(...parts);
}

/** The first image of a TIFF, in little-endian order, as a BigTIFF: all numbers of places have eight bytes there. */
export function asBigTiff(tiff: Bytes): Bytes {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  const first = view.getUint32(4, true);
  const count = view.getUint16(first, true);
  const headBytes = 16;
  const directory = new DataView(new ArrayBuffer(8 + 20 * count + 8));
  directory.setBigUint64(0, BigInt(count), true);
  const values: Uint8Array[] = [];
  let valuesAt = headBytes + tiff.length + directory.byteLength;
  for (let i = 0; i < count; i++) {
    const [from, to] = [first + 2 + 12 * i, 8 + 20 * i];
    const [tag, type, length] = [
      view.getUint16(from, true),
      view.getUint16(from + 2, true),
      view.getUint32(from + 4, true),
    ];
    const isPlace = tag === 273 || tag === 324;
    const unit = type === 3 ? 2 : 4;
    const start = unit * length <= 4 ? from + 8 : view.getUint32(from + 8, true);
    const value = isPlace ? new Uint8Array(8 * length) : tiff.slice(start, start + unit * length);
    if (isPlace)
      for (let each = 0; each < length; each++)
        new DataView(value.buffer).setBigUint64(
          8 * each,
          BigInt(view.getUint32(start + 4 * each, true) + headBytes),
          true,
        );
    directory.setUint16(to, tag, true);
    directory.setUint16(to + 2, isPlace ? 16 : type, true);
    directory.setBigUint64(to + 4, BigInt(length), true);
    if (value.length <= 8) new Uint8Array(directory.buffer).set(value, to + 12);
    else {
      directory.setBigUint64(to + 12, BigInt(valuesAt), true);
      values.push(value);
      valuesAt += value.length;
    }
  }
  const head = new DataView(new ArrayBuffer(headBytes));
  head.setUint32(0, 0x49492b00);
  head.setUint16(4, 8, true);
  head.setBigUint64(8, BigInt(headBytes + tiff.length), true);
  return concatBytes(new Uint8Array(head.buffer), tiff, new Uint8Array(directory.buffer), ...values);
}
