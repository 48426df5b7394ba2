import sharp, { type Sharp } from "sharp";
import type { Bytes } from "../../wire/bytes.ts";
import type { Animation, ImageJob, Pixels, SteppedCodec } from "../../tools/image-convert.ts";

// All other loaders stay disabled, whatever a file looks like: a 200-byte SVG once took 79 seconds.
const LOADERS = ["Jpeg", "Png", "Webp", "Nsgif", "Heif", "Tiff"];

/** Makes the codec of a server: libvips through sharp, with one thread of its own per image. */
export function createSharpCodec(): SteppedCodec {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS.map((name) => `VipsForeignLoad${name}Buffer`) });
  return { encode, ignoresCodePoints: true, steps: { decode, encode: encodePixels, shrink } };
}

async function encode(image: Bytes, job: ImageJob): Promise<Bytes | undefined> {
  const pipeline = await makePipeline(image, job);
  return pipeline && write(pipeline);
}

async function write(pipeline: Sharp): Promise<Bytes | undefined> {
  try {
    const { buffer, byteOffset, length } = await pipeline.toBuffer();
    // A Buffer of Node has its own ArrayBuffer or that of a pool, and is never in shared memory.
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  } catch {
    // All options were checked when the pipeline was made, so the image is at fault. The engine's own messages ("bad
    // seek to 4711") help nobody.
    return undefined;
  }
}

async function decode(image: Bytes, job: ImageJob): Promise<Pixels | undefined> {
  try {
    // As raw pixels sharp returns gray without its transparency.
    const pipeline = await makePipeline(image, { ...job, isGray: false });
    return pipeline && (await rawPixels(pipeline));
  } catch {
    return undefined;
  }
}

async function rawPixels(pipeline: Sharp): Promise<Pixels> {
  const { info, data } = await pipeline.raw().toBuffer({ resolveWithObject: true });
  return { ...info, data };
}

/** A PNG below this size, per channel and pixel, is a drawing: it may be smaller still without filters. */
const DRAWING_BYTES = 0.35;

async function encodePixels(pixels: Pixels | Animation, job: ImageJob): Promise<Bytes | undefined> {
  const made = await write(giveFormat(finish(openPixels(pixels), job), job, pixels));
  if (job.format !== "png" || !made || made.length > pixels.data.length * DRAWING_BYTES) return made;
  const plain = await write(finish(openPixels(pixels), job).png({ compressionLevel: 9 }));
  return plain && plain.length < made.length ? plain : made;
}

/** Of one or three channels: four would be taken for RGB with transparency. */
async function shrink(pixels: Pixels, size: { width: number; height: number }): Promise<Pixels | undefined> {
  try {
    const smaller = openPixels(pixels).resize({ ...size, fit: "fill", kernel: "mitchell" });
    return await rawPixels(pixels.channels === 1 ? smaller.toColourspace("b-w") : smaller);
  } catch {
    return undefined;
  }
}

function openPixels({ width, height, channels, data, ...more }: Pixels | Animation): Sharp {
  const frames = "delaysMs" in more ? more.delaysMs.length : 1;
  // The engine's own types lack this number.
  const raw = { width, height: height * frames, channels: channels as 1 | 2 | 3 | 4, pageHeight: height };
  return sharp(data, { raw, limitInputPixels: false, pages: -1 });
}

async function makePipeline(image: Bytes, job: ImageJob): Promise<Sharp | undefined> {
  const pages = job.keepsFrames ? -1 : 1;
  const opened = sharp(image, {
    failOn: job.isLenient ? "none" : "error",
    limitInputPixels: job.maxPixels,
    pages,
  });
  // The engine cannot turn an animation; composeFrames does.
  const upright = job.keepsFrames ? opened : opened.autoOrient();
  const header = await opened.metadata().catch(() => undefined);
  if (!header) return undefined;
  // sharp 0.35 converts 16-bit samples from their profile to Display P3, and leaves gray ones unchanged, unless it is
  // told the target.
  const isDeep = header.space === "rgb16" || header.space === "grey16";
  const inSrgb = isDeep && header.hasProfile ? upright.withIccProfile("srgb", { attach: false }) : upright;
  const inRange = job.isLimitedGray ? stretch(inSrgb, isDeep) : inSrgb;
  // Otherwise gray would be blended with the gray of the background's red.
  const isOnColor = job.background !== null && !job.isGray && header.channels < 3;
  const inPipeline = isOnColor ? inRange.pipelineColourspace("srgb") : inRange;
  const shown = seen(inPipeline, job);
  if (!job.isLinear || !job.background || !header.hasAlpha) return giveFormat(finish(shown, job), job);
  // In linear light the engine reads the numbers of a background differently.
  const pixels = await rawPixels(finish(shown, { ...job, background: null }));
  return giveFormat(finish(openPixels(pixels), { ...job, fit: null }), job);
}

/** From video range to full range: libheif does it for colors only. */
function stretch(opened: Sharp, isDeep: boolean): Sharp {
  const [black, white, most] = isDeep ? [16 * 257, 235 * 257, 65_535] : [16, 235, 255];
  const factor = most / (white - black);
  return opened.linear(factor, -black * factor);
}

/** Turned and cropped, in this order: sharp does both before it resizes. */
function seen(upright: Sharp, { rotate, crop, isLinear }: ImageJob): Sharp {
  const turned = rotate === 0 ? upright : upright.rotate(rotate);
  const cut = crop ? turned.extract({ ...crop }) : turned;
  return isLinear ? cut.pipelineColourspace("scrgb") : cut;
}

function finish(upright: Sharp, job: ImageJob): Sharp {
  const { fit, kernel } = job;
  const how = { fit: "inside", withoutEnlargement: true, kernel } as const;
  // A JPEG decoded at half its size has been averaged in another way than asked for.
  const fitted = fit ? upright.resize({ ...fit, ...how, fastShrinkOnLoad: kernel === "lanczos3" }) : upright;
  return keepSamples(job.background ? fitted.flatten({ background: job.background }) : fitted, job);
}

function keepSamples(opened: Sharp, { isGray, bitDepth }: ImageJob): Sharp {
  if (isGray) return opened.toColourspace(bitDepth === 16 ? "grey16" : "b-w");
  return bitDepth === 16 ? opened.toColourspace("rgb16") : opened;
}

/** The number in a WebP has 16 bits (RFC 9649, 2.7.1.1), that of a GIF is one more, and that of an APNG has 32. */
const MOST_PLAYS = 0xffff;
/** The longest time of a frame that the engine takes. */
const LONGEST_MS = 0xffff;

function giveFormat(opened: Sharp, job: ImageJob, animation: Partial<Animation> = {}): Sharp {
  const { format, quality, effort, lossless } = job;
  const { delaysMs: delay, plays: loop } = animation;
  const loss = lossless ? { lossless } : { ...(quality !== null && { quality }) };
  const lossy = { ...loss, ...(effort !== null && { effort }) };
  if (format === "png") return opened.png({ compressionLevel: 6, adaptiveFiltering: true });
  if (format === "webp")
    return opened.webp({
      ...lossy,
      ...(delay && { delay: delay.map((ms) => Math.min(ms, LONGEST_MS)) }),
      ...(loop !== undefined && { loop: Math.min(loop, MOST_PLAYS) }),
    });
  if (format === "avif") return opened.avif({ ...lossy, chromaSubsampling: "4:4:4" });
  return opened.jpeg({ ...lossy, progressive: true });
}
