import { byteAt } from "../../wire/bytes.ts";

/** 8-bit pixels in sRGB: 1 to 4 channels of gray or RGB, with alpha as the last of 2 or 4. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/** Frames of the same size, one after the other in `data`; `height` is that of one. */
export interface Animation extends Pixels {
  readonly delaysMs: readonly number[];
  /** How often it is played; 0 means forever. */
  readonly plays: number;
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
