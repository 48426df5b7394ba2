// HEIC files put together box by box, around the pixels of a real one.
import { readFileSync } from "node:fs";
import type { Bytes } from "../../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../../wire/bytes.ts";
import { readBoxes } from "../../../tools/image/readers/boxes.ts";

export interface Sides {
  readonly width: number;
  readonly height: number;
}

/** A grid shows its tiles, given by their places in the list of items, row by row. */
export interface Grid extends Sides {
  readonly rows: number;
  readonly columns: number;
  readonly tiles: readonly number[];
}

/** What a HEIC says and holds: items of 96 x 64 pixels, and behind them grids. */
export interface MadeHeic {
  /** The size that the container tells. */
  readonly told: Sides;
  /** The size in the parameters of the video stream, where it is to be another than that of the pixels. */
  readonly streamed?: Sides;
  /** How many items have the same pixels: a grid may show each of them once. */
  readonly pictures?: number;
  readonly grids?: readonly Grid[];
  /** The sides of the first item, in container and stream, where they are other ones. */
  readonly aside?: Sides;
}

const REAL = new Uint8Array(readFileSync(new URL("../../files/heic/quarters.heic", import.meta.url)));
const REAL_SIDES = { width: 96, height: 64 };
const FULL = new Uint8Array(4);
const GRID_BYTES = 12;
const SPS = 0x42;

/** The last item is the main picture. */
export function makeHeic({ told, streamed, pictures = 1, grids = [], aside }: MadeHeic): Bytes {
  const shared = pixels();
  const datas = grids.map(gridData);
  const properties = [hvcC(streamed), ispe(grids.length > 0 ? REAL_SIDES : told), ispe(told)];
  if (aside) properties.push(hvcC(aside), ispe(aside));
  const file = (dataAt: number) => {
    const starts = [...datas.keys()].map((i) => dataAt + shared.length + i * GRID_BYTES);
    const items: Item[] = [
      ...Array<Item>(pictures).fill({ type: "hvc1", at: dataAt, sizeBytes: shared.length }),
      ...starts.map((at) => ({ type: "grid", at, sizeBytes: GRID_BYTES }) as const),
    ];
    return concatBytes(
      box("ftyp", utf8("heic"), u32(0), utf8("mif1heic")),
      metaBox({ items, grids, properties }),
      box("mdat", shared, ...datas),
    );
  };
  return file(file(0).length - shared.length - datas.length * GRID_BYTES);
}

interface Item {
  readonly type: "hvc1" | "grid";
  readonly at: number;
  readonly sizeBytes: number;
}

interface Meta {
  readonly items: readonly Item[];
  readonly grids: readonly Grid[];
  readonly properties: readonly Bytes[];
}

function metaBox({ items, grids, properties }: Meta): Bytes {
  const infos = items.map(({ type }, i) =>
    box("infe", Uint8Array.of(2, 0, 0, 0), u16(i + 1), u16(0), utf8(`${type}\0`)),
  );
  const places = items.map(({ at, sizeBytes }, i) =>
    concatBytes(u16(i + 1), u16(0), u16(1), u32(at), u32(sizeBytes)),
  );
  const firstGrid = items.length - grids.length + 1;
  const tiles = grids.map(({ tiles: of }, i) =>
    box("dimg", u16(firstGrid + i), u16(of.length), ...of.map((at) => u16(at + 1))),
  );
  // A picture has the first two of the properties, a grid the third, and one aside has two of its own.
  const [first, second] = [properties.length > 3 ? [2, 0x84, 0x85] : [2, 0x81, 0x82], [2, 0x81, 0x82]];
  const owners = items.map(({ type }, i) =>
    concatBytes(u16(i + 1), Uint8Array.from(type === "grid" ? [1, 0x83] : i === 0 ? first! : second!)),
  );
  return box(
    "meta",
    FULL,
    box("hdlr", FULL, u32(0), utf8("pict"), new Uint8Array(13)),
    box("pitm", FULL, u16(items.length)),
    box("iloc", FULL, u16(0x4400), u16(items.length), ...places),
    box("iinf", FULL, u16(items.length), ...infos),
    ...(tiles.length > 0 ? [box("iref", FULL, ...tiles)] : []),
    box("iprp", box("ipco", ...properties), box("ipma", FULL, u32(items.length), ...owners)),
  );
}

/** ISO/IEC 23008-12, 6.6.2.3, with sides of four bytes. */
function gridData({ rows, columns, width, height }: Grid): Bytes {
  return concatBytes(Uint8Array.of(0, 1, rows - 1, columns - 1), u32(width), u32(height));
}

function ispe({ width, height }: Sides): Bytes {
  return box("ispe", FULL, u32(width), u32(height));
}

function pixels(): Bytes {
  return inside(REAL, "mdat");
}

/** The real configuration, its sequence parameter set changed to tell other sides. */
function hvcC(sides: Sides | undefined): Bytes {
  const properties = inside(inside(inside(REAL, "meta").subarray(4), "iprp"), "ipco");
  const real = inside(properties, "hvcC");
  if (!sides) return box("hvcC", real);
  const at = real.findIndex((byte, i) => byte === SPS && real[i + 1] === 1 && real[i - 2] === 0);
  const length = real[at - 1]!;
  const unit = withSides(real.subarray(at, at + length), sides);
  return box("hvcC", real.subarray(0, at - 2), u16(unit.length), unit, real.subarray(at + length));
}

/** Where the sides begin in the stream: behind header, profile and level, an id of one bit and a chroma format of three. */
const SIDES_AT = 8 * (2 + 1 + 12) + 4;

function withSides(unit: Bytes, { width, height }: Sides): Bytes {
  const plain = unit.filter((byte, i) => !(byte === 3 && unit[i - 1] === 0 && unit[i - 2] === 0));
  const bits = Array.from(plain, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const rest = skipExpGolomb(skipExpGolomb(bits.slice(SIDES_AT)));
  const changed = bits.slice(0, SIDES_AT) + expGolomb(width) + expGolomb(height) + rest;
  const bytes = changed.match(/.{1,8}/g)!.map((part) => Number.parseInt(part.padEnd(8, "0"), 2));
  return Uint8Array.from(preventEmulation(bytes));
}

function expGolomb(value: number): string {
  const binary = (value + 1).toString(2);
  return "0".repeat(binary.length - 1) + binary;
}

function skipExpGolomb(bits: string): string {
  const zeros = bits.indexOf("1");
  return bits.slice(2 * zeros + 1);
}

/** ITU-T H.265, 7.3.1.1: a 3 between two zeros and a small byte. */
function preventEmulation(bytes: readonly number[]): number[] {
  let zeros = 0;
  return bytes.flatMap((byte) => {
    const isEmulation = zeros >= 2 && byte <= 3;
    zeros = byte === 0 ? (isEmulation ? 1 : zeros + 1) : 0;
    return isEmulation ? [3, byte] : [byte];
  });
}

function inside(bytes: Uint8Array, type: string): Bytes {
  return readBoxes(bytes)
    .find((one) => one.type === type)!
    .data.slice();
}

function box(type: string, ...parts: readonly Bytes[]): Bytes {
  const data = concatBytes(...parts);
  return concatBytes(u32(8 + data.length), utf8(type), data);
}

function u16(value: number): Bytes {
  return Uint8Array.of(value >> 8, value);
}

function u32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
