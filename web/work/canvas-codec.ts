import type { Bytes } from "../../wire/bytes.ts";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { ImageCodec, ImageJob, TargetFormat } from "../../tools/image-convert.ts";
import type { Region } from "../../tools/image/region.ts";
import { readImageHeader } from "../../tools/image/header.ts";
import { dropProfile } from "./drop-profile.ts";

/**
 * Decodes with the browser and encodes with its canvas. AVIF, which no canvas writes, and WebP, which not all write,
 * have separate codecs.
 */
export const canvasCodec: ImageCodec = { encode };

/** Warns of an animation, of which a canvas keeps only one frame, while the server would keep all. */
export function warnOfFrames(image: Bytes, format: TargetFormat): ToolWarning[] {
  const { frames } = readImageHeader(image);
  if (format !== "webp" || frames === 1) return [];
  return [{ code: "first_frame_in_browser", frames }];
}

async function encode(image: Bytes, job: ImageJob): Promise<Bytes | undefined> {
  if (job.lossless) throw onServerOnly("A browser cannot write without loss");
  if (job.isLinear) throw onServerOnly("A browser averages pixels as they are stored, and not as light");
  // Each browser converts print colors to RGB differently.
  if (readImageHeader(image).isCmyk) throw onServerOnly("A browser cannot convert CMYK as the server does");
  const picture = await decode(image);
  if (!picture) return undefined;
  const view = viewOf(picture, job);
  const scale = Math.min(
    1,
    (job.fit?.width ?? Infinity) / view.width,
    (job.fit?.height ?? Infinity) / view.height,
  );
  const sideOf = (length: number) => Math.max(1, Math.round(length * scale));
  const canvas = new OffscreenCanvas(sideOf(view.width), sideOf(view.height));
  const context = canvas.getContext("2d", { colorSpace: "srgb" });
  if (!context) throw new Error("No canvas of this size");
  if (job.background) {
    context.fillStyle = job.background;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = "high";
  const [across, down] = [canvas.width / view.width, canvas.height / view.height];
  context.setTransform(across, 0, 0, down, -view.left * across, -view.top * down);
  context.transform(...turning(picture, job.rotate));
  context.drawImage(picture, 0, 0);
  context.resetTransform();
  picture.close();
  const read = () => context.getImageData(0, 0, canvas.width, canvas.height);
  if (job.format === "avif") return encodeAvif(read, job);
  return (await encodeByCanvas(canvas, job)) ?? encodeWebp(read, job);
}

/** The visible part of the turned picture. */
function viewOf({ width, height }: ImageBitmap, { rotate, crop }: ImageJob): Region {
  const isSideways = rotate === 90 || rotate === 270;
  return crop ?? { left: 0, top: 0, width: isSideways ? height : width, height: isSideways ? width : height };
}

type Matrix = Parameters<OffscreenCanvasRenderingContext2D["transform"]>;

/** Turns a picture clockwise so that its upper left corner is at 0, 0 again. */
function turning({ width, height }: ImageBitmap, rotate: ImageJob["rotate"]): Matrix {
  if (rotate === 90) return [0, 1, -1, 0, height, 0];
  if (rotate === 180) return [-1, 0, 0, -1, width, height];
  return rotate === 270 ? [0, -1, 1, 0, 0, width] : [1, 0, 0, 1, 0, 0];
}

function onServerOnly(why: string): ToolFailure {
  return new ToolFailure("unsupported_feature", `${why}; choose "On the server" for this one.`, {
    reason: "only_on_server",
  });
}

// Turned upright and in sRGB, like the server.
async function decode(image: Bytes): Promise<ImageBitmap | undefined> {
  const { format } = readImageHeader(image);
  const blob = new Blob([image], { type: `image/${format}` });
  const options = { imageOrientation: "from-image", colorSpaceConversion: "default" } as const;
  return createImageBitmap(blob, options).catch(() => {
    if (format !== "tiff" && format !== "avif") return undefined;
    const message = `This browser cannot read ${format.toUpperCase()} images; choose "On the server" for this one.`;
    throw new ToolFailure("unsupported_feature", message, { reason: "browser_cannot_read" });
  });
}

async function encodeByCanvas(
  canvas: OffscreenCanvas,
  { format, quality }: ImageJob,
): Promise<Bytes | undefined> {
  const type = `image/${format}`;
  const blob = await canvas.convertToBlob(quality === null ? { type } : { type, quality: quality / 100 });
  // Safari cannot write WebP: it silently returns PNG.
  return blob.type === type ? dropProfile(new Uint8Array(await blob.arrayBuffer()), format) : undefined;
}

const SLOWEST = 9;

async function encodeAvif(read: () => ImageData, job: ImageJob): Promise<Bytes> {
  const [{ defaultOptions }, { default: load }] = await Promise.all([
    import("@jsquash/avif/meta.js"),
    import("@jsquash/avif/codec/enc/avif_enc.js"),
  ]);
  const codec = await load({ noInitialRun: true });
  const { data, width, height } = read();
  const made = codec.encode(new Uint8Array(data.buffer), width, height, {
    ...defaultOptions,
    quality: job.quality ?? defaultOptions.quality,
    speed: SLOWEST - (job.effort ?? 0),
    subsample: 3,
  });
  if (!made) throw new Error("The AVIF codec gave nothing");
  return new Uint8Array(made);
}

async function encodeWebp(read: () => ImageData, job: ImageJob): Promise<Bytes> {
  const [{ defaultOptions }, { default: load }] = await Promise.all([
    import("@jsquash/webp/meta.js"),
    import("@jsquash/webp/codec/enc/webp_enc.js"),
  ]);
  const codec = await load({ noInitialRun: true });
  const { data, width, height } = read();
  const quality = job.quality ?? defaultOptions.quality;
  const made = codec.encode(data, width, height, { ...defaultOptions, quality });
  if (!made) throw new Error("The WebP codec gave nothing");
  return new Uint8Array(made);
}
