import type { Bytes } from "../../wire/bytes.ts";
import { writeGrayJpeg } from "../../tools/image/jpeg-gray.ts";
import { DEFAULT_QUALITY, type ImageJob } from "../../tools/image/job.ts";
import type { Animation, Pixels } from "../../tools/image-convert.ts";
import type { SampleCodec } from "../../tools/pdf-compress.ts";
import { dropProfile } from "./drop-profile.ts";

/**
 * Makes JPEGs of JPEGs and of samples for a PDF, with the browser's canvas. Nothing is turned and no color is
 * converted: the input has no profile and no orientation. Gray stays one channel, which a canvas cannot write.
 * Undefined for an image larger than a canvas may be, as for one that cannot be decoded.
 */
export const sampleCodec: SampleCodec = { encode, steps: { decode, encode: encodePixels } };

type CanvasSample = NonNullable<ReturnType<typeof makeCanvas>>;

async function encode(image: Bytes, job: ImageJob): Promise<Bytes | undefined> {
  const drawn = await draw(image, job.fit);
  if (!drawn) return undefined;
  return job.isGray ? writeGrayJpeg(grayOf(drawn), qualityOf(job)) : writeColor(drawn, job);
}

async function decode(image: Bytes, { fit, isGray }: ImageJob): Promise<Pixels | undefined> {
  const drawn = await draw(image, fit);
  if (!drawn) return undefined;
  if (isGray) return { ...grayOf(drawn), channels: 1 };
  const { width, height } = drawn.canvas;
  return { width, height, channels: 4, data: pixelsOf(drawn) };
}

async function encodePixels(pixels: Pixels | Animation, job: ImageJob): Promise<Bytes | undefined> {
  if (pixels.channels === 1) return writeGrayJpeg(pixels, qualityOf(job));
  const { width, height } = pixels;
  const drawn = makeCanvas(width, height);
  drawn?.context.putImageData(new ImageData(opaque(pixels), width, height), 0, 0);
  return drawn && writeColor(drawn, job);
}

async function draw(image: Bytes, fit: ImageJob["fit"]): Promise<CanvasSample | undefined> {
  const blob = new Blob([image], { type: "image/jpeg" });
  const picture = await createImageBitmap(blob, { colorSpaceConversion: "none" }).catch(() => undefined);
  if (!picture) return undefined;
  const drawn = makeCanvas(fit?.width ?? picture.width, fit?.height ?? picture.height);
  drawn?.context.drawImage(picture, 0, 0, drawn.canvas.width, drawn.canvas.height);
  picture.close();
  return drawn;
}

function makeCanvas(width: number, height: number) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { colorSpace: "srgb" });
  if (!context) return undefined;
  context.imageSmoothingQuality = "high";
  return { canvas, context };
}

function pixelsOf({ canvas, context }: CanvasSample): Uint8Array {
  return new Uint8Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
}

/** One of red, green and blue, which are equal where a gray image was drawn. */
function grayOf(drawn: CanvasSample): { width: number; height: number; data: Uint8Array } {
  const { width, height } = drawn.canvas;
  const pixels = pixelsOf(drawn);
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = pixels[4 * i] ?? 0;
  return { width, height, data };
}

function opaque({ width, height, channels, data }: Pixels): Uint8ClampedArray<ArrayBuffer> {
  const out = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let from = 0, to = 0; to < out.length; from += channels, to += 4)
    for (let each = 0; each < 3; each++) out[to + each] = data[from + each] ?? 0;
  return out;
}

async function writeColor({ canvas }: CanvasSample, job: ImageJob): Promise<Bytes | undefined> {
  const options = { type: "image/jpeg", quality: qualityOf(job) / 100 };
  const blob = await canvas.convertToBlob(options).catch(() => undefined);
  return blob && dropProfile(new Uint8Array(await blob.arrayBuffer()), "jpeg");
}

function qualityOf({ quality }: ImageJob): number {
  return quality ?? DEFAULT_QUALITY;
}
