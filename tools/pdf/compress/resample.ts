import type { Size } from "../../image/pixels.ts";
import { byteAt } from "../../../wire/bytes.ts";
import type { Samples } from "./samples.ts";

/** The pixels of one line that a new pixel is made of, and how much of each. */
interface Taps {
  /** By new pixel: the first old one. */
  readonly starts: Uint32Array;
  /** Weights for each new pixel, `count` of them. */
  readonly weights: Float32Array;
  readonly count: number;
}

/** Makes an image smaller with the filter of Mitchell and Netravali (1988), widened to the scale so that nothing is skipped. */
export function resample(samples: Samples, { width, height }: Size): Samples {
  const narrow = resampleRows(samples, width);
  return resampleColumns(narrow, height);
}

function resampleRows({ width, height, channels, data }: Samples, newWidth: number): Samples {
  if (width === newWidth) return { width, height, channels, data };
  const { starts, weights, count } = tapsFor(width, newWidth);
  const out = new Uint8ClampedArray(newWidth * height * channels);
  for (let y = 0, to = 0; y < height; y++) {
    const row = y * width * channels;
    for (let x = 0; x < newWidth; x++) {
      const first = row + (starts[x] ?? 0) * channels;
      for (let each = 0; each < channels; each++) {
        let sum = 0;
        for (let tap = 0, at = first + each; tap < count; tap++, at += channels)
          sum += (weights[x * count + tap] as number) * byteAt(data, at);
        out[to++] = sum;
      }
    }
  }
  return { width: newWidth, height, channels, data: asBytes(out) };
}

function resampleColumns({ width, height, channels, data }: Samples, newHeight: number): Samples {
  if (height === newHeight) return { width, height, channels, data };
  const { starts, weights, count } = tapsFor(height, newHeight);
  const row = width * channels;
  const out = new Uint8ClampedArray(row * newHeight);
  const sums = new Float32Array(row);
  for (let y = 0; y < newHeight; y++) {
    sums.fill(0);
    for (let tap = 0; tap < count; tap++) {
      const weight = weights[y * count + tap] as number;
      const from = ((starts[y] ?? 0) + tap) * row;
      if (weight === 0) continue;
      for (let i = 0; i < row; i++) sums[i] = (sums[i] as number) + weight * byteAt(data, from + i);
    }
    out.set(sums, y * row);
  }
  return { width, height: newHeight, channels, data: asBytes(out) };
}

// The inner loops read weights and sums as numbers: their indexes are inside by construction.

function asBytes(clamped: Uint8ClampedArray): Uint8Array {
  return new Uint8Array(clamped.buffer, clamped.byteOffset, clamped.byteLength);
}

/** How far the filter reaches, in pixels of the result. */
const REACH = 2;

function tapsFor(length: number, newLength: number): Taps {
  const scale = length / newLength;
  const count = Math.min(length, Math.ceil(2 * REACH * scale) + 1);
  const starts = new Uint32Array(newLength);
  const weights = new Float32Array(newLength * count);
  for (let x = 0; x < newLength; x++) {
    const center = (x + 0.5) * scale - 0.5;
    const start = Math.max(0, Math.min(length - count, Math.ceil(center - REACH * scale)));
    starts[x] = start;
    let sum = 0;
    for (let tap = 0; tap < count; tap++) sum += weigh((start + tap - center) / scale);
    for (let tap = 0; tap < count; tap++)
      weights[x * count + tap] = weigh((start + tap - center) / scale) / sum;
  }
  return { starts, weights, count };
}

function weigh(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return (7 * x ** 3 - 12 * x ** 2 + 16 / 3) / 6;
  return x < REACH ? ((-7 / 3) * x ** 3 + 12 * x ** 2 - 20 * x + 32 / 3) / 6 : 0;
}
