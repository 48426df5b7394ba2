import type { OnProgress } from "../../file/progress.ts";
import { getObject, type Pdf, replaceObject, resolve } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { isStream, type Stream } from "../syntax/values.ts";
import { resultTrailer } from "../writer/save.ts";
import { type DrawnSize, readDrawnSizes } from "./drawn-sizes.ts";
import { shareEqualStreams } from "./equal-streams.ts";
import { readImageFacts, softMaskOf } from "./image-facts.ts";
import { reachableStreams } from "./reachable.ts";
import { numberBehind } from "./number-behind.ts";
import { isTooLarge, recodeImage, type RecodeOptions } from "./recode-image.ts";
import { repackStream } from "./repack-stream.ts";

interface StreamOptions extends RecodeOptions {
  readonly pages: readonly PdfPage[];
  readonly onProgress?: OnProgress | undefined;
}

interface Masks {
  /** Numbers of soft masks. */
  readonly all: ReadonlySet<number>;
  /** Numbers of images whose colors were made for their mask (/Matte), and of these masks: no sample may change. */
  readonly matted: ReadonlySet<number>;
}

/** Makes the streams of a document smaller, one at a time; how many images became so, and how many are too large for that. */
export async function compressStreams(
  pdf: Pdf,
  { pages, onProgress, ...recodeOptions }: StreamOptions,
): Promise<{ images: number; tooLarge: number }> {
  const found = reachableStreams(pdf, resultTrailer(pdf));
  await shareEqualStreams(pdf, found);
  const nums = found.filter((num) => isStream(getObject(pdf, num)));
  const sizes = readDrawnSizes(pdf, pages);
  const masks = findMasks(pdf, nums);
  const counts = { images: 0, tooLarge: 0 };
  for (const [i, num] of nums.entries()) {
    onProgress?.(i / nums.length);
    const stream = getObject(pdf, num);
    if (!isStream(stream)) continue;
    if (resolve(pdf, stream.dict.get("Subtype")) === "Image") {
      const size = masks.matted.has(num) ? undefined : sizes.get(num);
      await compressImage(pdf, { num, stream, size, isMask: masks.all.has(num), recodeOptions, counts });
    } else replaceWith(pdf, { num, smaller: await repackStream(pdf, stream) });
  }
  return counts;
}

function findMasks(pdf: Pdf, nums: readonly number[]): Masks {
  const all = new Set<number>();
  const matted = new Set<number>();
  for (const num of nums) {
    const stream = getObject(pdf, num);
    const mask = isStream(stream) ? stream.dict.get("SMask") : undefined;
    const maskNum = mask === undefined ? undefined : numberBehind(pdf, mask);
    if (!isStream(stream) || maskNum === undefined) continue;
    all.add(maskNum);
    if (softMaskOf(pdf, stream)?.has("Matte")) matted.add(num).add(maskNum);
  }
  return { all, matted };
}

async function compressImage(
  pdf: Pdf,
  {
    num,
    stream,
    size,
    isMask,
    recodeOptions,
    counts,
  }: {
    num: number;
    stream: Stream;
    size: DrawnSize | undefined;
    isMask: boolean;
    recodeOptions: RecodeOptions;
    counts: { images: number; tooLarge: number };
  },
): Promise<void> {
  const facts = readImageFacts(pdf, stream);
  if (!facts) return;
  if (isTooLarge(facts)) {
    counts.tooLarge++;
    return;
  }
  const smaller = await recodeImage(pdf, { facts, size, isMask }, recodeOptions);
  if (smaller) counts.images++;
  replaceWith(pdf, { num, smaller });
}

function replaceWith(pdf: Pdf, { num, smaller }: { num: number; smaller: Stream | undefined }): void {
  if (smaller) replaceObject(pdf, { num, value: smaller });
}
