import { type Bytes, joinBytes } from "../../wire/bytes.ts";

const START_OF_SCAN = 0xda;

/**
 * A JPEG without some of the segments before its picture (ISO/IEC 10918-1, B.1): each is a marker, a length that counts
 * itself, and what it says. The same bytes where none goes, or where it is no sound JPEG.
 */
export function dropJpegSegments(image: Bytes, isDropped: (segment: Uint8Array) => boolean): Bytes {
  if (image[0] !== 0xff || image[1] !== 0xd8) return image;
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const kept: Uint8Array[] = [image.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= image.length && image[at] === 0xff && image[at + 1] !== START_OF_SCAN) {
    const end = at + 2 + view.getUint16(at + 2);
    if (end > image.length) return image;
    const segment = image.subarray(at, end);
    if (!isDropped(segment)) kept.push(segment);
    at = end;
  }
  const changed = joinBytes([...kept, image.subarray(at)]);
  return changed.length === image.length ? image : changed;
}
