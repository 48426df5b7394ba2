import { concatBytes, type Bytes } from "../../wire/bytes.ts";
import type { TargetFormat } from "../../tools/image-convert.ts";

/**
 * Takes out what a browser's encoder adds of its own: a colour profile that says sRGB, which is what an image
 * without one is taken for.
 */
export function dropProfile(image: Bytes, format: TargetFormat): Bytes {
  if (format === "jpeg") return dropJpegSegments(image);
  return format === "webp" ? dropWebpChunks(image) : image;
}

const START_OF_SCAN = 0xda;
// APP1 to APP13; JFIF (APP0) and Adobe (APP14) tell how to read the picture.
const [FIRST_APPLICATION, LAST_APPLICATION] = [0xe1, 0xed];

// ISO/IEC 10918-1, B.1: a marker, a length that counts itself, and what it says; the picture follows SOS.
function dropJpegSegments(image: Bytes): Bytes {
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const kept: Uint8Array[] = [image.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= image.length && view.getUint8(at + 1) !== START_OF_SCAN) {
    const end = at + 2 + view.getUint16(at + 2);
    const marker = view.getUint8(at + 1);
    if (marker < FIRST_APPLICATION || marker > LAST_APPLICATION) kept.push(image.subarray(at, end));
    at = end;
  }
  return concatBytes(...kept, image.subarray(at));
}

const HEADER_BYTES = 12;
const DROPPED: readonly string[] = ["ICCP", "EXIF", "XMP "];
const ALPHA_AND_ANIMATION = 0b0001_0010;

// RFC 9649, 2: chunks of a name, a length and an even number of bytes; VP8X says which others there are.
function dropWebpChunks(image: Bytes): Bytes {
  const whole = image.slice();
  const view = new DataView(whole.buffer);
  const kept: Uint8Array[] = [];
  for (let at = HEADER_BYTES; at + 8 <= whole.length;) {
    const name = new TextDecoder("latin1").decode(whole.subarray(at, at + 4));
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (name === "VP8X") view.setUint8(at + 8, view.getUint8(at + 8) & ALPHA_AND_ANIMATION);
    if (!DROPPED.includes(name)) kept.push(whole.subarray(at, end));
    at = end;
  }
  const body = concatBytes(...kept);
  view.setUint32(4, body.length + 4, true);
  return concatBytes(whole.subarray(0, HEADER_BYTES), body);
}
