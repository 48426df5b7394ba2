import { deflateSync } from "node:zlib";
import sharp from "sharp";
import type { Bytes } from "../../../../../wire/bytes.ts";
import { ask } from "../../support/judges.ts";
import { makePdf, stream, textOf, type Made } from "../../support/pdf-made.ts";

/** An image XObject as it is written: what its dictionary says, and its data. */
export interface WrittenImage {
  readonly entries: string;
  readonly data: Uint8Array;
}

interface PageOptions {
  readonly content?: string;
  /** More resources than the image, such as `/Font<<…>>`. */
  readonly resources?: string;
  /** More of the page. */
  readonly page?: string;
  /** More objects, from 10 on. */
  readonly objects?: Readonly<Record<number, string>>;
  readonly made?: Made;
}

/** A page of 200 x 200 points with the word "here" and an image /I (object 5), an inch wide and high unless told otherwise. */
export function imagePdf(image: WrittenImage, drawing: PageOptions = {}): Bytes {
  const { content = "q 72 0 0 72 10 10 cm /I Do Q", resources = "", page = "", objects = {}, made } = drawing;
  return makePdf(
    {
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
      3:
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R${page}` +
        `/Resources<</Font<</F 6 0 R>>/XObject<</I 5 0 R/Fo 10 0 R>>${resources}>>>>`,
      4: stream(`BT /F 12 Tf 20 180 Td (here) Tj ET\n${content}`),
      5: stream(textOf(image.data), `/Type/XObject/Subtype/Image${image.entries}`),
      6: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      ...objects,
    },
    made,
  );
}

/** Samples that change softly with some noise, as of a photograph; always the same. */
export function photograph(width: number, height: number, channels: number): Uint8Array {
  const data = new Uint8Array(width * height * channels);
  let state = 7;
  for (let i = 0; i < data.length; i++) {
    const [x, y] = [Math.floor(i / channels) % width, Math.floor(i / channels / width)];
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    const wave = Math.sin(x / 31 + (i % channels)) * Math.cos(y / 23);
    data[i] = 128 + 90 * wave + ((state >> 16) % 9);
  }
  return data;
}

/** Dark lines on white, as of a screenshot. */
export function screenshot(width: number, height: number, channels: number): Uint8Array {
  return Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const [x, y] = [Math.floor(i / channels) % width, Math.floor(i / channels / width)];
    return y % 12 < 3 && x % 50 < 31 ? 40 : 255;
  });
}

export function rawImage(
  data: Uint8Array,
  {
    width,
    height,
    space,
    bits = 8,
    more = "",
  }: { width: number; height: number; space: string; bits?: number; more?: string },
): WrittenImage {
  const size = `/Width ${width}/Height ${height}/BitsPerComponent ${bits}/ColorSpace${space}`;
  return { entries: `${size}/Filter/FlateDecode${more}`, data: deflateSync(data, { level: 6 }) };
}

/** A JPEG by libvips. */
export async function jpegImage(
  data: Uint8Array,
  {
    width,
    height,
    channels,
    quality = 95,
  }: { width: number; height: number; channels: 1 | 3; quality?: number },
): Promise<WrittenImage> {
  const opened = sharp(data, { raw: { width, height, channels } });
  const jpeg = await (channels === 1 ? opened.toColourspace("b-w") : opened).jpeg({ quality }).toBuffer();
  const space = channels === 1 ? "/DeviceGray" : "/DeviceRGB";
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace${space}/Filter/DCTDecode`;
  return { entries, data: jpeg };
}

/** An image of a PDF in poppler's words. */
export interface ListedImage {
  readonly type: string;
  readonly width: number;
  readonly color: string;
  readonly bits: number;
  /** `jpeg`, `image` for samples, `jbig2`, `ccitt`, `jpx`. */
  readonly encoding: string;
  readonly dpi: number;
}

/** The images that pages draw, as `pdfimages -list` has them. */
export function listImages(bytes: Uint8Array): ListedImage[] {
  const lines = ask(bytes, ["pdfimages", "-list", "@"]).trim().split("\n").slice(2);
  return lines.map((line) => {
    const [, , type = "", width, , color = "", , bits, encoding = "", , , , dpi] = line.trim().split(/\s+/);
    return { type, width: Number(width), color, bits: Number(bits), encoding, dpi: Number(dpi) };
  });
}

/** The first page as poppler shows it, in RGB. */
export function render(bytes: Uint8Array, dpi = 144): Uint8Array {
  const text = ask(bytes, ["pdftoppm", "-r", String(dpi), "-singlefile", "@"]);
  const head = /^P6\s+\d+\s+\d+\s+255\s/.exec(text);
  return Buffer.from(text.slice(head?.[0].length), "latin1");
}

/** How near two pages look to each other, in decibels (PSNR); Infinity where all is equal. */
export function likeness(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return 0;
  let squares = 0;
  for (let i = 0; i < a.length; i++) squares += (a[i]! - b[i]!) ** 2;
  return 10 * Math.log10((255 ** 2 * a.length) / squares);
}
