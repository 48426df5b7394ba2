import type { Bytes } from "../../../wire/bytes.ts";
import { joinBytes } from "../../../wire/bytes.ts";
import { crc32 } from "../../hash/crc32.ts";
import {
  makePartCounter,
  type ImageInfo,
  type MetadataKind,
  damagedImage,
  shortLatin1,
  viewOf,
} from "../image-info.ts";
import { isTurnedSideways, readExifKinds } from "./exif.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and check sum around the data of a chunk. */
const FRAME_BYTES = 12;
const PIXELS: ReadonlySet<string> = new Set(["IDAT", "fdAT"]);
/**
 * Encoders write pixels in pieces of kilobytes. Shorter ones are limited in number; otherwise a file could have
 * millions of them at no cost.
 */
const SHORT_BYTES = 256;

/** A capital first letter means that nothing is shown right without it (W3C PNG, 5.4). */
const NEEDED = /^[A-Z]/;

/**
 * Chunks that are needed to show the pixels right, or that reveal nothing about their origin, with the most bytes that
 * each can have (W3C PNG, 11; sTER 1.5.0). More of them say something else: readers take no such chunk.
 */
const HARMLESS_BYTES: ReadonlyMap<string, number> = new Map([
  ...Object.entries({ IDAT: Infinity, fdAT: Infinity, acTL: 8, fcTL: 26 }),
  ...Object.entries({ IHDR: 13, PLTE: 768, IEND: 0, tRNS: 256, sBIT: 4, bKGD: 6, pHYs: 9 }),
  ...Object.entries({ gAMA: 4, cHRM: 32, sRGB: 1, cICP: 4, mDCV: 24, cLLI: 8, mDCv: 24, cLLi: 8, sTER: 1 }),
]);

/** What of a chunk shows the pixels right; undefined where it is not needed for that. */
export function harmlessPart(type: string, data: Uint8Array): Uint8Array | undefined {
  const most = HARMLESS_BYTES.get(type) ?? (NEEDED.test(type) || type === "iCCP" ? Infinity : -1);
  if (data.length <= most) return data;
  return NEEDED.test(type) ? data.subarray(0, most) : undefined;
}

/**
 * Reads the chunks of a PNG (W3C PNG, third edition, 5) up to its end.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function readPng(bytes: Uint8Array): ImageInfo {
  const view = viewOf(bytes);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (chunkType(bytes, SIGNATURE_BYTES) !== "IHDR" || width * height === 0) {
    throw damagedImage("it does not say how large it is");
  }
  const metadata = new Set<MetadataKind>();
  let frames = 0;
  let isAnimated = false;
  let isSideways = false;
  let last = "";
  for (const { type, data } of pngChunks(bytes)) {
    last = type;
    if (type === "acTL") isAnimated = true;
    if (type === "fcTL" && isAnimated) frames++;
    if (type === "eXIf") isSideways = isTurnedSideways(data);
    for (const kind of kindsOf(type, data)) metadata.add(kind);
  }
  return {
    width,
    height,
    frames: Math.max(1, frames),
    decodedPixels: Math.max(1, frames) * width * height,
    stillPixels: width * height,
    hasMorePictures: false,
    hasBadEnd: last !== "IEND",
    metadata,
    isSideways,
    ...pixelsOf(bytes),
  };
}

/** Bit depth and color type of the header (11.2.1). */
function pixelsOf(bytes: Uint8Array): Pick<ImageInfo, "isGray" | "bitDepth"> {
  const [bitDepth = 8, colorType = 0] = bytes.subarray(24, 26);
  const isGray = colorType === 0 || colorType === 4;
  return { isGray, bitDepth };
}

/** A PNG without its damaged chunks, and without those of one type, such as what an encoder adds. */
export function dropPngChunks(bytes: Bytes, dropped?: string): Bytes {
  const kept = [bytes.subarray(0, SIGNATURE_BYTES)];
  let length = SIGNATURE_BYTES;
  for (const { type, start, end } of pngChunks(bytes)) {
    if (type === dropped) continue;
    kept.push(bytes.subarray(start, end));
    length += end - start;
  }
  return length === bytes.length ? bytes : joinBytes(kept);
}

/**
 * The chunks one after another. An empty chunk at the very end, after pixels, is taken for an IEND whose type is
 * damaged. As decoders do, a chunk with a wrong check sum is left out where the picture can be shown without it.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is incomplete
 */
export function* pngChunks(bytes: Uint8Array) {
  const view = viewOf(bytes);
  const count = makeChunkCounter();
  let start = SIGNATURE_BYTES;
  let hasPixels = false;
  for (let isEnd = false; !isEnd;) {
    const end = start + FRAME_BYTES + view.getUint32(start);
    if (end > bytes.length) throw damagedImage("a chunk is cut");
    const type = chunkType(bytes, start);
    count(type, end - start);
    const data = bytes.subarray(start + 8, end - 4);
    // An empty chunk has nothing that could be damaged.
    const isSound =
      data.length === 0 || crc32(bytes.subarray(start + 4, end - 4)) === view.getUint32(end - 4);
    if (isSound) yield { type, start, end, data };
    else if (NEEDED.test(type)) throw damagedImage("a check sum does not fit what it is about");
    isEnd = type === "IEND" || (hasPixels && end === bytes.length && end - start === FRAME_BYTES);
    hasPixels ||= type === "IDAT";
    start = end;
  }
}

/** Each frame of an animation has a control and, where it is tiny, one short piece: neither is counted. */
function makeChunkCounter(): (type: string, sizeBytes: number) => void {
  const chunks = makePartCounter("chunks");
  const frames = makePartCounter("frames");
  const pieces = makePartCounter("pieces");
  return (type, sizeBytes) => {
    if (type === "fcTL") frames();
    else if (!PIXELS.has(type)) chunks();
    else if (sizeBytes < SHORT_BYTES) pieces();
  };
}

function chunkType(bytes: Uint8Array, start: number): string {
  return shortLatin1(bytes, { start: start + 4, end: start + 8 });
}

function kindsOf(type: string, data: Uint8Array): readonly MetadataKind[] {
  if (type === "eXIf") return readExifKinds(data);
  if (type === "iCCP") return ["icc"];
  if (type === "pHYs") return ["resolution"];
  if (data.length <= (HARMLESS_BYTES.get(type) ?? -1)) return [];
  if (type === "tEXt" || type === "zTXt" || type === "iTXt")
    return [textKind(shortLatin1(data, { end: 32 }))];
  return ["other"];
}

/** Other programs store whole blocks of metadata as text with these names. */
function textKind(keyword: string): MetadataKind {
  if (keyword.startsWith("XML:com.adobe.xmp\0") || keyword.startsWith("Raw profile type xmp\0")) return "xmp";
  if (/^Raw profile type (exif|APP1)\0/.test(keyword)) return "exif";
  if (keyword.startsWith("Raw profile type iptc\0")) return "iptc";
  if (keyword.startsWith("Raw profile type icc")) return "icc";
  return "comment";
}
