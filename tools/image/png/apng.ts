import { type Bytes, concatBytes, joinBytes, byteAt } from "../../../wire/bytes.ts";
import { damagedImage, viewOf } from "../image-info.ts";
import { type Animation, type Pixels, type Size, turnUpright } from "../pixels.ts";
import { pngChunk, SIGNATURE } from "./write.ts";
import { readOrientation } from "../readers/exif.ts";
import { pngChunks } from "../readers/png.ts";

/** How one frame is put on the canvas (W3C PNG, third edition, 11.3.6.2). */
interface Frame extends Size {
  readonly x: number;
  readonly y: number;
  readonly delayMs: number;
  readonly disposal: "keep" | "clear" | "restore";
  readonly isBlended: boolean;
  /** Compressed pixels. */
  readonly parts: Uint8Array[];
}

interface Apng extends Size {
  readonly header: Bytes;
  readonly plays: number;
  /** As in Exif, 1 to 8. */
  readonly orientation: number;
  /** What decoding each frame needs: palette, transparency, color space. */
  readonly shared: readonly Bytes[];
  readonly frames: readonly Frame[];
}

const SHARED = new Set(["PLTE", "tRNS", "iCCP", "gAMA", "cHRM", "sRGB", "cICP", "sBIT"]);
const FRAME_CONTROL_BYTES = 26;
/** What a denominator of zero stands for. */
const DEFAULT_DENOMINATOR = 100;
const CHANNELS = 4;

/**
 * Draws the frames of an APNG over each other, as a viewer shows them, upright. Each is passed to `decode` as a PNG.
 * @throws ToolFailure damaged_file
 */
export async function composeApng(
  image: Bytes,
  decode: (png: Bytes) => Promise<Pixels | undefined>,
): Promise<Animation | undefined> {
  const { header, width, height, plays, orientation, shared, frames } = readApng(image);
  const frameBytes = width * height * CHANNELS;
  const data = new Uint8Array(frameBytes * frames.length);
  let canvas = new Uint8Array(frameBytes);
  for (const [i, frame] of frames.entries()) {
    const pixels = await decode(writeFrame(frame, { header, shared }));
    if (!pixels || pixels.width !== frame.width || pixels.height !== frame.height) return undefined;
    const before = frame.disposal === "restore" ? canvas.slice() : canvas;
    draw(pixels, { frame, canvas, width });
    data.set(canvas, i * frameBytes);
    canvas = before;
    if (frame.disposal === "clear") clear(frame, { canvas, width });
  }
  const delaysMs = frames.map(({ delayMs }) => delayMs);
  return turnUpright({ width, height, channels: CHANNELS, data, delaysMs, plays }, orientation);
}

function readApng(image: Bytes): Apng {
  const frames: Frame[] = [];
  const shared: Bytes[] = [];
  let header = new Uint8Array(0);
  let [plays, orientation] = [0, 1];
  for (const { type, start, end, data } of pngChunks(image)) {
    if (type === "IHDR") header = data.slice();
    else if (type === "acTL") plays = viewOf(data).getUint32(4);
    else if (type === "fcTL") frames.push(readFrame(data));
    // Pixels before the first frame are a still image for programs without animations.
    else if (type === "IDAT") frames.at(-1)?.parts.push(data);
    else if (type === "fdAT") frames.at(-1)?.parts.push(data.subarray(4));
    else if (type === "eXIf") orientation = readOrientation(data);
    else if (SHARED.has(type)) shared.push(image.slice(start, end));
  }
  const [width, height] = [viewOf(header).getUint32(0), viewOf(header).getUint32(4)];
  const fits = (frame: Frame) => frame.x + frame.width <= width && frame.y + frame.height <= height;
  if (!frames.every((frame) => fits(frame) && frame.parts.length > 0)) {
    throw damagedImage("a frame lies outside of it or has no pixels");
  }
  return { header, width, height, plays, orientation, shared, frames };
}

const DISPOSALS = ["keep", "clear", "restore"] as const;

function readFrame(data: Uint8Array): Frame {
  const view = viewOf(data);
  if (view.byteLength < FRAME_CONTROL_BYTES) throw damagedImage("a frame is cut");
  const seconds = view.getUint16(20) / (view.getUint16(22) || DEFAULT_DENOMINATOR);
  return {
    width: view.getUint32(4),
    height: view.getUint32(8),
    x: view.getUint32(12),
    y: view.getUint32(16),
    delayMs: Math.round(seconds * 1000),
    disposal: DISPOSALS[view.getUint8(24)] ?? "keep",
    isBlended: view.getUint8(25) === 1,
    parts: [],
  };
}

function writeFrame(frame: Frame, { header, shared }: Pick<Apng, "header" | "shared">): Bytes {
  const size = header.slice();
  viewOf(size).setUint32(0, frame.width);
  viewOf(size).setUint32(4, frame.height);
  const chunks = [pngChunk("IHDR", size), ...shared, pngChunk("IDAT", joinBytes(frame.parts))];
  return concatBytes(SIGNATURE, ...chunks, pngChunk("IEND", new Uint8Array(0)));
}

interface Canvas {
  readonly canvas: Uint8Array;
  /** The size of the canvas, in pixels. */
  readonly width: number;
}

function draw({ data, channels }: Pixels, { frame, canvas, width }: Canvas & { frame: Frame }): void {
  const isGray = channels < 3;
  const hasAlpha = channels % 2 === 0;
  for (let row = 0, from = 0; row < frame.height; row++) {
    let to = ((frame.y + row) * width + frame.x) * CHANNELS;
    for (let column = 0; column < frame.width; column++, from += channels, to += CHANNELS) {
      const alpha = hasAlpha ? byteAt(data, from + channels - 1) : 255;
      const under = frame.isBlended && alpha < 255 ? byteAt(canvas, to + 3) : 0;
      // Porter and Duff's "over" on values that are not multiplied by alpha.
      const shown = (under * (255 - alpha)) / 255;
      const sum = alpha + shown;
      for (let channel = 0; channel < 3; channel++) {
        const value = byteAt(data, from + (isGray ? 0 : channel));
        canvas[to + channel] =
          under === 0 || sum === 0
            ? value
            : Math.round((value * alpha + byteAt(canvas, to + channel) * shown) / sum);
      }
      canvas[to + 3] = Math.round(sum);
    }
  }
}

function clear({ x, y, width: columns, height }: Frame, { canvas, width }: Canvas): void {
  for (let row = y; row < y + height; row++) {
    const start = (row * width + x) * CHANNELS;
    canvas.fill(0, start, start + columns * CHANNELS);
  }
}
