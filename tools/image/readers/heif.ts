import { concatBytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { readAv1Pixels } from "./av1.ts";
import { readHevcConfigPixels, readHevcStreamPixels } from "./hevc.ts";
import type { Box } from "./boxes.ts";
import { Cursor, readBoxes } from "./boxes.ts";
import { readExifKinds } from "./exif.ts";
import type { ImageInfo, MetadataKind } from "../image-info.ts";
import { damagedImage, latin1, viewOf } from "../image-info.ts";

/** A full box begins with a version and flags (ISO/IEC 14496-12, 4.2). */
const FULL = 4;

interface Item {
  readonly id: number;
  readonly type: string;
  readonly contentType: string;
}

/** Gives the bytes of an item by its id. */
type ItemData = (id: number) => Uint8Array;

/**
 * Reads the items of a HEIF (ISO/IEC 23008-12) in AV1 (AV1 Image File Format 1.1) or HEVC: size, tiles, metadata.
 * @throws ToolFailure damaged_file, unsupported_feature; RangeError when it is cut
 */
export function readHeif(bytes: Uint8Array): ImageInfo {
  const top = readBoxes(bytes);
  const hasTrack = top.some(({ type }) => type === "moov");
  if (hasTrack && !top.some(({ type }) => type === "meta")) {
    throw new ToolFailure("unsupported_feature", "The file is a sequence without a still image.");
  }
  const meta = readBoxes(find(top, "meta").subarray(FULL));
  const items = readItems(find(meta, "iinf"));
  checkTiles(items, meta);
  const idat = meta.find(({ type }) => type === "idat")?.data ?? new Uint8Array(0);
  const dataOf = makeItemData(find(meta, "iloc"), { file: bytes, idat });
  const properties = readBoxes(find(readBoxes(find(meta, "iprp")), "ipco"));
  const size = readSize(properties);
  const pixels = Math.max(size.width * size.height, decodedPixels(items, { dataOf, properties }));
  const metadata = new Set([...items.flatMap((item) => kindsOf(item, dataOf)), ...profileKinds(properties)]);
  const hasGainMap = items.some(({ type }) => type === "tmap") || properties.some(isGainMap);
  return {
    ...size,
    frames: 1,
    decodedPixels: pixels,
    hasMorePictures: hasTrack,
    metadata,
    hasGainMap,
    isSideways: properties.some(isQuarterTurn),
  };
}

/** Color of a HEIF: an ICC profile, or code points of ITU-T H.273. */
export interface HeifColor {
  readonly profile?: Uint8Array;
  readonly primaries?: number;
  readonly transfer?: number;
}

/** Reads the color information (ISO/IEC 14496-12, 12.1.5); a profile counts more than code points. */
export function readHeifColor(bytes: Uint8Array): HeifColor {
  const meta = readBoxes(find(readBoxes(bytes), "meta").subarray(FULL));
  const properties = readBoxes(find(readBoxes(find(meta, "iprp")), "ipco"));
  const colors = properties.filter(({ type }) => type === "colr").map(({ data }) => data);
  const typeOf = (data: Uint8Array) => latin1(data, { end: 4 });
  const profile = colors.find((data) => typeOf(data) === "prof" || typeOf(data) === "rICC");
  if (profile) return { profile: profile.subarray(4) };
  const points = colors.find((data) => typeOf(data) === "nclx");
  if (!points) return {};
  return { primaries: viewOf(points).getUint16(4), transfer: viewOf(points).getUint16(6) };
}

/** An odd number of turns by 90 degrees (ISO/IEC 23008-12, 6.5.10). */
function isQuarterTurn({ type, data }: Box): boolean {
  return type === "irot" && (data[0] ?? 0) % 2 === 1;
}

function isGainMap({ type, data }: Box): boolean {
  return type === "auxC" && latin1(data, { start: FULL, end: 128 }).includes("gainmap");
}

function find(boxes: readonly Box[], type: string): Uint8Array {
  const box = boxes.find((one) => one.type === type);
  if (!box) throw damagedImage("a box that must be there is missing");
  return box.data;
}

/** The largest picture is the one that is shown: thumbnails are smaller, and transparency is as large. */
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

function readItems(iinf: Uint8Array): Item[] {
  const isLong = iinf[0] !== 0;
  return readBoxes(iinf.subarray(FULL + (isLong ? 4 : 2))).map(({ data }) => {
    const cursor = new Cursor(data, FULL);
    const id = cursor.number(data[0] === 3 ? 4 : 2);
    cursor.at += 2;
    const type = latin1(data, { start: cursor.at, end: cursor.at + 4 });
    cursor.at += 4;
    cursor.text();
    return { id, type, contentType: type === "mime" ? cursor.text() : "" };
  });
}

/** Reads where the items lie (ISO/IEC 14496-12, 8.11.3): in the file, or in a box inside of the meta box. */
function makeItemData(iloc: Uint8Array, { file, idat }: { file: Uint8Array; idat: Uint8Array }): ItemData {
  const version = iloc[0]!;
  const cursor = new Cursor(iloc, FULL);
  const sizes = cursor.number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  const idBytes = version === 2 ? 4 : 2;
  const parts = new Map<number, Uint8Array[]>();
  for (let left = cursor.number(idBytes); left > 0; left--) {
    const id = cursor.number(idBytes);
    const method = version > 0 ? cursor.number(2) & 15 : 0;
    cursor.at += 2;
    const base = cursor.number(baseBytes);
    const extents: Uint8Array[] = [];
    for (let more = cursor.number(2); more > 0; more--) {
      cursor.at += indexBytes;
      const start = base + cursor.number(offsetBytes);
      extents.push(cut(method === 1 ? idat : file, { start, length: cursor.number(lengthBytes) }));
    }
    parts.set(id, extents);
  }
  return (id) => joinOnce(parts.get(id) ?? [], file.length);
}

function cut(source: Uint8Array, { start, length }: { start: number; length: number }): Uint8Array {
  if (start + length > source.length) throw damagedImage("its pixels are cut");
  // Length 0 means all that follows.
  return source.subarray(start, length === 0 ? source.length : start + length);
}

/** Parts may lie on each other: without a bound a small file would unfold into a large one. */
function joinOnce(parts: readonly Uint8Array[], mostBytes: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > mostBytes) throw damagedImage("its parts overlap");
  return concatBytes(...parts);
}

