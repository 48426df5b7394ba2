import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { dropJpegSegments } from "../../image/jpeg-segments.ts";
import { latin1 } from "../syntax/lexer.ts";

const COMMENT = 0xfe;
/** Exif and XMP are in APP1, Photoshop's notes and IPTC in APP13; APP0 and APP14 tell how to read the picture. */
const APPLICATIONS = [0xe0, 0xef] as const;
const KEPT = [0xe0, 0xee];
const PROFILE_MARKER = 0xe2;
const PROFILE = "ICC_PROFILE\0";

/** A JPEG without Exif, XMP, IPTC and comments; the same bytes where it has none. */
export function withoutJpegMetadata(image: Bytes): Bytes {
  return dropJpegSegments(image, isMetadata);
}

function isMetadata(segment: Uint8Array): boolean {
  const marker = segment[1] ?? 0;
  if (marker === COMMENT) return true;
  if (marker < APPLICATIONS[0] || marker > APPLICATIONS[1] || KEPT.includes(marker)) return false;
  const head = latin1(segment, { from: 4, to: Math.min(segment.length, 4 + PROFILE.length) });
  return !(marker === PROFILE_MARKER && head === PROFILE);
}

/** Boxes of JPEG 2000 that describe: XML, UUID, and lists of UUIDs (ISO/IEC 15444-1, I.7). */
const DESCRIBING = ["xml ", "uuid", "uinf"];
const SIGNATURE = "jP  ";

/** A JPEG 2000 file without its describing boxes; the same bytes where it has none, or is no file but a codestream. */
export function withoutJpxMetadata(image: Bytes): Bytes {
  if (image.length < 12 || latin1(image, { from: 4, to: 8 }) !== SIGNATURE) return image;
  const view = new DataView(image.buffer, image.byteOffset, image.length);
  const kept: Uint8Array[] = [];
  for (let at = 0; at < image.length;) {
    // A box without a length goes to the end; one with a length of 64 bits is longer than any file here.
    const length = at + 8 <= image.length ? view.getUint32(at) || image.length - at : 0;
    if (length < 8 || at + length > image.length) return image;
    if (!DESCRIBING.includes(latin1(image, { from: at + 4, to: at + 8 })))
      kept.push(image.subarray(at, at + length));
    at += length;
  }
  const changed = joinBytes(kept);
  return changed.length === image.length ? image : changed;
}
