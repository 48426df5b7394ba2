import { byteAt, type Bytes, joinBytes } from "../../wire/bytes.ts";
import { damagedImage, shortLatin1, viewOf } from "./image-info.ts";
import type { Animation, Pixels } from "./pixels.ts";
import { COLOR_TYPE, writePng } from "./png/write.ts";
import { readGif, skipBlocks, tableBytes } from "./readers/gif.ts";
import type { Region } from "./region.ts";

const [IMAGE, EXTENSION, CONTROL_LABEL] = [0x2c, 0x21, 0xf9];
/** Flags of a control block (GIF89a, 23), and of an image (20). */
const [HAS_TRANSPARENT, INTERLACED] = [1, 0x40];
const CHANNELS = 4;

interface GifFrame extends Region {
  readonly isInterlaced: boolean;
  /** Red, green and blue of each index. */
  readonly colors: Uint8Array;
  readonly transparent: number | undefined;
  readonly delayMs: number;
  readonly disposal: "keep" | "clear" | "restore";
  /** Where its pixels begin. */
  readonly data: number;
}

/**
 * Whether a GIF leaves a part of its screen free. Where no index is transparent, libnsgif paints that part, and browsers
 * show what is behind it.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function hasFreeScreen(gif: Uint8Array): boolean {
  const { width, height } = readGif(gif);
  let isCleared = true;
  for (const frame of framesIn(gif)) {
    if (isCleared && (frame.width !== width || frame.height !== height)) return true;
    isCleared = frame.disposal === "clear";
  }
  return false;
}

/**
 * Draws the frames of a GIF over each other, as browsers show them.
 * @throws ToolFailure damaged_file, too_complex; RangeError when it is cut
 */
export function composeGif(gif: Uint8Array): Animation {
  const { width, height } = readGif(gif);
  const frames = [...framesIn(gif)];
  const data = new Uint8Array(frames.length * width * height * CHANNELS);
  let at = 0;
  for (const shown of shownFrames(gif, { width, height, frames })) {
    data.set(shown, at);
    at += shown.length;
  }
  const delaysMs = frames.map(({ delayMs }) => delayMs);
  return { width, height, channels: CHANNELS, data, delaysMs, plays: playsOf(gif) };
}

/** The first frame of a GIF that leaves a part of its screen free, as a PNG that is stored and not compressed. */
export function firstFrame(gif: Uint8Array): Bytes {
  const { width, height } = readGif(gif);
  const [first] = shownFrames(gif, { width, height, frames: framesIn(gif) });
  if (!first) throw damagedImage("it holds no picture");
  return storedPng({ width, height, channels: CHANNELS, data: first });
}

function storedPng({ width, height, data }: Pixels): Bytes {
  const rowBytes = width * CHANNELS;
  const rows = new Uint8Array(height * (1 + rowBytes));
  for (let y = 0; y < height; y++)
    rows.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), y * (1 + rowBytes) + 1);
  return writePng({ width, height, bitDepth: 8, colorType: COLOR_TYPE.rgba }, { rows, level: 0 });
}

/** The canvas after each frame; it changes with the next. */
function* shownFrames(
  gif: Uint8Array,
  { width, height, frames }: { width: number; height: number; frames: Iterable<GifFrame> },
): Generator<Uint8Array> {
  let canvas = new Uint8Array(width * height * CHANNELS);
  for (const frame of frames) {
    const before = frame.disposal === "restore" ? canvas.slice() : canvas;
    draw(unpack(gif, frame), { frame, canvas, width });
    yield canvas;
    canvas = before;
    if (frame.disposal !== "clear") continue;
    for (let y = frame.top; y < frame.top + frame.height; y++) {
      const start = (y * width + frame.left) * CHANNELS;
      canvas.fill(0, start, start + frame.width * CHANNELS);
    }
  }
}

function draw(
  indexes: Uint8Array,
  { frame, canvas, width }: { frame: GifFrame; canvas: Uint8Array; width: number },
): void {
  const { colors, transparent, left, top } = frame;
  for (const [i, row] of rowOrder(frame).entries()) {
    let to = ((top + row) * width + left) * CHANNELS;
    const end = Math.min((i + 1) * frame.width, indexes.length);
    for (let at = i * frame.width; at < end; at++, to += CHANNELS) {
      const index = byteAt(indexes, at);
      if (index === transparent) continue;
      for (let channel = 0; channel < 3; channel++) canvas[to + channel] = colors[3 * index + channel] ?? 0;
      canvas[to + 3] = 255;
    }
  }
}

/** Which row of the frame each row of its data is (GIF89a, appendix E). */
function rowOrder({ height, isInterlaced }: GifFrame): number[] {
  const passes = isInterlaced
    ? ([
        [0, 8],
        [4, 8],
        [2, 4],
        [1, 2],
      ] as const)
    : ([[0, 1]] as const);
  return passes.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((height - first) / step)) }, (_, i) => first + i * step),
  );
}

