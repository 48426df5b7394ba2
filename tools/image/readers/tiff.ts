import type { Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import {
  checkRewritable,
  type Entries,
  readLayout,
  type TiffLayout,
  unreadableLayout,
} from "../tiff/layout.ts";
import { joinOldJpeg } from "../tiff/old-jpeg.ts";
import { rewrittenBytes } from "../tiff/rewrite.ts";
import { classicTiff } from "../tiff/classic.ts";
import { COMPRESSION, PHOTOMETRIC, TAG } from "../tiff/tags.ts";
import { type Directory, liesSideways, readDirectory, readExifKinds } from "./exif.ts";
import { readJpeg } from "./jpeg.ts";
import type { ImageInfo, MetadataKind } from "../image-info.ts";
import { damagedImage, viewOf, wrongImage } from "../image-info.ts";

/** Tags of TIFF 6.0, Exif, XMP part 3 and ICC.1. */
const KINDS: Record<number, MetadataKind> = {
  270: "comment",
  700: "xmp",
  33723: "iptc",
  34377: "iptc",
  34675: "icc",
  // Make, model, program, date, artist, computer, copyright.
  271: "exif",
  272: "exif",
  305: "exif",
  306: "exif",
  315: "exif",
  316: "exif",
  33432: "exif",
  34665: "exif",
  34853: "gps",
};

/** The most samples that are used, four colors and transparency, and the most with those that are ignored. */
const [MAX_KEPT, MAX_SAMPLES] = [5, 8];
const MAX_BITS = 32;
/** A value of SampleFormat. */
const UNSIGNED = 1;
/** ITU-T T.4, without and with its line ends, and T.6. */
const FAXES: readonly number[] = [COMPRESSION.rle, COMPRESSION.t4, COMPRESSION.t6];

/**
 * Reads the first image of a TIFF (TIFF 6.0, 2) and whether there are more.
 * @throws ToolFailure wrong_file_type, damaged_file, unsupported_feature; RangeError when it is cut
 */
export function readTiff(file: Bytes): ImageInfo {
  const bytes = classicTiff(file);
  const directory = readDirectory(bytes, viewOf(bytes).getUint32(4, bytes[0] === 0x49));
  const { entries, isWhole, next } = directory;
  refuseRaw(entries);
  const layout = readLayout(entries);
  const { width, height, samples, pieceWidth, pieceHeight, across, down } = layout;
  if (!isWhole) throw damagedImage("its end is missing");
  if (width * height === 0) throw damagedImage("it does not say how large it is");
  if (
    samples > MAX_SAMPLES ||
    layout.kept.length > MAX_KEPT ||
    Math.max(...(entries.get(TAG.bits)?.values ?? [])) > MAX_BITS
  ) {
    const message = `A TIFF may have up to ${MAX_SAMPLES} samples a pixel of up to ${MAX_BITS} bits here.`;
    throw new ToolFailure("unsupported_feature", message);
  }
  checkCoding(layout);
  checkData(layout, bytes.length);
  if (layout.compression === COMPRESSION.oldJpeg) return readOldJpeg(bytes, directory, layout);
  const why = unreadableLayout(layout);
  if (why) checkRewritable(layout, why);
  const hasBadEnd = next >= bytes.length;
  const copiedBytes = hasBadEnd || bytes !== file ? file.length : 0;
  const preparedBytes = copiedBytes + (why ? rewrittenBytes(layout) : 0);
  return {
    width,
    height,
    frames: 1,
    // Tiles are decoded whole, however little of them the image shows.
    decodedPixels: Math.max(width * height, across * pieceWidth * down * pieceHeight),
    ...pixelsOf(layout, entries),
    ...(preparedBytes > 0 && { preparedBytes }),
    hasMorePictures: next !== 0 && !hasBadEnd,
    // Some programs write no end of the list of directories.
    hasBadEnd,
    metadata: kindsOf(bytes, entries),
    isSideways: liesSideways(directory),
  };
}

/** The first picture of a camera's raw file is a small preview (DNG 1.7, chapter 2; NEF, ARW and others do the same). */
function refuseRaw(entries: Entries): void {
  if (entries.has(TAG.dngVersion)) throw wrongImage("dng");
  const isReduced = ((entries.get(TAG.subfileType)?.values[0] ?? 0) & 1) === 1;
  if (isReduced && entries.has(TAG.subfiles)) throw wrongImage("raw");
}

/** Gray, and 9 to 16 bits; signed numbers, floating-point ones and other colors become 8 bits in the engine. */
function pixelsOf({ photometric, bits, compression }: TiffLayout, entries: Entries) {
  const isGray = photometric <= PHOTOMETRIC.black;
  const isUnsigned = (entries.get(TAG.sampleFormat)?.values[0] ?? UNSIGNED) === UNSIGNED;
  const isDeep = bits > 8 && bits <= 16 && isUnsigned && (isGray || photometric === PHOTOMETRIC.rgb);
  return { isGray, bitDepth: isDeep ? 16 : 8, isFax: FAXES.includes(compression) };
}

/** The size that its decoder sees; some scanners write another one into the tags. */
function readOldJpeg(file: Uint8Array, directory: Directory, layout: TiffLayout) {
  const { entries, next } = directory;
  if (layout.isTiled && layout.offsets.length > 1) {
    throw new ToolFailure("unsupported_feature", "A TIFF of tiles in old-style JPEG cannot be converted.");
  }
  const { width, height, decodedPixels, isCmyk } = readJpeg(joinOldJpeg({ file, entries, layout }));
  return {
    width,
    height,
    frames: 1,
    decodedPixels,
    isCmyk: isCmyk === true,
    preparedBytes: file.length,
    hasMorePictures: next !== 0,
    metadata: kindsOf(file, entries),
    isSideways: liesSideways(directory),
  };
}

/** None, CCITT, LZW, JPEG in the style of TIFF 6.0 and in the later one, Deflate, PackBits, Zstandard, WebP. */
const COMPRESSIONS = new Set([1, 2, 3, 4, 5, 6, 7, 8, 32_773, 32_946, 50_000, 50_001]);
/** Gray, RGB, palette, CMYK, YCbCr, CIE L*a*b*. */
const PHOTOMETRICS = new Set([0, 1, 2, 3, 5, 6, 8]);

function checkCoding({ compression, photometric }: TiffLayout): void {
  const isKnown = COMPRESSIONS.has(compression);
  if (isKnown && PHOTOMETRICS.has(photometric)) return;
  const what = isKnown ? `the photometric interpretation ${photometric}` : `the compression ${compression}`;
  throw new ToolFailure("unsupported_feature", `A TIFF of ${what} cannot be converted.`);
}

function checkData({ offsets, lengths }: TiffLayout, sizeBytes: number): void {
  const isWhole = offsets.every((offset, i) => offset + (lengths[i] ?? 0) <= sizeBytes);
  if (offsets.length === 0 || !isWhole) throw damagedImage("its pixels are cut");
}

function kindsOf(bytes: Uint8Array, entries: Entries): Set<MetadataKind> {
  const kinds = new Set<MetadataKind>();
  for (const tag of entries.keys()) {
    const kind = KINDS[tag];
    if (kind) kinds.add(kind);
  }
  // A TIFF has the layout of an Exif block, so a maker's note is found in the same way.
  if (readExifKinds(bytes).includes("makernote")) kinds.add("makernote");
  return kinds;
}
