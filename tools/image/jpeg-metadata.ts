import { type Bytes, concatBytes, joinBytes } from "../../wire/bytes.ts";
import { profileLength, shortLatin1, viewOf } from "./image-info.ts";
import { jpegParts, type JpegPart } from "./readers/jpeg.ts";

const [SOI, SOS, DNL, DRI, APP0, APP2, APP14] = [0xd8, 0xda, 0xdc, 0xdd, 0xe0, 0xe2, 0xee];
/** Markers of tables, frames and scans (ISO 10918-1, B.1.1.3); JPG, among them, is reserved. */
const [FIRST, JPG] = [0xc0, 0xc8];
/** Conditions for frames with arithmetic coding, whose markers are around it; others skip them. */
const [DAC, FIRST_ARITHMETIC, LAST_ARITHMETIC] = [0xcc, 0xc9, 0xcf];
const START = Uint8Array.of(0xff, SOI);
const END = Uint8Array.of(0xff, 0xd9);
const EXIF_MARKER = [0xff, 0xe1];
const EXIF_LABEL = [0x45, 0x78, 0x69, 0x66, 0, 0];
/** The lengths of these segments where they end with the part that decoders read; the marker does not count. */
const JFIF_LENGTH = 16;
/** Marker, length, label, and the number of the segment and of all. */
const [NUMBER_AT, PROFILE_START] = [16, 18];
const LENGTHS: Readonly<Record<number, number>> = { [APP14]: 14, [DNL]: 4, [DRI]: 4 };

/** A JPEG made of the parts needed to show its pixels right, and perhaps an Exif block. */
export function withoutMetadata(parts: readonly JpegPart[], exif?: Bytes): Bytes {
  const isArithmetic = parts.some(
    ({ marker }) => marker >= FIRST_ARITHMETIC && marker <= LAST_ARITHMETIC && marker !== DAC,
  );
  const kept = parts.filter((part) => isNeeded(part) && (part.marker !== DAC || isArithmetic));
  let left: number | undefined;
  const bytes = kept.map(({ marker, bytes }) => {
    if (marker === APP0) return withoutThumbnail(bytes);
    if (marker === APP2) {
      // A profile is one or more segments, and says in the first how long it is.
      left ??= bytes[NUMBER_AT] === 1 ? profileLength(bytes.subarray(PROFILE_START)) : Infinity;
      const own = Math.min(bytes.length - PROFILE_START, left);
      left -= own;
      return cutSegment(bytes, PROFILE_START - 2 + own);
    }
    return cutSegment(bytes, LENGTHS[marker]);
  });
  const at = kept[0]?.marker === APP0 ? 1 : 0;
  return joinBytes([
    START,
    ...bytes.slice(0, at),
    ...(exif ? [exifSegment(exif)] : []),
    ...bytes.slice(at),
    END,
  ]);
}

/** Tables, frames and scans; JFIF, Adobe's color transform and the profile, which say how they are shown. */
function isNeeded({ marker, bytes }: JpegPart): boolean {
  if (marker < APP0) return marker >= FIRST && marker !== JPG;
  const label = shortLatin1(bytes, { start: 4, end: 16 });
  if (marker === APP0) return label.startsWith("JFIF\0");
  if (marker === APP14) return label.startsWith("Adobe");
  return marker === APP2 && label.startsWith("ICC_PROFILE\0");
}

/** A JFIF segment can contain a small copy of the picture. */
function withoutThumbnail(segment: Uint8Array): Bytes {
  const short = new Uint8Array(2 + JFIF_LENGTH);
  // The last two bytes are the width and height of the thumbnail, which stay zero.
  short.set(segment.subarray(0, short.length - 2));
  viewOf(short).setUint16(2, JFIF_LENGTH);
  return short;
}

function cutSegment(segment: Uint8Array, length = segment.length): Uint8Array {
  if (segment.length <= 2 + length) return segment;
  const short = segment.slice(0, 2 + length);
  viewOf(short).setUint16(2, length);
  return short;
}

function exifSegment(exif: Bytes): Bytes {
  const length = 2 + EXIF_LABEL.length + exif.length;
  return concatBytes(Uint8Array.of(...EXIF_MARKER, length >> 8, length & 0xff, ...EXIF_LABEL), exif);
}

/**
 * A JPEG without metadata, as decoders read it; an incomplete one keeps what is there, and gets an end. The same bytes if it has none,
 * or is not a JPEG.
 */
export function dropJpegMetadata(image: Bytes): Bytes {
  const start = findStart(image);
  if (start < 0) return image;
  const stripped = withoutMetadata([...jpegParts(image.subarray(start), { isWhole: false })]);
  const isSame = start === 0 && isBeginning(stripped.subarray(0, -END.length), image);
  return isSame && isPadding(image.subarray(stripped.length)) ? image : stripped;
}

/** Where an image begins: decoders skip what comes before it. */
function findStart(bytes: Uint8Array): number {
  if (bytes[0] === 0xff && bytes[1] === SOI) return 0;
  let at = bytes.indexOf(0xff);
  while (at >= 0 && !(bytes[at + 1] === SOI && bytes[at + 2] === 0xff)) at = bytes.indexOf(0xff, at + 1);
  return at;
}

function isBeginning(bytes: Uint8Array, of: Uint8Array): boolean {
  return bytes.length <= of.length && bytes.every((code, i) => code === of[i]);
}

/** Some programs end the data of a stream with a line break or with zeros. */
export function isPadding(bytes: Uint8Array): boolean {
  return bytes.every((code) => code === 0 || code === 10 || code === 13 || code === 32);
}

/** The segments before the picture of a JPEG, each with marker and length; none where it is not valid. */
export function jpegSegments(image: Uint8Array): Uint8Array[] {
  const segments: Uint8Array[] = [];
  if (image[0] !== 0xff || image[1] !== SOI) return segments;
  for (const { marker, bytes } of jpegParts(image, { isWhole: false })) {
    if (marker === SOS) break;
    segments.push(bytes);
  }
  return segments;
}

/** A JPEG without some of its segments; the same bytes where none is dropped. */
export function dropJpegSegments(image: Bytes, isDropped: (marker: number) => boolean): Bytes {
  if (image[0] !== 0xff || image[1] !== SOI) return image;
  const parts = [...jpegParts(image, { isWhole: false })];
  const kept = parts.filter(({ marker }) => !isDropped(marker)).map(({ bytes }) => bytes);
  return kept.length === parts.length ? image : joinBytes([START, ...kept, END]);
}
