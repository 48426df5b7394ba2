import type { Size } from "../../image/pixels.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { readImageHeader } from "../../image/header.ts";
import { type ImageJob, MAX_PIXELS } from "../../image/job.ts";
import type { SteppedCodec } from "../../image-convert.ts";
import { type Pdf, stepsOf } from "../model/document.ts";
import { without, type Dict, type Stream, type Value } from "../syntax/values.ts";
import { deflateRows, type EncodedStream } from "../filters/deflate.ts";
import type { DrawnSize } from "./drawn-sizes.ts";
import { decodeExactly, type ImageFacts, type RowFacts, LOSSLESS, rowBytesOf } from "./image-facts.ts";
import { readPlainJpeg } from "./jpeg.ts";
import { resample } from "./resample.ts";
import { flatShare, type Samples, toSamples } from "./samples.ts";

/** A codec that works on samples; both of its steps change none of them but by loss of quality and size. */
export type SampleCodec = SteppedCodec;

export interface RecodeOptions {
  /** 1 to 100. */
  readonly quality: number;
  readonly dpi: number;
  readonly codec: SampleCodec;
  /** Called with the memory, in bytes, that an image takes, before it is decoded; throws to end the work. */
  readonly reserve: (bytes: number) => void;
}

/** How an image is drawn and what else is known of it. */
interface ImageUse {
  readonly facts: ImageFacts;
  /** Undefined where it is to keep each of its samples. */
  readonly size: DrawnSize | undefined;
  /** Whether it is the soft mask of another image, whose edges a JPEG would blur. */
  readonly isMask: boolean;
}

/** Less than this many times the requested resolution is not worth the blur. As in Ghostscript. */
const LEAST_EXCESS = 1.5;
/** The same picture in a JPEG that is hardly smaller has only lost quality. */
const WORTH_RECODING = 0.9;
/** By how much the quality of a JPEG must exceed the requested one to count as higher. */
const QUALITY_STEPS = 5;
/** What two decoders and one encoder hold for a pixel, measured with image-convert. */
const JPEG_BYTES_PER_PIXEL = 8;
/** For each sample: as it was stored, with predictors, compressed; 3.2 measured with 49 megapixels of RGB. */
const RAW_BYTES_PER_SAMPLE = 4;

/** The same image with fewer bytes; undefined where it stays. */
export async function recodeImage(
  pdf: Pdf,
  drawn: ImageUse,
  recodeOptions: RecodeOptions,
): Promise<Stream | undefined> {
  const { filters } = drawn.facts;
  if (filters.at(-1) === "DCTDecode") return recodeJpeg(pdf, drawn, recodeOptions);
  return filters.every((name) => LOSSLESS.includes(name))
    ? recodeSamples(pdf, drawn, recodeOptions)
    : undefined;
}

/** Whether an image is larger than what is decoded. */
export function isTooLarge({ width, height }: ImageFacts): boolean {
  return width * height > MAX_PIXELS;
}

async function recodeJpeg(
  pdf: Pdf,
  { facts, size, isMask }: ImageUse,
  { quality: asked, dpi, codec, reserve }: RecodeOptions,
): Promise<Stream | undefined> {
  const quality = qualityFor(isMask, asked);
  const { stream, width, height, bits, space } = facts;
  const parameters = stepsOf(pdf, stream).at(-1)?.parameters;
  if (!size || !space || space.palette || bits !== 8 || parameters?.has("ColorTransform")) return undefined;
  const data = await decodeExactly(pdf, { stream, most: 2 * stream.data.length, isBeforeImage: true });
  const jpeg = data && readPlainJpeg(data);
  if (!jpeg || jpeg.width !== width || jpeg.height !== height || jpeg.components !== space.components)
    return undefined;
  const smaller = smallerSize(facts, size, dpi);
  if (!smaller && jpeg.quality < quality + QUALITY_STEPS) return undefined;
  reserve(width * height * JPEG_BYTES_PER_PIXEL);
  const isGray = jpeg.components === 1;
  const job = jpegJob({ quality: Math.min(quality, jpeg.quality), isGray, fit: smaller ?? null });
  const made = await codec.encode(jpeg.bytes, job);
  const most = stream.data.length * (smaller ? 1 : WORTH_RECODING);
  return made && made.length < most ? jpegStream(stream, { made, components: jpeg.components }) : undefined;
}

