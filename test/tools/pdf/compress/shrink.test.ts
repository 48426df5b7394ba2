// A server's codec makes the samples of a scan smaller itself; where it cannot, and in pages, plain loops do.
import { expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { resample } from "../../../../tools/pdf/compress/resample.ts";
import { flatShare } from "../../../../tools/pdf/compress/samples.ts";

const { steps } = createSharpCodec();

/** A picture with edges, shades and noise, which repeats nowhere. */
function picture({ width, height, channels }: { width: number; height: number; channels: number }) {
  let state = 7;
  const data = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const x = Math.floor(i / channels) % width;
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return x % 40 < 8 ? 20 : Math.min(255, (x * 255) / width + ((state >>> 16) % 9));
  });
  return { width, height, channels, data };
}

test.each([
  { channels: 1, width: 300, height: 200 },
  { channels: 3, width: 300, height: 200 },
  { channels: 3, width: 301, height: 7 },
  { channels: 1, width: 5, height: 400 },
])("sharp's filter and ours make the same of %o", async (shape) => {
  const samples = picture(shape);
  const size = { width: Math.ceil(shape.width / 2), height: Math.ceil(shape.height / 2.5) };
  const [ours, theirs] = [resample(samples, size), await steps.shrink?.(samples, size)];
  expect(theirs).toMatchObject({ ...size, channels: shape.channels });
  const differences = [...ours.data].map((value, i) => Math.abs(value - (theirs?.data[i] ?? NaN)));
  // Its weights have 8 bits.
  expect(Math.max(...differences)).toBeLessThanOrEqual(4);
  expect(differences.reduce((sum, each) => sum + each, 0) / differences.length).toBeLessThan(0.6);
});

test.each([1, 2, 3, 4])("counts equal neighbors of %i channels", (channels) => {
  const pixels = [1, 1, 1, 2, 3, 3, 1, 1];
  const data = Uint8Array.from(pixels.flatMap((pixel) => Array<number>(channels).fill(pixel)));
  const shape = { width: 4, height: 2, channels };
  expect(flatShare({ ...shape, data })).toBeCloseTo(4 / 7);
  // One channel alone may differ.
  const other = data.slice();
  other[channels * 2 - 1] = 9;
  expect(flatShare({ ...shape, data: other })).toBeCloseTo(2 / 7);
});
