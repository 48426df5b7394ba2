import { concatBytes, type Bytes } from "../../wire/bytes.ts";
import { dropJpegSegments } from "../../tools/image/jpeg-segments.ts";
import type { TargetFormat } from "../../tools/image-convert.ts";

/**
 * Takes out what a browser's encoder adds of its own: a colour profile that says sRGB, which is what an image
 * without one is taken for.
 */
export function dropProfile(image: Bytes, format: TargetFormat): Bytes {
  if (format === "jpeg") return dropJpegSegments(image, isApplication);
  return format === "webp" ? dropWebpChunks(image) : image;
}

// APP1 to APP13; JFIF (APP0) and Adobe (APP14) tell how to read the picture.
const [FIRST_APPLICATION, LAST_APPLICATION] = [0xe1, 0xed];

function isApplication([, marker = 0]: Uint8Array): boolean {
  return marker >= FIRST_APPLICATION && marker <= LAST_APPLICATION;
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
