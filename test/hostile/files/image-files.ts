// Images of a few kilobytes that say, or unfold into, far more.
import { deflateSync } from "node:zlib";
import type { Bytes } from "../../../wire/bytes.ts";
import { concatBytes } from "../../../wire/bytes.ts";
import { bytesOf, picture, pngChunk } from "../../tools/image/support/made.ts";

export interface Palette {
  readonly width: number;
  readonly height: number;
}

/** One bit a pixel, all of the first of two colors: megapixels in a few kilobytes. */
export function palettePng({ width, height }: Palette): Bytes {
  const pixels = deflateSync(new Uint8Array(height * (1 + Math.ceil(width / 8))));
  const ihdr = concatBytes(bigEndian(width), bigEndian(height), Uint8Array.of(1, 3, 0, 0, 0));
  return concatBytes(
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    pngChunk("IHDR", ihdr),
    pngChunk("PLTE", Uint8Array.of(255, 0, 0, 0, 0, 255)),
    pngChunk("IDAT", new Uint8Array(pixels)),
    pngChunk("IEND", new Uint8Array(0)),
  );
}

/** A GIF of one pixel whose screen is as large as a screen can be. */
export async function hugeScreen(): Promise<Bytes> {
  const gif = await bytesOf(picture(1, 1).gif());
  gif.fill(0xff, 6, 10);
  return gif;
}

/** So many frames of the whole picture, each with its pixels. */
export async function makeApng(frames: number): Promise<Bytes> {
  const still = await bytesOf(picture(1, 1).png());
  const at = Buffer.from(still).indexOf("IDAT") - 4;
  const pixels = still.subarray(at + 8, at + 8 + new DataView(still.buffer).getUint32(at));
  const control = (order: number) =>
    pngChunk("fcTL", concatBytes(bigEndian(order), bigEndian(1), bigEndian(1), new Uint8Array(14)));
  const more = Array.from({ length: frames - 1 }, (_, i) => [
    control(2 * i + 1),
    pngChunk("fdAT", concatBytes(bigEndian(2 * i + 2), pixels)),
  ]);
  return concatBytes(
    still.subarray(0, at),
    pngChunk("acTL", concatBytes(bigEndian(frames), bigEndian(0))),
    control(0),
    pngChunk("IDAT", pixels),
    ...more.flat(),
    pngChunk("IEND", new Uint8Array(0)),
  );
}

function bigEndian(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
