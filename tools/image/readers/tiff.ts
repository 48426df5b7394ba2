import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { Entry } from "./exif.ts";
import { liesSideways, readDirectory, readExifKinds } from "./exif.ts";
import type { ImageInfo, MetadataKind } from "../image-info.ts";
import { damagedImage, viewOf } from "../image-info.ts";

// Tags of TIFF 6.0, Exif, XMP part 3 and ICC.1.
const WIDTH = 256;
const HEIGHT = 257;
const BITS = 258;
const COMPRESSION = 259;
const PHOTOMETRIC = 262;
const SAMPLES = 277;
const PLANAR = 284;
const TILE_WIDTH = 322;
const TILE_HEIGHT = 323;
const STRIPS = { offsets: 273, lengths: 279 };
const TILES = { offsets: 324, lengths: 325 };

const KINDS: Record<number, MetadataKind> = {
  ...{ 270: "comment", 700: "xmp", 33723: "iptc", 34377: "iptc", 34675: "icc" },
  // Make, model, program, date, artist, computer, copyright.
  ...{
    271: "exif",
    272: "exif",
    305: "exif",
    306: "exif",
    315: "exif",
    316: "exif",
    33432: "exif",
    34665: "exif",
  },
  34853: "gps",
};

/** Four colours and transparency. */
const MAX_SAMPLES = 5;
const MAX_BITS = 32;

/**
 * Reads the first image of a TIFF (TIFF 6.0, 2) and whether there are more.
 * @throws ToolFailure damaged_file, unsupported_feature; RangeError when it is cut
 */
export function readTiff(bytes: Uint8Array): ImageInfo {
  const directory = readDirectory(bytes, viewOf(bytes).getUint32(4, bytes[0] === 0x49));
  const { entries, isWhole, next } = directory;
  const number = (tag: number) => entries.get(tag)?.values[0] ?? 0;
  const [width, height] = [number(WIDTH), number(HEIGHT)];
  if (!isWhole || next >= bytes.length) throw damagedImage("its end is missing");
  if (width * height === 0) throw damagedImage("it does not say how large it is");
  if (number(SAMPLES) > MAX_SAMPLES || Math.max(...(entries.get(BITS)?.values ?? [])) > MAX_BITS) {
    const message = `A TIFF may have up to ${MAX_SAMPLES} samples a pixel of up to ${MAX_BITS} bits here.`;
    throw new ToolFailure("unsupported_feature", message);
  }
  checkCoding(number(COMPRESSION) || 1, number(PHOTOMETRIC));
  checkLayout(entries);
  checkData(entries, bytes.length);
  // A tile is decoded whole, however little of it the image shows.
  const pixels = Math.max(width * height, number(TILE_WIDTH) * number(TILE_HEIGHT));
  return {
    width,
    height,
    frames: 1,
    decodedPixels: pixels,
    hasMorePictures: next !== 0,
    metadata: kindsOf(bytes, entries),
    isSideways: liesSideways(directory),
  };
}

/** None, CCITT, LZW, JPEG (not the one of TIFF 6.0 itself), Deflate, PackBits. */
const COMPRESSIONS = new Set([1, 2, 3, 4, 5, 7, 8, 32_773, 32_946]);
/** Gray, RGB, palette, CMYK, YCbCr, CIE L*a*b*. */
const PHOTOMETRICS = new Set([0, 1, 2, 3, 5, 6, 8]);

function checkCoding(compression: number, photometric: number): void {
  const what = COMPRESSIONS.has(compression)
    ? PHOTOMETRICS.has(photometric)
      ? undefined
      : `the photometric interpretation ${photometric}`
    : `the compression ${compression}`;
  if (what) throw new ToolFailure("unsupported_feature", `A TIFF of ${what} cannot be converted.`);
}

const SEPARATE_PLANES = 2;

/** What libvips cannot decode: samples that are no whole number of bytes, and tiles of one color each. */
function checkLayout(entries: ReadonlyMap<number, Entry>): void {
  const bits = entries.get(BITS)?.values[0] ?? 1;
  const isSplit = entries.get(PLANAR)?.values[0] === SEPARATE_PLANES && entries.has(TILES.offsets);
  const what = isSplit ? "tiles of one color each" : bits > 8 && bits % 8 !== 0 ? `${bits} bits` : undefined;
  if (what) throw new ToolFailure("unsupported_feature", `A TIFF of ${what} cannot be converted.`);
}

function checkData(entries: ReadonlyMap<number, Entry>, sizeBytes: number): void {
  const place = entries.has(TILES.offsets) ? TILES : STRIPS;
  const offsets = entries.get(place.offsets)?.values ?? [];
  const lengths = entries.get(place.lengths)?.values ?? [];
  const isWhole = offsets.every((offset, i) => offset + (lengths[i] ?? 0) <= sizeBytes);
  if (offsets.length === 0 || !isWhole) throw damagedImage("its pixels are cut");
}

function kindsOf(bytes: Uint8Array, entries: ReadonlyMap<number, Entry>): Set<MetadataKind> {
  const kinds = new Set<MetadataKind>();
  for (const tag of entries.keys()) {
    const kind = KINDS[tag];
    if (kind) kinds.add(kind);
  }
  // A TIFF is laid out as an Exif block is, so a maker's note is found in the same way.
  if (readExifKinds(bytes).includes("makernote")) kinds.add("makernote");
  return kinds;
}
