import { type Bytes, joinBytes } from "../../wire/bytes.ts";

const START_OF_SCAN = 0xda;

/** The segments before the picture of a JPEG, and what comes behind them. */
interface JpegSegments {
  /** Each with its marker and its length, which counts itself. */
  readonly segments: readonly Uint8Array[];
  readonly rest: Uint8Array;
}

/** Reads a JPEG up to its first scan (ISO/IEC 10918-1, B.1); undefined where it is no sound one. */
export function jpegSegments(image: Uint8Array): JpegSegments | undefined {
  if (image[0] !== 0xff || image[1] !== 0xd8) return undefined;
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const segments: Uint8Array[] = [];
  let at = 2;
  while (at + 4 <= image.length && image[at] === 0xff && image[at + 1] !== START_OF_SCAN) {
    const end = at + 2 + view.getUint16(at + 2);
    if (end > image.length) return undefined;
    segments.push(image.subarray(at, end));
    at = end;
  }
  return { segments, rest: image.subarray(at) };
}

/** A JPEG without some of the segments before its picture; the same bytes where none goes, or where it is no sound JPEG. */
export function dropJpegSegments(image: Bytes, isDropped: (segment: Uint8Array) => boolean): Bytes {
  const read = jpegSegments(image);
  if (!read?.segments.some(isDropped)) return image;
  const kept = read.segments.filter((segment) => !isDropped(segment));
  return joinBytes([image.subarray(0, 2), ...kept, read.rest]);
}