/** Where each picture and each extension begins. */
function* blocksIn(gif: Uint8Array): Generator<number> {
  const view = viewOf(gif);
  for (let at = 13 + tableBytes(byteAt(gif, 10)); gif[at] === IMAGE || gif[at] === EXTENSION;) {
    yield at;
    at = skipBlocks(view, gif[at] === IMAGE ? at + 11 + tableBytes(byteAt(gif, at + 9)) : at + 2);
  }
}

function* framesIn(gif: Uint8Array): Generator<GifFrame> {
  const view = viewOf(gif);
  const screen = tableOf(gif, byteAt(gif, 10), 13);
  let control: number | undefined;
  for (const at of blocksIn(gif)) {
    if (gif[at] === EXTENSION) {
      if (gif[at + 1] === CONTROL_LABEL) control = at + 3;
      continue;
    }
    const flags = byteAt(gif, at + 9);
    const own = tableOf(gif, flags, at + 10);
    const packed = control === undefined ? 0 : byteAt(gif, control);
    yield {
      left: view.getUint16(at + 1, true),
      top: view.getUint16(at + 3, true),
      width: view.getUint16(at + 5, true),
      height: view.getUint16(at + 7, true),
      isInterlaced: (flags & INTERLACED) !== 0,
      colors: own.length > 0 ? own : screen,
      transparent: control !== undefined && (packed & HAS_TRANSPARENT) !== 0 ? gif[control + 3] : undefined,
      delayMs: control === undefined ? 0 : 10 * view.getUint16(control + 1, true),
      disposal: ({ 2: "clear", 3: "restore" } as const)[(packed >> 2) & 7] ?? "keep",
      data: at + 10 + own.length,
    };
    control = undefined;
  }
}

function tableOf(gif: Uint8Array, flags: number, at: number): Uint8Array {
  return gif.subarray(at, at + tableBytes(flags));
}

/**
 * How often it is played: once more than the last of Netscape's blocks says, wherever that stands, or forever where that
 * says 0, as libnsgif reads it.
 */
function playsOf(gif: Uint8Array): number {
  const view = viewOf(gif);
  let plays = 1;
  for (const at of blocksIn(gif)) {
    if (gif[at] === IMAGE) continue;
    const name = shortLatin1(gif, { start: at + 3, end: at + 14 });
    if (name === "NETSCAPE2.0" || name === "ANIMEXTS1.0") {
      const again = view.getUint16(at + 16, true);
      plays = again === 0 ? 0 : again + 1;
    }
  }
  return plays;
}

const [MOST_BITS, MAX_CODES] = [12, 4096];

/**
 * The indexes of a frame, unpacked from LZW (GIF89a, appendix F); fewer than it has pixels where its data ends early.
 * @throws ToolFailure damaged_file
 */
function unpack(gif: Uint8Array, { data, width, height }: GifFrame): Uint8Array {
  const minimum = byteAt(gif, data);
  const packed = joinBytes(blocksAt(gif, data + 1));
  const indexes = new Uint8Array(width * height);
  const clear = 1 << minimum;
  // Each code stands for what was written for the code before it, and for one index more.
  const [starts, lengths] = [new Uint32Array(MAX_CODES), new Uint32Array(MAX_CODES)];
  let [bits, next, at, lastAt] = [minimum + 1, clear + 2, 0, 0];
  for (let bit = 0; bit + bits <= 8 * packed.length && at < indexes.length;) {
    const code = readCode(packed, bit, bits);
    bit += bits;
    if (code === clear + 1) break;
    if (code === clear) {
      [bits, next, lastAt] = [minimum + 1, clear + 2, at];
      continue;
    }
    if (at > lastAt && next < MAX_CODES) {
      starts[next] = lastAt;
      lengths[next] = at - lastAt + 1;
      if (++next === 1 << bits && bits < MOST_BITS) bits++;
    }
    if (code >= next || minimum > 8) throw damagedImage("a frame cannot be unpacked");
    lastAt = at;
    if (code < clear) indexes[at++] = code;
    else {
      const end = Math.min(at + (lengths[code] ?? 0), indexes.length);
      // The source may overlap the bytes that are being written.
      for (let from = starts[code] ?? 0; at < end;) indexes[at++] = byteAt(indexes, from++);
    }
  }
  return indexes.subarray(0, at);
}

function readCode(packed: Uint8Array, bit: number, bits: number): number {
  const at = bit >> 3;
  const three = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8) | ((packed[at + 2] ?? 0) << 16);
  return (three >> (bit & 7)) & ((1 << bits) - 1);
}

function blocksAt(gif: Uint8Array, start: number): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let at = start, length = byteAt(gif, at); length > 0; at += 1 + length, length = byteAt(gif, at))
    blocks.push(gif.subarray(at + 1, at + 1 + length));
  return blocks;
}
