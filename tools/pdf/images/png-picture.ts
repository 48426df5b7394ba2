import { type Bytes, byteAt, joinBytes } from "../../../wire/bytes.ts";
import { damagedImage, viewOf } from "../../image/image-info.ts";
import { COLOR_TYPE } from "../../image/png/write.ts";
import {
  type Placement,
  readExifPlacement,
  type Resolution,
  resolutionOf,
} from "../../image/readers/placement.ts";
import { pngChunks } from "../../image/readers/png.ts";
import { inflate } from "../filters/flate.ts";
import { undoPredictor } from "../filters/predictor.ts";
import { openBudget } from "../limits.ts";
import { makeDict } from "../syntax/values.ts";
import { fittingProfile, type Picture, type Samples, packRows, splitAlpha } from "./picture.ts";

interface Png {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly colorType: number;
  readonly isInterlaced: boolean;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
  /** Compressed pixels. */
  readonly data: Bytes;
}

/** Samples per pixel, by color type. */
const CHANNELS: Readonly<Record<number, number>> = {
  [COLOR_TYPE.gray]: 1,
  [COLOR_TYPE.rgb]: 3,
  [COLOR_TYPE.palette]: 1,
  [COLOR_TYPE.grayAlpha]: 2,
  [COLOR_TYPE.rgba]: 4,
};

/** Bytes of memory per byte of pixels: inflated, without predictors, and separated into color and transparency. */
const WEIGHT = 4;

/**
 * Converts a PNG without loss: its pixels stay compressed unless color and transparency are stored side by side.
 * Undefined for an interlaced one, which PDF does not support.
 * @throws ToolFailure damaged_file
 */
export function pngPicture(image: Bytes, reserve: (bytes: number) => void): Picture | undefined {
  const png = readPng(image);
  const channels = CHANNELS[png.colorType];
  if (channels === undefined || png.isInterlaced) return undefined;
  const { width, height, bits, colorType, chunks } = png;
  const components = channels > 2 ? 3 : 1;
  const isIndexed = colorType === COLOR_TYPE.palette;
  reserve(WEIGHT * height * rowBytes(png, channels));
  const { rows, types } = readRows(png, channels);
  const profile = fittingProfile(readProfile(chunks.get("iCCP")), isIndexed ? 3 : components);
  const common = { width, height, bits, profile, placement: readPlacement(chunks) };
  if (channels % 2 === 0)
    return { ...common, components, ...splitAlpha(rows, { width, height, bits, channels, types }) };
  const parameters = `/Predictor 15/Colors ${channels}/BitsPerComponent ${bits}/Columns ${width}`;
  const packed = { coding: `/Filter/FlateDecode/DecodeParms<<${parameters}>>`, data: png.data };
  if (!isIndexed)
    return { ...common, ...packed, components, colorKey: readColorKey(chunks.get("tRNS"), components) };
  const palette = chunks.get("PLTE");
  if (!palette || palette.length < 3) throw damagedImage("its palette is missing");
  const alpha = alphaOfIndexes(rows, png, chunks.get("tRNS"));
  return { ...common, ...packed, components: 3, palette: palette.slice(), alpha };
}

function readPng(image: Bytes): Png {
  const view = viewOf(image);
  const chunks = new Map<string, Uint8Array>();
  const pixels: Uint8Array[] = [];
  for (const { type, data } of pngChunks(image)) {
    if (type === "IDAT") pixels.push(data);
    else if (!chunks.has(type)) chunks.set(type, data);
  }
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    bits: view.getUint8(24),
    colorType: view.getUint8(25),
    isInterlaced: view.getUint8(28) !== 0,
    chunks,
    data: joinBytes(pixels),
  };
}

function rowBytes({ width, bits }: Png, channels: number): number {
  return Math.ceil((width * bits * channels) / 8);
}

/** The predictors and the rows without them; missing rows are reported here rather than left blank on the page. */
function readRows(png: Png, channels: number): { rows: Uint8Array; types: Uint8Array } {
  const { width, height, bits, data } = png;
  const stride = 1 + rowBytes(png, channels);
  const length = height * stride;
  const budget = openBudget(length);
  const { bytes, isComplete } = inflate(data, budget);
  if (!isComplete || bytes.length < length) throw damagedImage("it cannot be decoded to its end");
  const shape = { Predictor: 15, Colors: channels, BitsPerComponent: bits, Columns: width };
  const types = new Uint8Array(height).map((_, y) => bytes[y * stride] ?? 0);
  return { rows: undoPredictor(bytes.subarray(0, length), makeDict(shape)), types };
}

/** A name, its terminator, a method, and the profile compressed with Flate (W3C PNG, third edition, 11.3.2.3). */
function readProfile(chunk: Uint8Array | undefined): Uint8Array | undefined {
  if (!chunk) return undefined;
  const name = chunk.indexOf(0);
  if (name < 0) return undefined;
  const { bytes, isComplete } = inflate(chunk.subarray(name + 2), openBudget(chunk.length));
  return isComplete ? bytes : undefined;
}

/** Numbers of tRNS have 16 bits; only as many as a sample has are used. */
function readColorKey(chunk: Uint8Array | undefined, components: number): number[] | undefined {
  if (chunk?.length !== 2 * components) return undefined;
  return Array.from({ length: components }, (_, i) => viewOf(chunk).getUint16(2 * i));
}

function alphaOfIndexes(rows: Uint8Array, png: Png, opacities: Uint8Array | undefined): Samples | undefined {
  if (!opacities?.some((opacity) => opacity < 255)) return undefined;
  const { width, height, bits } = png;
  const stride = rowBytes(png, 1);
  const alpha = new Uint8Array(width * height);
  const mask = 2 ** bits - 1;
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const at = x * bits;
      const index = (byteAt(rows, y * stride + (at >> 3)) >> (8 - bits - (at & 7))) & mask;
      alpha[to] = opacities[index] ?? 255;
    }
  }
  return packRows(alpha, { width, height, bits: 8, components: 1 });
}

const PER_METER = 1;
const METERS_PER_INCH = 0.0254;

/** The placement of a PNG on paper. @throws ToolFailure damaged_file */
export function pngPlacement(image: Bytes): Placement {
  return readPlacement(readPng(image).chunks);
}

function readPlacement(chunks: ReadonlyMap<string, Uint8Array>): Placement {
  const exif = chunks.get("eXIf");
  const { orientation, resolution } = readExifPlacement(exif);
  return { orientation, resolution: readDensity(chunks.get("pHYs")) ?? resolution };
}

function readDensity(chunk: Uint8Array | undefined): Resolution | undefined {
  if (chunk?.length !== 9 || chunk[8] !== PER_METER) return undefined;
  const view = viewOf(chunk);
  const perInch = { x: view.getUint32(0) * METERS_PER_INCH, y: view.getUint32(4) * METERS_PER_INCH };
  return resolutionOf(perInch, false);
}
