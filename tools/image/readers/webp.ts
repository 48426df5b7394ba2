import type { Bytes } from "../../../wire/bytes.ts";
import {
  makePartCounter,
  type ImageInfo,
  type MetadataKind,
  damagedImage,
  shortLatin1,
  viewOf,
} from "../image-info.ts";
import type { Size } from "../pixels.ts";
import { isTurnedSideways, readExifKinds, readOrientation } from "./exif.ts";

const RIFF_BYTES = 12;
const CHUNK_BYTES = 8;

/** Chunks with the pixels, or with how they are shown. */
export const PICTURE_CHUNKS: readonly string[] = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"];

/**
 * Reads the chunks of a WebP (RFC 9649, 2).
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function readWebp(bytes: Bytes): ImageInfo {
  const metadata = new Set<MetadataKind>();
  const sizes: Size[] = [];
  let frames = 0;
  let isSideways = false;
  for (const { type, data } of webpChunks(bytes)) {
    const size = sizeOf(type, data);
    if (size) sizes.push(size);
    if (type === "ANMF") frames++;
    if (type === "EXIF") isSideways = isTurnedSideways(exifOf(data));
    for (const kind of kindsOf(type, data)) metadata.add(kind);
  }
  // The canvas comes first and must contain the pictures; a larger picture would still be decoded.
  const [canvas] = sizes;
  if (!canvas) throw damagedImage("it does not say how large it is");
  const area = Math.max(...sizes.map(({ width, height }) => width * height));
  return {
    ...canvas,
    frames: Math.max(1, frames),
    decodedPixels: Math.max(1, frames) * area,
    hasMorePictures: false,
    metadata,
    isSideways,
  };
}

/** The Exif block of a WebP. @throws ToolFailure damaged_file, too_complex */
export function exifOfWebp(bytes: Bytes): Uint8Array | undefined {
  for (const { type, data } of webpChunks(bytes)) if (type === "EXIF") return exifOf(data);
  return undefined;
}

/** How the frames of an animation are shown (RFC 9649, 2.7.1): 0 plays are endless; the orientation is that of Exif. */
export function webpAnimation(bytes: Bytes): {
  delaysMs: number[];
  plays: number;
  orientation: number;
} {
  const delaysMs: number[] = [];
  let [plays, orientation] = [0, 1];
  for (const { type, data } of webpChunks(bytes)) {
    if (type === "ANIM") plays = viewOf(data).getUint16(4, true);
    else if (type === "ANMF") delaysMs.push(uint24(viewOf(data), 12));
    else if (type === "EXIF") orientation = readOrientation(exifOf(data));
  }
  return { delaysMs, plays, orientation };
}

function webpChunks(bytes: Bytes) {
  const end = CHUNK_BYTES + viewOf(bytes).getUint32(4, true);
  if (end > bytes.length) throw damagedImage("its end is missing");
  return chunksIn(bytes.subarray(RIFF_BYTES, end));
}

/** Chunks one after another. @throws ToolFailure damaged_file, too_complex */
export function* chunksIn(chunks: Bytes): Generator<{ type: string; data: Bytes }> {
  const view = viewOf(chunks);
  const count = makePartCounter("chunks");
  // The last chunk of some encoders lacks its padding, and a rest too short for a chunk is ignored.
  for (let at = 0; at + CHUNK_BYTES <= chunks.length;) {
    count();
    const end = at + CHUNK_BYTES + view.getUint32(at + 4, true);
    if (end > chunks.length) throw damagedImage("a chunk is cut");
    const type = shortLatin1(chunks, { start: at, end: at + 4 });
    yield { type, data: chunks.subarray(at + CHUNK_BYTES, end) };
    at = end + (end % 2);
  }
}

function sizeOf(type: string, data: Uint8Array): Size | undefined {
  const view = viewOf(data);
  if (type === "VP8X") return { width: uint24(view, 4) + 1, height: uint24(view, 7) + 1 };
  // A key frame's header (RFC 6386, 9.1): 14 bits each, with 2 bits of scale.
  if (type === "VP8 ")
    return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
  if (type !== "VP8L") return undefined;
  const bits = view.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

/** Some programs put a JPEG's label in front. */
function exifOf(data: Uint8Array): Uint8Array {
  return shortLatin1(data, { end: 5 }) === "Exif\0" ? data.subarray(6) : data;
}

function kindsOf(type: string, data: Uint8Array): readonly MetadataKind[] {
  if (PICTURE_CHUNKS.includes(type)) return [];
  if (type === "EXIF") return readExifKinds(exifOf(data));
  if (type === "XMP ") return ["xmp"];
  if (type === "ICCP") return ["icc"];
  return ["other"];
}
