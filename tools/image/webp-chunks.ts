import { concatBytes, joinBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { damagedImage, profileLength, shortLatin1, viewOf } from "./image-info.ts";
import { chunksIn } from "./readers/webp.ts";

const RIFF_BYTES = 12;
const HEADER_BYTES = 8;
/** Bits of VP8X that say which chunks there are; those for transparency and animation do not change. */
const FLAGS = { ICCP: 0x20, EXIF: 0x08, "XMP ": 0x04 } as const;
const TRANSPARENT = 0x10;
/** A frame has its position, size and duration before its own chunks. */
const FRAME_BYTES = 16;
/** How long these chunks are (RFC 9649, 2.7); readers skip what follows. */
const LENGTHS = new Map([
  ["VP8X", 10],
  ["ANIM", 6],
]);

/** Which chunks of a WebP stay, by their names of four characters. */
type ChunkFilter = (name: string) => boolean;

/**
 * A WebP (RFC 9649, 2) with only some of its chunks, also within its frames, and with chunks added at the end. Nothing
 * after the file stays.
 * @throws ToolFailure damaged_file, too_complex
 */
export function filterWebpChunks(image: Bytes, keeps: ChunkFilter, added: readonly Bytes[] = []): Bytes {
  const end = HEADER_BYTES + viewOf(image).getUint32(4, true);
  if (end > image.length) throw damagedImage("its end is missing");
  const kept = [...filterChunks(image.subarray(RIFF_BYTES, end), keeps), ...added];
  const names = new Set(kept.map(nameOf));
  const body = joinBytes(kept.map((chunk) => (nameOf(chunk) === "VP8X" ? withFlags(chunk, names) : chunk)));
  const riff = image.slice(0, RIFF_BYTES);
  viewOf(riff).setUint32(4, body.length + 4, true);
  return concatBytes(riff, body);
}

/**
 * Marks a new animation as transparent if its frames leave a part of the canvas free: libwebp looks only inside the
 * frames, and many readers would fill the rest with black.
 */
export function markFreeCanvas(image: Bytes): Bytes {
  if (shortLatin1(image, { start: RIFF_BYTES, end: RIFF_BYTES + 4 }) !== "VP8X") return image;
  const [head, ...others] = chunksIn(image.subarray(RIFF_BYTES));
  const frames = others.filter(({ type }) => type === "ANMF").map(({ data }) => data);
  const [first] = frames;
  // A still image has no frames.
  if (head?.data[0] === undefined || first === undefined) return image;
  const isFilled = first.subarray(6, 12).every((byte, at) => byte === head.data[4 + at]);
  const isCleared = frames.some((frame) => ((frame[15] ?? 0) & 1) === 1);
  if (!isFilled || isCleared) head.data[0] |= TRANSPARENT;
  return image;
}

/** A chunk with its header, and a zero where its length is odd. */
export function webpChunk(name: string, data: Uint8Array): Bytes {
  const header = new Uint8Array(HEADER_BYTES);
  header.set(utf8(name));
  viewOf(header).setUint32(4, data.length, true);
  return concatBytes(header, data, new Uint8Array(data.length % 2));
}

function filterChunks(chunks: Bytes, keeps: ChunkFilter): Bytes[] {
  const kept: Bytes[] = [];
  for (const { type, data } of chunksIn(chunks)) {
    const length = type === "ICCP" ? profileLength(data) : LENGTHS.get(type);
    const part = type === "ANMF" ? filterFrame(data, keeps) : data.subarray(0, length);
    if (keeps(type)) kept.push(webpChunk(type, part));
  }
  return kept;
}

function filterFrame(frame: Bytes, keeps: ChunkFilter): Bytes {
  return joinBytes([frame.subarray(0, FRAME_BYTES), ...filterChunks(frame.subarray(FRAME_BYTES), keeps)]);
}

function nameOf(chunk: Uint8Array): string {
  return shortLatin1(chunk, { end: 4 });
}

function withFlags(chunk: Bytes, names: ReadonlySet<string>): Bytes {
  const changed = chunk.slice();
  let flags = changed[HEADER_BYTES] ?? 0;
  for (const [name, bit] of Object.entries(FLAGS)) flags = names.has(name) ? flags | bit : flags & ~bit;
  changed[HEADER_BYTES] = flags;
  return changed;
}
