import type { Bytes } from "../../../wire/bytes.ts";
import { readImageHeader } from "../header.ts";
import { makePartCounter, viewOf } from "../image-info.ts";
import { readDirectory } from "../readers/exif.ts";
import { type Placement, placementOf } from "../readers/placement.ts";
import { classicTiff } from "./classic.ts";
import { TAG } from "./tags.ts";

/** Bits of NewSubfileType (TIFF 6.0, section 8): a smaller copy of another image, and which of its pixels count. */
const [REDUCED, MASK] = [1, 4];
/** Where the header stores the offset of the first directory. */
const FIRST_DIRECTORY = 4;

/**
 * The pages of a TIFF in order, each as a TIFF with that image first, without images that belong to another page. All
 * have the same bytes, which are valid until the next one is requested.
 * @throws ToolFailure too_complex beyond 10,000 entries in all directories; RangeError when it is incomplete
 */
export function* tiffPages(image: Bytes): Generator<{ image: Bytes; placement: Placement }> {
  const classic = classicTiff(image);
  const copy = classic === image ? image.slice() : classic;
  const view = viewOf(copy);
  const isLittle = copy[0] === 0x49;
  const count = makePartCounter("entries");
  const seen = new Set<number>();
  // The first must exist; after the last, some programs write no end of the list.
  const isThere = (at: number) => seen.size === 0 || at < copy.length;
  for (let at = view.getUint32(FIRST_DIRECTORY, isLittle); at !== 0 && !seen.has(at) && isThere(at);) {
    const directory = readDirectory(copy, at, count);
    const [kind = 0] = directory.entries.get(TAG.subfileType)?.values ?? [];
    view.setUint32(FIRST_DIRECTORY, at, isLittle);
    // The first is always used; what it lacks is reported when it is read.
    if (seen.size === 0 || (kind & (REDUCED | MASK)) === 0)
      yield { image: copy, placement: placementOf(directory, isLittle) };
    seen.add(at);
    at = directory.next;
  }
}

/**
 * How many pages of a PDF an image becomes where only the first frame of animations is used, as in browsers.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature, too_complex
 */
export function countPictures(image: Bytes): number {
  const { format } = readImageHeader(image);
  return format === "tiff" ? [...tiffPages(image)].length : 1;
}
