// slow
import { expect } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../../../tools/pdf-compress.ts";
import { testWith } from "../../../machine/skips.ts";
import { assertClean, clearText } from "../support/judges.ts";
import { stream } from "../support/pdf-made.ts";
import {
  imagePdf,
  likeness,
  listImages,
  photograph,
  rawImage,
  render,
  screenshot,
} from "./support/image-pdf.ts";

const codec = createSharpCodec();
const [W, H] = [400, 300];
const GRAY = photograph(W, H, 1);
const RGB = photograph(W, H, 3);
const withPoppler = testWith("poppler");

const ICC = "[/ICCBased 11 0 R]";
const PALETTE = Array.from({ length: 256 }, (_, i) =>
  [i, 255 - i, i ^ 85].map((each) => each.toString(16).padStart(2, "0")).join(""),
);
const lowBits = (bits: number) => {
  const row = Math.ceil((W * bits) / 8);
  return photograph(row, H, 1).subarray(0, row * H);
};

/** Samples as they are stored, and what poppler says of the image that comes of them. */
const SPACES = {
  gray: [GRAY, "/DeviceGray", 8, "gray jpeg"],
  "calibrated gray": [GRAY, "[/CalGray<</WhitePoint[1 1 1]/Gamma 2>>]", 8, "gray jpeg"],
  "inverted gray": [GRAY, "/DeviceGray/Decode[1 0]", 8, "gray jpeg"],
  "gray of 16 bits": [photograph(2 * W, H, 1), "/DeviceGray", 16, "gray jpeg"],
  "gray of 4 bits": [lowBits(4), "/DeviceGray", 4, "gray"],
  "gray of 2 bits": [lowBits(2), "/DeviceGray", 2, "gray"],
  RGB: [RGB, "/DeviceRGB", 8, "rgb jpeg"],
  "calibrated RGB": [RGB, "[/CalRGB<</WhitePoint[.95 1 1.09]/Gamma[2 2 2]>>]", 8, "rgb jpeg"],
  "RGB with a profile": [RGB, ICC, 8, "icc jpeg"],
  CMYK: [photograph(W, H, 4), "/DeviceCMYK", 8, "cmyk image"],
  "a palette": [GRAY, `[/Indexed/DeviceRGB 255<${PALETTE.join("")}>]`, 8, ""],
} as const;

withPoppler.each(Object.entries(SPACES))("keeps the colors of %s", async (_, [data, space, bits, listed]) => {
  const image = rawImage(data, { width: W, height: H, space, bits });
  const profile = stream("no profile, so that readers take its /Alternate", "/N 3/Alternate/DeviceRGB");
  const file = imagePdf(image, { objects: { 11: profile } });
  const { bytes, images } = await compressPdf(file, { codec, quality: 95 });
  expect(images).toBe(1);
  assertClean(bytes);
  const [found] = listImages(bytes);
  if (listed.includes(" ")) expect(`${found?.color} ${found?.encoding}`).toBe(listed);
  // Averages of noise that poppler takes from more pixels, and ours from fewer.
  expect(likeness(render(file, 72), render(bytes, 72))).toBeGreaterThan(bits < 8 ? 20 : 25);
});

/** What must keep each of its samples. */
const EXACT: Readonly<
  Record<string, readonly [data: Uint8Array, about: { space: string; bits?: number; more?: string }]>
> = {
  "a spot color": [
    GRAY,
    { space: "[/Separation/Spot/DeviceGray<</FunctionType 2/N 1/Domain[0 1]/C0[1]/C1[0]>>]" },
  ],
  Lab: [RGB, { space: "[/Lab<</WhitePoint[1 1 1]>>]" }],
  "a color key": [RGB, { space: "/DeviceRGB", more: "/Mask[0 9 0 9 0 9]" }],
  "black and white": [photograph(W / 8, H, 1), { space: "/DeviceGray", bits: 1 }],
};

withPoppler.each(Object.entries(EXACT))(
  "changes no sample of %s",
  async (_, [data, { space, bits = 8, more = "" }]) => {
    const loose = rawImage(data, { width: W, height: H, space, bits, more });
    const file = imagePdf({ entries: loose.entries.replace("/Filter/FlateDecode", ""), data });
    const { bytes, images } = await compressPdf(file, { codec });
    expect(images).toBe(1);
    expect(clearText(bytes)).toMatch(new RegExp(`/Width ${W}\\b`));
    expect(likeness(render(file), render(bytes))).toBe(Infinity);
  },
);

withPoppler("keeps drawings without loss, where a JPEG would blur edges", async () => {
  const shot = screenshot(150, 150, 3);
  const file = imagePdf({
    ...rawImage(shot, { width: 150, height: 150, space: "/DeviceRGB" }),
    data: shot,
    entries: "/Width 150/Height 150/BitsPerComponent 8/ColorSpace/DeviceRGB",
  });
  const { bytes, images } = await compressPdf(file, { codec });
  expect(images).toBe(1);
  expect(bytes.length).toBeLessThan(3000);
  expect(listImages(bytes)).toMatchObject([{ width: 150, encoding: "image" }]);
  expect(likeness(render(file), render(bytes))).toBe(Infinity);
});
