import { joinBytes } from "../../../wire/bytes.ts";
import {
  makePartCounter,
  type ImageInfo,
  type MetadataKind,
  type PartCounter,
  damagedImage,
  shortLatin1,
  viewOf,
} from "../image-info.ts";
import { isTurnedSideways, readExifKinds } from "./exif.ts";

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COMMENT = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
/** Contains the color transform, without which the pixels would be wrong. */
const APP14 = 0xee;
const APP15 = 0xef;
/** Ultra HDR in XMP, ISO 21496-1, and Apple's. */
const GAIN_MAP = /hdrgm:Version|urn:iso:std:iso:ts:21496|HDRGainMap/;
const EXIF_LABEL = "Exif\0\0";
const MAX_LABEL = 4096;

/**
 * Reads the markers of a JPEG (ITU-T T.81, annex B) up to its end.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function readJpeg(bytes: Uint8Array): ImageInfo {
  const view = viewOf(bytes);
  const metadata = new Set<MetadataKind>();
  let size: { width: number; height: number } | undefined;
  let components = 3;
  let hasMorePictures = false;
  let hasGainMap = false;
  let isSideways = false;
  // What looks like a segment among pixels may be damage. An incomplete file does not end like this.
  const endsWell = bytes.at(-2) === 0xff && bytes.at(-1) === EOI;
  let hasScan = false;
  let hasBadEnd = false;
  let rareCoding: Pick<ImageInfo, "rareCoding"> = {};
  const count = makePartCounter("segments");
  let at = 2;
  while (true) {
    // Decoders skip stray bytes between segments.
    at = bytes.indexOf(0xff, at);
    if (at < 0) throw damagedImage("its end is missing");
    const marker = view.getUint8(at + 1);
    if (hasNoSegment(marker)) at++;
    else if (marker === EOI) break;
    else {
      count();
      const end = at + 2 + view.getUint16(at + 2);
      if (end > bytes.length && hasScan && endsWell) {
        hasBadEnd = true;
        break;
      }
      if (end > bytes.length) throw damagedImage("a segment is cut");
      if (isFrameHeader(marker) && !size) {
        size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
        components = view.getUint8(at + 9);
        rareCoding = rareCodingOf(marker, view.getUint8(at + 4));
      }
      const segment = bytes.subarray(at + 4, end);
      hasMorePictures ||= marker === APP2 && shortLatin1(segment, { end: 4 }) === "MPF\0";
      hasGainMap ||= GAIN_MAP.test(shortLatin1(segment, { end: MAX_LABEL }));
      isSideways ||= isExif(marker, segment) && isTurnedSideways(segment.subarray(EXIF_LABEL.length));
      for (const kind of kindsOf(marker, segment)) metadata.add(kind);
      hasScan ||= marker === SOS;
      at = marker === SOS ? skipScan(bytes, end, count) : end;
    }
  }
  if (!size || size.width * size.height === 0) throw damagedImage("it does not say how large it is");
  const samples = { isGray: components === 1, isCmyk: components === 4 };
  const decodedPixels = size.width * size.height;
  const more = { hasMorePictures, hasBadEnd, hasGainMap, ...(!hasBadEnd && { endsAt: at + 2 }) };
  return { ...size, frames: 1, decodedPixels, metadata, isSideways, ...more, ...samples, ...rareCoding };
}

/** Frames that no common decoder reads (ISO/IEC 10918-1, table B.1): of other samples, without loss, and in layers. */
function rareCodingOf(marker: number, bits: number): Pick<ImageInfo, "rareCoding"> {
  if (bits !== 8) return { rareCoding: `JPEG with ${bits} bits a sample` };
  return [0xc0, 0xc1, 0xc2, 0xc9, 0xca].includes(marker)
    ? {}
    : { rareCoding: "lossless or hierarchical JPEG" };
}

/** A segment of a JPEG; SOS includes the compressed pixels after it, without what decoders skip. */
export interface JpegPart {
  readonly marker: number;
  /** The whole segment, with its marker. */
  readonly bytes: Uint8Array;
}

/**
 * The segments of a JPEG to its end, without stray bytes between them. One that need not be `whole` is read as far as
 * decoders read it: to the end of incomplete pixels, and not into an incomplete segment.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is incomplete
 */
