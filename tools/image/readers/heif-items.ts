import { joinBytes } from "../../../wire/bytes.ts";
import { makePartCounter, type PartCounter, damagedImage, shortLatin1 } from "../image-info.ts";
import { type Box, Cursor, readBoxes } from "./boxes.ts";

/** A full box begins with a version and flags (ISO/IEC 14496-12, 4.2). */
export const FULL = 4;

export interface Item {
  readonly id: number;
  readonly type: string;
  readonly contentType: string;
}

/** Gives the bytes of an item by its id. */
export type ItemData = (id: number) => Uint8Array;

/** @throws ToolFailure damaged_file where there is none */
export function findBox(boxes: readonly Box[], type: string): Uint8Array {
  const box = boxes.find((one) => one.type === type);
  if (!box) throw damagedImage("a box that must be there is missing");
  return box.data;
}

/** The id of the main picture (ISO/IEC 14496-12, 8.11.4). */
export function readMainItem(pitm: Uint8Array): number {
  return new Cursor(pitm, FULL).number(pitm[0] === 0 ? 2 : 4);
}

/** Reads the list of items (ISO/IEC 14496-12, 8.11.6). */
export function readItems(iinf: Uint8Array, count?: PartCounter): Item[] {
  const isLong = iinf[0] !== 0;
  return readBoxes(iinf.subarray(FULL + (isLong ? 4 : 2)), count).map(({ data }) => {
    const cursor = new Cursor(data, FULL);
    const id = cursor.number(data[0] === 3 ? 4 : 2);
    cursor.at += 2;
    const type = shortLatin1(data, { start: cursor.at, end: cursor.at + 4 });
    cursor.at += 4;
    cursor.text();
    return { id, type, contentType: type === "mime" ? cursor.text() : "" };
  });
}

/** Reads where the items are (ISO/IEC 14496-12, 8.11.3): in the file, or in a box inside the meta box. */
export function makeItemData(iloc: Uint8Array, file: Uint8Array, idat: Uint8Array): ItemData {
  const [version = 0] = iloc;
  const cursor = new Cursor(iloc, FULL);
  const sizes = cursor.number(2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexBytes = version > 0 ? sizes & 15 : 0;
  const idBytes = version === 2 ? 4 : 2;
  const parts = new Map<number, Uint8Array[]>();
  const countEntry = makePartCounter("entries");
  const countExtent = makePartCounter("extents");
  for (let left = cursor.number(idBytes); left > 0; left--) {
    countEntry();
    const id = cursor.number(idBytes);
    const method = version > 0 ? cursor.number(2) & 15 : 0;
    cursor.at += 2;
    const base = cursor.number(baseBytes);
    const extents: Uint8Array[] = [];
    for (let more = cursor.number(2); more > 0; more--) {
      countExtent();
      cursor.at += indexBytes;
      const start = base + cursor.number(offsetBytes);
      extents.push(cut(method === 1 ? idat : file, start, cursor.number(lengthBytes)));
    }
    parts.set(id, extents);
  }
  return makeJoiner(parts, file.length);
}

function cut(source: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > source.length) throw damagedImage("its pixels are cut");
  // Length 0 means everything that follows.
  return source.subarray(start, length === 0 ? source.length : start + length);
}

/** Parts may overlap: without a bound for all items a small file would unfold into a large one. */
function makeJoiner(parts: ReadonlyMap<number, Uint8Array[]>, mostBytes: number): ItemData {
  const joined = new Map<number, Uint8Array>();
  let total = 0;
  return (id) => {
    const own = parts.get(id) ?? [];
    const known = own.length === 1 ? own[0] : joined.get(id);
    if (known) return known;
    total += own.reduce((sum, part) => sum + part.length, 0);
    if (total > mostBytes) throw damagedImage("its parts overlap");
    const whole = joinBytes(own);
    joined.set(id, whole);
    return whole;
  };
}

/** Returns the properties of an item by its id. */
export type ItemProperties = (id: number) => readonly Box[];

/** Reads which properties are whose (ISO/IEC 23008-12, 9.3.1). */
export function readProperties(
  meta: readonly Box[],
  count?: PartCounter,
): { all: readonly Box[]; of: ItemProperties } {
  const boxes = readBoxes(findBox(meta, "iprp"), count);
  const all = readBoxes(findBox(boxes, "ipco"), count);
  const byItem = new Map<number, Box[]>();
  const countEntry = makePartCounter("entries");
  const countProperty = makePartCounter("properties");
  for (const { data } of boxes.filter(({ type }) => type === "ipma")) {
    const [version, , , flags = 0] = data;
    const hasLongIndexes = flags % 2 === 1;
    const cursor = new Cursor(data, FULL);
    for (let left = cursor.number(4); left > 0; left--) {
      countEntry();
      const id = cursor.number(version === 0 ? 2 : 4);
      for (let more = cursor.number(1); more > 0; more--) {
        countProperty();
        // The highest bit says that the property is essential; indexes begin with one.
        const index = hasLongIndexes ? cursor.number(2) & 0x7fff : cursor.number(1) & 0x7f;
        const property = all[index - 1];
        if (property) addTo(byItem, id, property);
      }
    }
  }
  return { all, of: (id) => byItem.get(id) ?? [] };
}

/** Gives the items that an item is derived from, by its id. */
export type Tiles = (id: number) => readonly number[];

/** Reads which items are tiles of which (ISO/IEC 14496-12, 8.11.12). */
export function readTiles(meta: readonly Box[], count?: PartCounter): Tiles {
  const countReference = makePartCounter("references");
  const tiles = new Map<number, number[]>();
  for (const { data: iref } of meta.filter(({ type }) => type === "iref")) {
    const idBytes = iref[0] === 0 ? 2 : 4;
    for (const { type, data } of readBoxes(iref.subarray(FULL), count)) {
      if (type !== "dimg") continue;
      const cursor = new Cursor(data);
      const from = cursor.number(idBytes);
      for (let left = cursor.number(2); left > 0; left--) {
        countReference();
        addTo(tiles, from, cursor.number(idBytes));
      }
    }
  }
  return (id) => tiles.get(id) ?? [];
}

/** Whether colors are stored multiplied by their transparency (MIAF, ISO/IEC 23000-22, 7.3.5.2). */
export function areMultiplied(meta: readonly Box[]): boolean {
  const references = meta.filter(({ type }) => type === "iref");
  return references.some(({ data }) => readBoxes(data.subarray(FULL)).some(({ type }) => type === "prem"));
}

function addTo<Value>(lists: Map<number, Value[]>, id: number, value: Value): void {
  const list = lists.get(id);
  if (list) list.push(value);
  else lists.set(id, [value]);
}
