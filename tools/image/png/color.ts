import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { type Chromaticity, type ColorSpace, SRGB, writeIccProfile, spaceOf } from "../icc-profile.ts";
import { viewOf } from "../image-info.ts";
import { dropPngChunks, pngChunks } from "../readers/png.ts";
import { iccChunk } from "./write.ts";

/** Gamma and chromaticities of sRGB as PNG writes them, and the allowed difference. */
const SRGB_GAMMA = 45_455;
const GAMMA_TOLERANCE = 500;
const TOLERANCE = 0.002;
const IHDR_END = 33;

/** The color type whose pixels are indexes. */
const INDEXED = 3;

/** Removes from a PNG what some decoders reject: damaged chunks, and an unused palette for its length or place. */
export function dropIdleChunks(image: Bytes): Bytes {
  return dropPngChunks(image, image[25] === INDEXED ? undefined : "PLTE");
}

/**
 * Adds an ICC profile to a PNG whose color space is in gAMA, cHRM or cICP, which engines ignore (W3C PNG, third
 * edition, 4.3). A PNG in sRGB, or with a profile, stays as it is.
 */
export function embedColorSpace(image: Bytes): Bytes {
  const space = readColorSpace(image);
  if (!space) return image;
  const isGray = (image[25] ?? 0) % 4 === 0;
  return embedProfile(image, writeIccProfile(space, { isGray }));
}

/** Adds an ICC profile to a PNG without one. */
export function embedProfile(png: Bytes, profile: Uint8Array): Bytes {
  return joinBytes([png.subarray(0, IHDR_END), iccChunk(profile), png.subarray(IHDR_END)]);
}

function readColorSpace(image: Bytes): ColorSpace | undefined {
  const chunks = new Map<string, Uint8Array>();
  for (const { type, data } of pngChunks(image)) {
    if (type === "IDAT") break;
    chunks.set(type, data);
  }
  const [colors, curve] = chunks.get("cICP") ?? [];
  if (colors !== undefined && curve !== undefined)
    return chunks.has("iCCP") ? undefined : spaceOf(colors, curve);
  if (chunks.has("iCCP") || chunks.has("sRGB")) return undefined;
  const gamma = readGamma(chunks.get("gAMA"));
  const primaries = readPrimaries(chunks.get("cHRM"));
  if (!gamma && !primaries) return undefined;
  return { ...(primaries ?? SRGB), transfer: gamma ?? "srgb" };
}

/** The exponent from the file's values to light, unless it is close to that of sRGB. */
function readGamma(data: Uint8Array | undefined): number | undefined {
  const gamma = data?.length === 4 ? viewOf(data).getUint32(0) : SRGB_GAMMA;
  const exponent = 100_000 / gamma;
  if (Math.abs(gamma - SRGB_GAMMA) <= GAMMA_TOLERANCE || exponent < 0.1 || exponent > 10) return undefined;
  return exponent;
}

function readPrimaries(data: Uint8Array | undefined): Omit<ColorSpace, "transfer"> | undefined {
  if (data?.length !== 32) return undefined;
  const view = viewOf(data);
  const at = (index: number): Chromaticity => [
    view.getUint32(index * 8) / 100_000,
    view.getUint32(index * 8 + 4) / 100_000,
  ];
  const [white, red, green, blue] = [at(0), at(1), at(2), at(3)];
  const isUsual = isNear(white, SRGB.white) && isNear(red, SRGB.red);
  if (isUsual && isNear(green, SRGB.green) && isNear(blue, SRGB.blue)) return undefined;
  // A sensible color space: each must be a color, and the three not on one line.
  const isSane = [white, red, green, blue].every(([x, y]) => y > 0 && x + y <= 1.001);
  const area = (green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1]);
  return isSane && Math.abs(area) > 0.001 ? { white, red, green, blue } : undefined;
}

function isNear(one: Chromaticity, other: Chromaticity): boolean {
  return Math.abs(one[0] - other[0]) <= TOLERANCE && Math.abs(one[1] - other[1]) <= TOLERANCE;
}