export function* jpegParts(bytes: Uint8Array, { isWhole = true } = {}): Generator<JpegPart, void> {
  const view = viewOf(bytes);
  const count = makePartCounter("segments");
  for (let at = bytes.indexOf(0xff, 2); at >= 0; at = bytes.indexOf(0xff, at)) {
    if (!isWhole && at + 4 > bytes.length) return;
    const marker = view.getUint8(at + 1);
    if (marker === EOI) return;
    if (hasNoSegment(marker)) {
      at++;
      continue;
    }
    count();
    const head = at + 2 + view.getUint16(at + 2);
    const { end, skips } = marker === SOS ? findEndOfScan(bytes, head, count) : { end: head, skips: [] };
    if (isWhole && end < 0) throw damagedImage("its end is missing");
    if (isWhole && end > bytes.length) throw damagedImage("a segment is cut");
    if (end > bytes.length) return;
    yield { marker, bytes: withoutSkips(bytes, { start: at, end: end < 0 ? bytes.length : end, skips }) };
    if (end < 0) return;
    at = end;
  }
}

/** The Exif block of a JPEG. */
export function exifOfJpeg(parts: readonly JpegPart[]): Uint8Array | undefined {
  const exif = parts.find(({ marker, bytes }) => isExif(marker, bytes.subarray(4)));
  return exif?.bytes.subarray(4 + EXIF_LABEL.length);
}

/** Whether a segment begins a frame (ITU-T T.81, table B.1). */
export function isFrameHeader(marker: number): boolean {
  // C4, C8 and CC between them are tables and an extension.
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function skipScan(bytes: Uint8Array, start: number, count: PartCounter): number {
  const { end } = findEndOfScan(bytes, start, count);
  if (end < 0) throw damagedImage("its end is missing");
  return end;
}

/** Fill bytes and stray ones, restart markers, SOI and TEM (table B.1): no length follows, and decoders go on to the next marker. */
function hasNoSegment(marker: number): boolean {
  return marker === 0xff || marker <= 1 || (marker >= 0xd0 && marker <= SOI);
}

/** The first of the markers that decoders know; those before it are reserved (table B.1). */
const FIRST_KNOWN = 0xc0;

/** What decoders skip, from and to these bytes. */
type Skip = readonly [from: number, to: number];

/**
 * The next marker after compressed data, in which FF is followed by 00 or a restart marker (B.1.1.5); -1 for none. After
 * a marker that is reserved, as in a bad block of a memory card, decoders go on at the next restart. Each of what they
 * skip counts as a part: a file of nothing else would have as many as a quarter of its bytes.
 */
function findEndOfScan(
  bytes: Uint8Array,
  start: number,
  count: PartCounter,
): { end: number; skips: readonly Skip[] } {
  const skips: Skip[] = [];
  let bad = -1;
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next === 0 || next === 0xff) continue;
    if (next < FIRST_KNOWN) bad = bad < 0 ? at : bad;
    else {
      if (bad >= 0) {
        count();
        skips.push([bad, at]);
      }
      bad = -1;
      if (next < 0xd0 || next > 0xd7) return { end: at, skips };
    }
  }
  if (bad >= 0) skips.push([bad, bytes.length]);
  return { end: -1, skips };
}

function withoutSkips(
  bytes: Uint8Array,
  { start, end, skips }: { start: number; end: number; skips: readonly Skip[] },
): Uint8Array {
  if (skips.length === 0) return bytes.subarray(start, end);
  const starts = [start, ...skips.map(([, to]) => to)];
  return joinBytes(starts.map((from, i) => bytes.subarray(from, skips[i]?.[0] ?? end)));
}

function isExif(marker: number, segment: Uint8Array): boolean {
  return marker === APP1 && shortLatin1(segment, { end: EXIF_LABEL.length - 1 }) === EXIF_LABEL.slice(0, -1);
}

function kindsOf(marker: number, segment: Uint8Array): readonly MetadataKind[] {
  if (marker === COMMENT) return ["comment"];
  if (marker < APP0 || marker > APP15 || marker === APP14) return [];
  const label = shortLatin1(segment, { end: 32 });
  if (label.startsWith("JFIF\0") || label.startsWith("JFXX\0")) return [];
  if (isExif(marker, segment)) return readExifKinds(segment.subarray(EXIF_LABEL.length));
  if (label.startsWith("http://ns.adobe.com/")) return ["xmp"];
  if (label.startsWith("ICC_PROFILE\0")) return ["icc"];
  if (label.startsWith("Photoshop 3.0\0")) return ["iptc"];
  return ["other"];
}
