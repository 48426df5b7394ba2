import { type Bytes, concatBytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { deflate } from "../../pdf/filters/deflate.ts";
import { findZlibEnd } from "../../pdf/filters/deflate-end.ts";
import { inflate } from "../../pdf/filters/flate.ts";
import { openBudget } from "../../pdf/limits.ts";
import { viewOf } from "../image-info.ts";

interface Part {
  readonly type: string;
  readonly data: Uint8Array;
}

/** A frame of an animation has the number of the chunk before its pixels. */
const HEADS: Readonly<Record<string, number>> = { IDAT: 0, fdAT: 4 };
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Where the first pixel of each pass is, and how far it is to the next (W3C PNG, 8.1). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * What the pixels of a PNG are where some of their bytes show nothing: those after the end of the compressed data and
 * after the last row. By the number of the chunk; chunks that are not there stay as they are.
 */
export function shownPixels(parts: readonly Part[]): ReadonlyMap<number, Bytes> {
  const changed = new Map<number, Bytes>();
  const header = parts.find(({ type }) => type === "IHDR")?.data ?? new Uint8Array(13);
  let pieces: number[] = [];
  let control = header;
  const finish = () => {
    const cut = pieces.length > 0 ? cutPixels(parts, pieces, rowBytes(header, control)) : [];
    for (const [i, data] of cut.entries()) changed.set(pieces[i] ?? 0, data);
    pieces = [];
  };
  for (const [i, { type, data }] of parts.entries()) {
    if (type === "fcTL") {
      finish();
      // Behind the number of the chunk a frame has its width and height, as the header has.
      control = data.subarray(4);
    } else if (type === "IDAT" || type === "fdAT") {
      pieces.push(i);
    }
  }
  finish();
  return changed;
}

/** The data of chunks with the pixels of one picture; empty where nothing changes. */
function cutPixels(parts: readonly Part[], pieces: readonly number[], most: number): Bytes[] {
  const heads = pieces.map((i) => HEADS[parts[i]?.type ?? ""] ?? 0);
  const datas = pieces.map((i, at) => parts[i]?.data.subarray(heads[at]) ?? new Uint8Array());
  const [only = new Uint8Array()] = datas;
  const data = datas.length === 1 ? only : joinBytes(datas);
  const budget = openBudget(data.length);
  const found = findZlibEnd(data, budget);
  if (!found || (found.end === data.length && found.length <= most)) return [];
  const own = data.subarray(0, found.end);
  const left = found.length > most ? deflate(inflate(own, budget).bytes.subarray(0, most)) : own;
  let at = 0;
  // Chunks stay even if nothing is left in them, because those of an animation are numbered.
  return datas.map((piece, i) => {
    const from = at;
    at = i + 1 === datas.length ? left.length : Math.min(left.length, from + piece.length);
    const head = parts[pieces[i] ?? 0]?.data.subarray(0, heads[i]) ?? new Uint8Array();
    return concatBytes(head, left.subarray(from, at));
  });
}

/** How many bytes the rows of a picture have with their filters (7.2, 8.1); `size` begins with its width and height. */
function rowBytes(header: Uint8Array, size: Uint8Array): number {
  const [width, height] = [viewOf(size).getUint32(0), viewOf(size).getUint32(4)];
  const [depth = 8, color = 6, , , interlace = 0] = header.subarray(8);
  const bits = depth * (CHANNELS[color] ?? 4);
  const rows = (columns: number, count: number) =>
    columns > 0 ? count * (1 + Math.ceil((columns * bits) / 8)) : 0;
  if (interlace === 0) return rows(width, height);
  const sizes = PASSES.map(([x, y, dx, dy]) =>
    rows(Math.ceil(Math.max(0, width - x) / dx), Math.ceil(Math.max(0, height - y) / dy)),
  );
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** A profile under a name that says nothing, up to its end (11.3.2.3); undefined where decoders ignore it as damaged. */
export function unnamedProfile(data: Uint8Array): Bytes | undefined {
  const profile = data.subarray(data.indexOf(0) + 2);
  const found = findZlibEnd(profile, openBudget(profile.length));
  return found && concatBytes(utf8("icc\0\0"), profile.subarray(0, found.end));
}
