import { type Bytes, concatBytes, utf8 } from "../../wire/bytes.ts";

/** Chromaticity coordinates x and y of CIE 1931. */
export type Chromaticity = readonly [x: number, y: number];

export interface ColorSpace {
  readonly white: Chromaticity;
  readonly red: Chromaticity;
  readonly green: Chromaticity;
  readonly blue: Chromaticity;
  /** The exponent from encoded to linear values, or sRGB's curve. */
  readonly transfer: number | "srgb";
}

const D65: Chromaticity = [0.3127, 0.329];

export const SRGB: ColorSpace = {
  white: D65,
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  transfer: "srgb",
};

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];

/** The white point of a profile (ICC.1:2022, 7.2.16). */
const D50: Vector = [0.9642, 1, 0.8249];
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** Writes an ICC profile (ICC.1:2022) of a color space: three primaries and a curve, or only the curve for gray. */
export function writeIccProfile(space: ColorSpace, { isGray }: { isGray: boolean }): Bytes {
  const curve = writeCurve(space.transfer);
  const tags: [string, Bytes][] = [
    ["desc", writeText("color space")],
    ["cprt", writeText("none")],
    ["wtpt", writeXyz(D50)],
  ];
  if (isGray) return assemble([...tags, ["kTRC", curve]], "GRAY");
  const [red, green, blue] = transpose(adaptedPrimaries(space));
  tags.push(["rXYZ", writeXyz(red)], ["gXYZ", writeXyz(green)], ["bXYZ", writeXyz(blue)]);
  tags.push(["rTRC", curve], ["gTRC", curve], ["bTRC", curve]);
  return assemble(tags, "RGB ");
}

/** The primaries in XYZ as columns, scaled to add up to white and adapted to D50 by Bradford's method. */
function adaptedPrimaries({ white, red, green, blue }: ColorSpace): Matrix {
  const columns = transpose([toXyz(red), toXyz(green), toXyz(blue)]);
  const scaled = multiply(columns, diagonal(apply(invert(columns), toXyz(white))));
  const [from, to] = [apply(BRADFORD, toXyz(white)), apply(BRADFORD, D50)];
  const gains = diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]);
  return multiply(multiply(invert(BRADFORD), multiply(gains, BRADFORD)), scaled);
}

function toXyz([x, y]: Chromaticity): Vector {
  return [x / y, 1, (1 - x - y) / y];
}

function diagonal([a, b, c]: Vector): Matrix {
  return [
    [a, 0, 0],
    [0, b, 0],
    [0, 0, c],
  ];
}

function apply([a, b, c]: Matrix, vector: Vector): Vector {
  return [dot(a, vector), dot(b, vector), dot(c, vector)];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function transpose([a, b, c]: Matrix): Matrix {
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
}

function multiply(a: Matrix, b: Matrix): Matrix {
  const [x, y, z] = transpose(b);
  return transpose([apply(a, x), apply(a, y), apply(a, z)]);
}

function invert(matrix: Matrix): Matrix {
  const [a, b, c] = matrix;
  const determinant = dot(a, cross(b, c));
  const scale = ([x, y, z]: Vector): Vector => [x / determinant, y / determinant, z / determinant];
  return transpose([scale(cross(b, c)), scale(cross(c, a)), scale(cross(a, b))]);
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** A parametric curve (10.18): one exponent, or the five numbers of sRGB. */
function writeCurve(transfer: ColorSpace["transfer"]): Bytes {
  const numbers = transfer === "srgb" ? [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] : [transfer];
  return concatBytes(
    utf8("para"),
    int32(0),
    int16(transfer === "srgb" ? 3 : 0),
    int16(0),
    ...numbers.map(fixed),
  );
}

function writeXyz(vector: Vector): Bytes {
  return concatBytes(utf8("XYZ "), int32(0), ...vector.map(fixed));
}

/** One English text in UTF-16 (10.15). */
function writeText(text: string): Bytes {
  const units = Array.from(text, (character) => int16(character.charCodeAt(0)));
  return concatBytes(
    utf8("mluc"),
    int32(0),
    int32(1),
    int32(12),
    utf8("enUS"),
    int32(text.length * 2),
    int32(28),
    ...units,
  );
}

const HEADER_BYTES = 128;

function assemble(tags: readonly [string, Bytes][], colorSpace: "RGB " | "GRAY"): Bytes {
  let offset = HEADER_BYTES + 4 + 12 * tags.length;
  const table: Bytes[] = [int32(tags.length)];
  const data: Bytes[] = [];
  for (const [name, bytes] of tags) {
    table.push(utf8(name), int32(offset), int32(bytes.length));
    const padded = concatBytes(bytes, new Uint8Array((4 - (bytes.length % 4)) % 4));
    data.push(padded);
    offset += padded.length;
  }
  return concatBytes(writeHeader(offset, colorSpace), ...table, ...data);
}

function writeHeader(sizeBytes: number, colorSpace: string): Bytes {
  const header = new Uint8Array(HEADER_BYTES);
  header.set(int32(sizeBytes), 0);
  header.set(int32(0x04400000), 8);
  header.set(utf8(`mntr${colorSpace}XYZ `), 12);
  header.set(utf8("acsp"), 36);
  D50.forEach((value, i) => header.set(fixed(value), 68 + 4 * i));
  return header;
}

function fixed(value: number): Bytes {
  return int32(Math.round(value * 65_536));
}

function int32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

function int16(value: number): Bytes {
  return Uint8Array.of(value >>> 8, value);
}

/** Primaries of ITU-T H.273, table 2, other than those of sRGB. */
const PRIMARIES: Record<number, Omit<ColorSpace, "transfer">> = {
  9: { white: D65, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] },
  11: { white: [0.314, 0.351], red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] },
  12: { white: D65, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] },
};
/** Exponents of table 3. */
const TRANSFERS: Record<number, number> = { 4: 2.2, 5: 2.8, 8: 1 };

/**
 * The color space of code points of ITU-T H.273; undefined where it is sRGB or unknown. Video curves count as that of
 * sRGB, as in browsers.
 */
export function spaceOf(primaries: number, transfer = 0): ColorSpace | undefined {
  const known = PRIMARIES[primaries];
  const curve = TRANSFERS[transfer];
  return known || curve ? { ...(known ?? SRGB), transfer: curve ?? "srgb" } : undefined;
}
