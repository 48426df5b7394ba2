import { byteAt, type Bytes, joinBytes } from "../../../wire/bytes.ts";
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
const CONTROL_LABEL = 0xf9;
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
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function skipBlocks(view: DataView, start: number): number {
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

/** Flags of a control block (23): whether its frame is removed before the next, and whether an index is transparent. */
const [REMOVED, TRANSPARENT] = [0b1000, 1];

/**
 * A GIF that leaves a part of its screen free, with an unused index of every frame made transparent; others stay as
 * they are. Where no index is transparent, libnsgif paints that part, and browsers show what is behind it.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function markFreeScreen(gif: Bytes): Bytes {
  const { width, height } = readGif(gif);
  const view = viewOf(gif);
  const frames = [...framesIn(gif)];
  const isFree = frames.some(({ at }, i) => {
    const isFull = view.getUint16(at + 5, true) === width && view.getUint16(at + 7, true) === height;
    return !isFull && (i === 0 || (byteAt(frames[i - 1]?.control ?? new Uint8Array(1), 0) & REMOVED) !== 0);
  });
  if (!isFree) return gif;
  const made = gif.slice();
  const pieces: Bytes[] = [];
  let from = 0;
  for (const { at, control, data } of framesIn(made)) {
    const index = unusedIndex(made, data);
    if (index === undefined || (control && (byteAt(control, 0) & TRANSPARENT) !== 0)) continue;
    if (control)
      control.set([byteAt(control, 0) | TRANSPARENT, byteAt(control, 1), byteAt(control, 2), index]);
    else {
      pieces.push(
        made.subarray(from, at),
        Uint8Array.of(EXTENSION, CONTROL_LABEL, 4, TRANSPARENT, 0, 0, index, 0),
      );
      from = at;
    }
  }
  return joinBytes([...pieces, made.subarray(from)]);
}

/** Where each frame and its pixels begin, and the four bytes of its control block, if it has one. */
function* framesIn(gif: Bytes): Generator<{ at: number; data: number; control: Bytes | undefined }> {
  const view = viewOf(gif);
  let control: Bytes | undefined;
  for (let at = 13 + tableBytes(byteAt(gif, 10)); gif[at] === IMAGE || gif[at] === EXTENSION;) {
    const isImage = gif[at] === IMAGE;
    const data = at + 10 + tableBytes(byteAt(gif, at + 9));
    if (isImage) yield { at, data, control };
    if (isImage || gif[at + 1] === CONTROL_LABEL)
      control = isImage ? undefined : gif.subarray(at + 3, at + 7);
    at = skipBlocks(view, isImage ? data + 1 : at + 2);
  }
}

/** An index that no pixel has. In what LZW packs (appendix F), each index that is used occurs as a code of its own. */
function unusedIndex(gif: Bytes, start: number): number | undefined {
  const clear = 1 << byteAt(gif, start);
  const used = new Set<number>();
  let [width, next, code, bits] = [0, 0, 0, 0];
  const restart = () => ([width, next] = [byteAt(gif, start) + 1, clear + 1]);
  restart();
  for (let at = start + 1; byteAt(gif, at) > 0; at += 1 + byteAt(gif, at)) {
    for (const byte of gif.subarray(at + 1, at + 1 + byteAt(gif, at))) {
      code |= byte << bits;
      for (bits += 8; bits >= width;) {
        const found = code & ((1 << width) - 1);
        [code, bits] = [code >> width, bits - width];
        if (found < clear) used.add(found);
        if (found === clear) restart();
        else if (next < 4096 && ++next === 1 << width && width < 12) width++;
      }
    }
  }
  return Array.from({ length: 256 }, (_, i) => i).findLast((index) => !used.has(index));
}
