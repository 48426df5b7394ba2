import { byteAt } from "../../wire/bytes.ts";
import { isSideways } from "./readers/exif.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** 8-bit pixels in sRGB: 1 to 4 channels of gray or RGB, with alpha as the last of 2 or 4. */
export interface Pixels extends Size {
  readonly channels: number;
  readonly data: Uint8Array;
}

/** Frames of the same size, one after the other in `data`; `height` is that of one. */
export interface Animation extends Pixels {
  readonly delaysMs: readonly number[];
  /** How often it is played; 0 means forever. */
  readonly plays: number;
}

/** Turns each frame as an orientation says (TIFF 6.0, Orientation; 1 to 8), in the same memory. */
export function turnUpright(animation: Animation, orientation: number): Animation {
  if (orientation < 2 || orientation > 8) return animation;
  const { width, height, channels, data } = animation;
  const [topRight, bottomLeft, last] = [width - 1, width * (height - 1), width * height - 1];
  const ways: Record<number, readonly [start: number, right: number, down: number]> = {
    2: [topRight, -1, width],
    3: [last, -1, -width],
    4: [bottomLeft, 1, -width],
    5: [0, width, 1],
    6: [bottomLeft, -width, 1],
    7: [last, -width, -1],
    8: [topRight, width, -1],
  };
  const [start, right, down] = ways[orientation] ?? [0, 1, width];
  const turned = isSideways(orientation) ? { width: height, height: width } : { width, height };
  const frameBytes = width * height * channels;
  for (let to = 0; to < data.length;) {
    // A Buffer's own slice() would be a view.
    const frame = new Uint8Array(data.subarray(to, to + frameBytes));
    for (let y = 0; y < turned.height; y++)
      for (let x = 0; x < turned.width; x++) {
        const from = (start + x * right + y * down) * channels;
        for (let channel = 0; channel < channels; channel++) data[to++] = byteAt(frame, from + channel);
      }
  }
  return { ...animation, ...turned };
}

/** Drops redundant channels: alpha where everything is opaque, two of three where red, green and blue are equal. */
export function dropChannels(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels;
  const hasAlpha = channels % 2 === 0 && isTransparent(pixels);
  const colors = channels > 2 && isColored(pixels) ? 3 : 1;
  const kept = colors + (hasAlpha ? 1 : 0);
  if (kept === channels) return pixels;
  const fewer = new Uint8Array(width * height * kept);
  for (let from = 0, to = 0; to < fewer.length; from += channels, to += kept) {
    for (let channel = 0; channel < colors; channel++) fewer[to + channel] = byteAt(data, from + channel);
    if (hasAlpha) fewer[to + colors] = byteAt(data, from + channels - 1);
  }
  return { width, height, channels: kept, data: fewer };
}

function isTransparent({ channels, data }: Pixels): boolean {
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== 255) return true;
  return false;
}

function isColored({ channels, data }: Pixels): boolean {
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return true;
  }
  return false;
}
