import {
  makePartCounter,
  type PartCounter,
  type ImageInfo,
  type MetadataKind,
  damagedImage,
  shortLatin1,
  viewOf,
} from "../image-info.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { readAv1 } from "./av1.ts";
import { readHevcConfigPixels, readHevcStreamPixels } from "./hevc.ts";
import { type Box, readBoxes } from "./boxes.ts";
import {
  areMultiplied,
  findBox,
  FULL,
  type Item,
  type ItemData,
  type ItemProperties,
  makeItemData,
  readItems,
  readMainItem,
  readProperties,
  readTiles,
  type Tiles,
} from "./heif-items.ts";
import { readExifKinds } from "./exif.ts";

/**
 * Reads the items of a HEIF (ISO/IEC 23008-12) in AV1 (AV1 Image File Format 1.1) or HEVC: size, tiles, metadata.
 * @throws ToolFailure damaged_file, unsupported_feature, too_complex; RangeError when it is cut
 */
export function readHeif(bytes: Uint8Array): ImageInfo {
  const count = makePartCounter("boxes");
  const top = readBoxes(bytes, count);
  const hasTrack = top.some(({ type }) => type === "moov");
  if (hasTrack && !top.some(({ type }) => type === "meta")) {
    throw new ToolFailure("unsupported_feature", "The file is a sequence without a still image.");
  }
  const meta = readBoxes(findBox(top, "meta").subarray(FULL), count);
  const items = readItems(findBox(meta, "iinf"), count);
  const tilesOf = readTiles(meta, count);
  checkTiles(items, tilesOf);
  const idat = meta.find(({ type }) => type === "idat")?.data ?? new Uint8Array(0);
  const dataOf = makeItemData(findBox(meta, "iloc"), bytes, idat);
  const { all: properties, of: propertiesOf } = readProperties(meta, count);
  const size = readSize(properties);
  const contents = { dataOf, propertiesOf, tilesOf };
  const pixels = Math.max(size.width * size.height, decodedPixels(items, contents));
  const countEntry = makePartCounter("entries");
  const kinds = items.flatMap((item) => kindsOf(item, dataOf, countEntry));
  const metadata = new Set([...kinds, ...profileKinds(properties)]);
  const hasGainMap = items.some(({ type }) => type === "tmap") || properties.some(isGainMap);
  const main = readMainItem(findBox(meta, "pitm"));
  return {
    ...size,
    frames: 1,
    decodedPixels: pixels,
    hasMorePictures: hasTrack,
    metadata,
    hasGainMap,
    isSideways: propertiesOf(main).some(isQuarterTurn),
    isLimitedGray: isLimitedGray(items, { main, ...contents }),
  };
}

/** Whether the main picture is brightness in video range; the container takes precedence over the stream. */
function isLimitedGray(
  items: readonly Item[],
  { main, dataOf, propertiesOf, tilesOf }: Contents & { main: number },
) {
  const id = tilesOf(main)[0] ?? main;
  if (items.find((item) => item.id === id)?.type !== "av01") return false;
  const { isMonochrome, isLimitedGray: isLimited } = readAv1(dataOf(id), makePartCounter("units"));
  const points = [main, id].flatMap((each) => colorsOf(propertiesOf(each))).find(isNclx);
  return points ? isMonochrome && ((points[FULL_RANGE_AT] ?? 0) & 0x80) === 0 : isLimited;
}

/** After three numbers of 16 bits, each named in ITU-T H.273. */
const FULL_RANGE_AT = 10;

function isNclx(data: Uint8Array): boolean {
  return shortLatin1(data, { end: 4 }) === "nclx";
}

/**
 * Reads the color information of the main picture, or of its tiles (ISO/IEC 14496-12, 12.1.5); a profile takes
 * precedence over code points of ITU-T H.273.
 */
export function readHeifColor(bytes: Uint8Array): {
  profile?: Uint8Array;
  primaries?: number;
  transfer?: number;
  /** Whether they are multiplied by their transparency. */
  isMultiplied: boolean;
} {
  const meta = readBoxes(findBox(readBoxes(bytes), "meta").subarray(FULL));
  const { of: propertiesOf } = readProperties(meta);
  const main = readMainItem(findBox(meta, "pitm"));
  const own = colorsOf(propertiesOf(main));
  const [tile] = readTiles(meta)(main);
  const colors = own.length === 0 && tile !== undefined ? colorsOf(propertiesOf(tile)) : own;
  const typeOf = (data: Uint8Array) => shortLatin1(data, { end: 4 });
  const profile = colors.find((data) => typeOf(data) === "prof" || typeOf(data) === "rICC");
  const isMultiplied = areMultiplied(meta);
  if (profile) return { isMultiplied, profile: profile.subarray(4) };
  const points = colors.find(isNclx);
  // A shorter one names nothing.
  if (!points || points.length < 8) return { isMultiplied };
  return { isMultiplied, primaries: viewOf(points).getUint16(4), transfer: viewOf(points).getUint16(6) };
}