function jpegJob({ quality, isGray, fit }: Pick<ImageJob, "isGray" | "fit"> & { quality: number }): ImageJob {
  return {
    format: "jpeg",
    quality,
    effort: null,
    lossless: false,
    isGray,
    bitDepth: 8,
    fit,
    keepsFrames: false,
    isLenient: false,
    maxPixels: MAX_PIXELS,
    background: null,
    isLimitedGray: false,
    rotate: 0,
    crop: null,
    isLinear: false,
    kernel: "mitchell",
  };
}

/** The size at which an image has the resolution asked for in both directions; undefined where it has about that. */
function smallerSize(
  { width, height }: Pick<ImageFacts, "width" | "height">,
  size: DrawnSize,
  dpi: number,
): Size | undefined {
  const scale = Math.max((size.width / 72) * (dpi / width), (size.height / 72) * (dpi / height));
  if (!(scale * LEAST_EXCESS < 1)) return undefined;
  return { width: Math.max(1, Math.ceil(width * scale)), height: Math.max(1, Math.ceil(height * scale)) };
}

/** What says how the data of a stream is stored. */
const STORAGE = ["Filter", "DecodeParms", "DL", "Length"];

/** The image as a JPEG, whose own header is believed about its size; undefined where the codec made another kind. */
function jpegStream(
  stream: Stream,
  { made, components, entries = {} }: { made: Bytes; components: number; entries?: Record<string, Value> },
): Stream | undefined {
  const { format, width, height, isGray, isCmyk } = readImageHeader(made);
  if (format !== "jpeg" || isCmyk || isGray !== (components === 1)) return undefined;
  const about = { ...entries, Width: width, Height: height, BitsPerComponent: 8, Filter: "DCTDecode" };
  return { kind: "stream", dict: withEntries(without(stream.dict, STORAGE), about), data: made };
}

function withEntries(dict: Dict, entries: Readonly<Record<string, Value>>): Dict {
  return new Map([...dict, ...Object.entries(entries)]);
}

async function recodeSamples(
  pdf: Pdf,
  drawn: ImageUse,
  recodeOptions: RecodeOptions,
): Promise<Stream | undefined> {
  const { facts, size } = drawn;
  const { stream, width, height, stored, space, bits } = facts;
  if (stored === undefined) return undefined;
  const length = rowBytesOf(facts) * height;
  recodeOptions.reserve(width * height * Math.max(stored, space?.components ?? 1) * RAW_BYTES_PER_SAMPLE);
  const decoded = await decodeExactly(pdf, { stream, most: length });
  if (!decoded || decoded.length < length) return undefined;
  const raw = decoded.subarray(0, length);
  const fewer = size && smallerSize(facts, size, recodeOptions.dpi);
  const hasShades = space && bits >= LEAST_BITS && (!space.palette || fewer);
  const made =
    size && hasShades ? await fromSamples(raw, { ...drawn, fewer }, recodeOptions) : exactly(raw, facts);
  return made.data.length < stream.data.length ? made : undefined;
}

/** Bits of a component from which on an image has shades that can be averaged. */
const LEAST_BITS = 2;

/** The same samples without loss. */
function exactly(raw: Uint8Array, facts: ImageFacts): Stream {
  return streamOf(facts.stream, deflateRows(raw, { ...rowShape(facts), rowBytes: rowBytesOf(facts) }));
}

function rowShape({ width: columns, bits, stored: colors = 1 }: RowFacts) {
  return { columns, colors, bits, pixelBytes: Math.max(1, (colors * bits) >> 3) };
}