/** Types of items that hold a coded picture. */
const CODED = ["av01", "hvc1", "hev1"];

interface Contents {
  readonly dataOf: ItemData;
  readonly properties: readonly Box[];
}

function decodedPixels(items: readonly Item[], { dataOf, properties }: Contents): number {
  if (items.some(({ type }) => type === "iovl")) {
    throw new ToolFailure("unsupported_feature", "An image that is made of overlays cannot be converted.");
  }
  const coded = items.filter(({ type }) => CODED.includes(type));
  if (coded.length === 0) {
    throw new ToolFailure("unsupported_feature", "A HEIF can be converted if it is coded in AV1 or HEVC.");
  }
  const tiles = coded.map(({ id, type }) =>
    (type === "av01" ? readAv1Pixels : readHevcStreamPixels)(dataOf(id)),
  );
  const configs = properties
    .filter(({ type }) => type === "hvcC")
    .map(({ data }) => readHevcConfigPixels(data));
  const largest = Math.max(0, ...tiles, ...configs);
  const grids = items.filter(({ type }) => type === "grid").map(({ id }) => dataOf(id));
  // Rows and columns stand less one behind version and flags (ISO/IEC 23008-12, 6.6.2.3).
  const counts = grids.map((grid) => ((grid[2] ?? 0) + 1) * ((grid[3] ?? 0) + 1));
  return Math.max(1, ...counts) * largest;
}

/**
 * Tiles are coded pictures, as MIAF (ISO/IEC 23000-22) has it. A grid of grids, which libheif takes, multiplies
 * what is decoded without its header telling.
 */
function checkTiles(items: readonly Item[], meta: readonly Box[]): void {
  const grids = new Set(items.filter(({ type }) => type === "grid").map(({ id }) => id));
  const uncoded = new Set(items.filter(({ type }) => !CODED.includes(type)).map(({ id }) => id));
  const lists = meta.filter(({ type }) => type === "iref").map(({ data }) => data);
  for (const { from, to } of lists.flatMap(readReferences)) {
    if (!grids.has(from) || !to.some((id) => uncoded.has(id))) continue;
    throw new ToolFailure(
      "unsupported_feature",
      "A grid whose tiles are not coded pictures cannot be converted.",
    );
  }
}

/** Which items an item is derived from (ISO/IEC 14496-12, 8.11.12). */
function readReferences(iref: Uint8Array): { from: number; to: number[] }[] {
  const idBytes = iref[0] === 0 ? 2 : 4;
  return readBoxes(iref.subarray(FULL))
    .filter(({ type }) => type === "dimg")
    .map(({ data }) => {
      const cursor = new Cursor(data);
      const from = cursor.number(idBytes);
      const to = Array.from({ length: cursor.number(2) }, () => cursor.number(idBytes));
      return { from, to };
    });
}

function kindsOf({ id, type, contentType }: Item, dataOf: ItemData): MetadataKind[] {
  if (type === "mime") return [contentType === "application/rdf+xml" ? "xmp" : "other"];
  if (type !== "Exif") return [];
  const data = dataOf(id);
  // The block stands behind the offset of its TIFF header (ISO/IEC 23008-12, A.2.1).
  return readExifKinds(data.subarray(4 + viewOf(data).getUint32(0)));
}

function profileKinds(properties: readonly Box[]): MetadataKind[] {
  const hasProfile = properties.some(
    ({ type, data }) => type === "colr" && latin1(data, { end: 4 }) !== "nclx",
  );
  return hasProfile ? ["icc"] : [];
}