function colorsOf(properties: readonly Box[]): Uint8Array[] {
  return properties.filter(({ type }) => type === "colr").map(({ data }) => data);
}

/** An odd number of turns by 90 degrees (ISO/IEC 23008-12, 6.5.10). */
function isQuarterTurn({ type, data }: Box): boolean {
  return type === "irot" && (data[0] ?? 0) % 2 === 1;
}

function isGainMap({ type, data }: Box): boolean {
  return type === "auxC" && shortLatin1(data, { start: FULL, end: 128 }).includes("gainmap");
}

/** The largest picture is the one that is shown: thumbnails are smaller, and transparency has the same size. */
function readSize(properties: readonly Box[]) {
  let [width, height] = [0, 0];
  for (const { type, data } of properties) {
    if (type !== "ispe") continue;
    const view = viewOf(data);
    const [w, h] = [view.getUint32(FULL), view.getUint32(FULL + 4)];
    if (w * h > width * height) [width, height] = [w, h];
  }
  if (width * height === 0) throw damagedImage("it does not say how large it is");
  return { width, height };
}

/** Types of items that contain a coded picture. */
const CODED = ["av01", "hvc1", "hev1"];

interface Contents {
  readonly dataOf: ItemData;
  readonly propertiesOf: ItemProperties;
  readonly tilesOf: Tiles;
}

/** The most that one picture of the file takes: a grid as many times its largest tile as it has cells. */
function decodedPixels(items: readonly Item[], { dataOf, propertiesOf, tilesOf }: Contents): number {
  if (items.some(({ type }) => type === "iovl")) {
    throw new ToolFailure("unsupported_feature", "An image that is made of overlays cannot be converted.");
  }
  const coded = items.filter(({ type }) => CODED.includes(type));
  if (coded.length === 0) {
    throw new ToolFailure("unsupported_feature", "A HEIF can be converted if it is coded in AV1 or HEVC.");
  }
  const pixels = new Map<number, number>();
  const pixelsOf = makePixelReader({ dataOf, propertiesOf });
  for (const item of coded) {
    const most = Math.max(pixels.get(item.id) ?? 0, pixelsOf(item));
    pixels.set(item.id, most);
  }
  const grids = items
    .filter(({ type }) => type === "grid")
    .map(({ id }) => {
      const [rows = 0, columns = 0] = dataOf(id).subarray(2);
      const tiles = tilesOf(id);
      // Rows and columns are stored minus one (ISO/IEC 23008-12, 6.6.2.3).
      const places = Math.max((rows + 1) * (columns + 1), tiles.length);
      return places * tiles.reduce((largest, tile) => Math.max(largest, pixels.get(tile) ?? 0), 0);
    });
  return Math.max(...pixels.values(), ...grids);
}

/** An HEVC stream can be larger than its configuration says, and the other way round. */
function makePixelReader({ dataOf, propertiesOf }: Omit<Contents, "tilesOf">) {
  const count = makePartCounter("units");
  const configs = new Map<Box, number>();
  // Tiles share one configuration.
  const configPixels = (box: Box) => {
    const pixels = configs.get(box) ?? readHevcConfigPixels(box.data, count);
    configs.set(box, pixels);
    return pixels;
  };
  return ({ id, type }: Item): number => {
    if (type === "av01") return readAv1(dataOf(id), count).pixels;
    const own = propertiesOf(id).filter((property) => property.type === "hvcC");
    return Math.max(readHevcStreamPixels(dataOf(id), count), ...own.map(configPixels));
  };
}

/**
 * Tiles must be coded pictures, as in MIAF (ISO/IEC 23000-22). A grid of grids, which libheif accepts, multiplies what
 * is decoded without its header telling.
 */
function checkTiles(items: readonly Item[], tilesOf: Tiles): void {
  const coded = new Set(items.filter(({ type }) => CODED.includes(type)).map(({ id }) => id));
  for (const { id, type } of items) {
    if (type !== "grid" || tilesOf(id).every((tile) => coded.has(tile))) continue;
    throw new ToolFailure(
      "unsupported_feature",
      "A grid whose tiles are not coded pictures cannot be converted.",
    );
  }
}

function kindsOf({ id, type, contentType }: Item, dataOf: ItemData, count: PartCounter): MetadataKind[] {
  if (type === "mime") return [contentType === "application/rdf+xml" ? "xmp" : "other"];
  if (type !== "Exif") return [];
  const data = dataOf(id);
  // The block follows the offset of its TIFF header (ISO/IEC 23008-12, A.2.1).
  return readExifKinds(data.subarray(4 + viewOf(data).getUint32(0)), count);
}

function profileKinds(properties: readonly Box[]): MetadataKind[] {
  const hasProfile = colorsOf(properties).some((data) => !isNclx(data));
  return hasProfile ? ["icc"] : [];
}