function streamOf(
  stream: Stream,
  { data, entries }: EncodedStream,
  more: Record<string, Value> = {},
): Stream {
  return { kind: "stream", dict: withEntries(without(stream.dict, STORAGE), { ...more, ...entries }), data };
}

/** From this part of equal neighbours on, an image is a drawing, in which a JPEG blurs edges. */
const FLAT = 0.6;
/** Of the size without loss: how small a JPEG of a photograph must be, and one of a drawing. */
const WORTH_LOSS = 0.8;
const WORTH_BLUR = 0.35;
/** A soft mask that is no drawing may become a JPEG too, but shows what is behind it. */
const LEAST_MASK_QUALITY = 85;

interface SizedImageUse extends ImageUse {
  /** The size that it is to get, if it has more pixels than asked for. */
  readonly fewer: Size | undefined;
}

/** A photograph as a JPEG, a drawing without loss; with fewer pixels where `fewer` says so. */
async function fromSamples(
  raw: Uint8Array,
  sampled: SizedImageUse,
  recodeOptions: RecodeOptions,
): Promise<Stream> {
  const { stream } = sampled.facts;
  const all = toSamples(raw, sampled.facts);
  const samples = sampled.fewer ? await shrink(all, sampled.fewer, recodeOptions) : all;
  const isPhotograph = flatShare(all) <= FLAT;
  const jpeg = await asJpeg(samples, { ...sampled, isPhotograph }, recodeOptions);
  if (jpeg && isPhotograph && jpeg.data.length < stream.data.length * WORTH_LOSS) return jpeg;
  const lossless = withoutLoss(raw, sampled, samples);
  return jpeg && jpeg.data.length < lossless.data.length * WORTH_BLUR ? jpeg : lossless;
}

/** By the codec where it can, which knows no four channels but RGB with transparency. */
async function shrink(samples: Samples, size: Size, { codec }: RecodeOptions): Promise<Samples> {
  const isKnown = samples.channels === 1 || samples.channels === 3;
  const shrunk = isKnown ? await codec.steps.shrink?.(samples, size) : undefined;
  return shrunk ?? resample(samples, size);
}

async function asJpeg(
  samples: Samples,
  { facts, isMask, isPhotograph }: ImageUse & { isPhotograph: boolean },
  { quality, codec }: RecodeOptions,
): Promise<Stream | undefined> {
  const { channels: components } = samples;
  // A codec would take four channels for RGB with transparency.
  if (components === 4 || (isMask && !isPhotograph)) return undefined;
  const job = jpegJob({ quality: qualityFor(isMask, quality), isGray: components === 1, fit: null });
  const made = await codec.steps.encode(samples, job);
  return made && jpegStream(facts.stream, { made, components, entries: baseOf(facts) });
}

function qualityFor(isMask: boolean, quality: number): number {
  return isMask ? Math.max(quality, LEAST_MASK_QUALITY) : quality;
}

/** All samples or fewer of them, whichever takes less; a drawing with fewer has more shades. */
function withoutLoss(raw: Uint8Array, { facts, fewer }: SizedImageUse, samples: Samples): Stream {
  const { width: Width, height: Height } = samples;
  const entries = { Width, Height, BitsPerComponent: 8, ...baseOf(facts) };
  const packed = fewer && streamOf(facts.stream, packSamples(samples), entries);
  if (packed && packed.data.length < facts.stream.data.length / 2) return packed;
  const exact = exactly(raw, facts);
  return packed && packed.data.length < exact.data.length ? packed : exact;
}

function baseOf({ space }: ImageFacts): Record<string, Value> {
  return space?.base === undefined ? {} : { ColorSpace: space.base };
}

function packSamples({ width, height, channels, data }: Samples): EncodedStream {
  const shape = rowShape({ width, bits: 8, stored: channels });
  return deflateRows(data.subarray(0, width * height * channels), { ...shape, rowBytes: width * channels });
}
