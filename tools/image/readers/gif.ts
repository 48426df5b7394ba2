import {
  makePartCounter,
  type ImageInfo,
  type MetadataKind,
  damagedImage,
  shortLatin1,
  viewOf,
} from "../image-info.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const COMMENT_LABEL = 0xfe;
const APPLICATION_LABEL = 0xff;

/**
 * Reads the blocks of a GIF (GIF89a, 17 to 27) up to its end.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function readGif(bytes: Uint8Array): ImageInfo {
  const view = viewOf(bytes);
  const metadata = new Set<MetadataKind>();
  let [width, height, frames] = [view.getUint16(6, true), view.getUint16(8, true), 0];
  let hasBadEnd = false;
  const count = makePartCounter("blocks");
  let at = 13 + tableBytes(view.getUint8(10));
  while (true) {
    // After a complete picture viewers miss nothing.
    if (at === bytes.length && frames > 0) {
      hasBadEnd = true;
      break;
    }
    const block = view.getUint8(at);
    if (block === TRAILER) break;
    count();
    if (block === IMAGE) {
      frames++;
      // A picture beyond the screen makes decoders enlarge the screen.
      width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
      height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
      at = skipBlocks(view, at + 11 + tableBytes(view.getUint8(at + 9)));
    } else if (block === EXTENSION) {
      for (const kind of kindsOf(bytes, at)) metadata.add(kind);
      at = skipBlocks(view, at + 2);
    } else if (frames > 0) {
      // Viewers treat it as the end.
      hasBadEnd = true;
      break;
    } else throw damagedImage("a block is of no known kind");
  }
  if (frames === 0 || width * height === 0) throw damagedImage("it holds no picture");
  return {
    width,
    height,
    frames,
    decodedPixels: frames * width * height,
    hasMorePictures: false,
    hasBadEnd,
    metadata,
  };
}

/** Length of the color table that the flags announce. */
export function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Where the blocks end that begin here. */
export function skipBlocks(view: DataView, start: number): number {
  let at = start;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}

function kindsOf(bytes: Uint8Array, at: number): readonly MetadataKind[] {
  const label = bytes[at + 1];
  if (label === COMMENT_LABEL) return ["comment"];
  if (label !== APPLICATION_LABEL) return [];
  const application = shortLatin1(bytes, { start: at + 3, end: at + 14 });
  if (application === "NETSCAPE2.0" || application === "ANIMEXTS1.0") return [];
  if (application === "XMP DataXMP") return ["xmp"];
  return [application === "ICCRGBG1012" ? "icc" : "other"];
}
