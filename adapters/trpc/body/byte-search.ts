import { byteAt, type Bytes } from "../../../wire/bytes.ts";

/** Where some bytes are first found in others, whole or with as much of their beginning as these end with. */
interface SearchMatch {
  /** The length of the others where nothing is found. */
  readonly start: number;
  readonly isWhole: boolean;
}

/**
 * Looks for bytes, of which there is at least one, in the time of the length searched, whatever that contains (Knuth,
 * Morris, Pratt).
 */
export function createSearch(wanted: Bytes): (bytes: Uint8Array) => SearchMatch {
  const borders = bordersOf(wanted);
  return (bytes) => {
    let matched = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (matched === 0) at = bytes.indexOf(byteAt(wanted, 0), at);
      if (at < 0) return { start: bytes.length, isWhole: false };
      matched = extend(wanted, { borders, matched, byte: byteAt(bytes, at) });
      if (matched === wanted.length) return { start: at + 1 - matched, isWhole: true };
    }
    return { start: bytes.length - matched, isWhole: false };
  };
}

/** For each prefix the length of the longest one before it that it ends with. */
function bordersOf(wanted: Bytes): readonly number[] {
  const borders = [0];
  for (const byte of wanted.subarray(1))
    borders.push(extend(wanted, { borders, matched: borders.at(-1) ?? 0, byte }));
  return borders;
}

function extend(
  wanted: Bytes,
  { borders, matched, byte }: { borders: readonly number[]; matched: number; byte: number },
): number {
  let kept = matched;
  while (kept > 0 && wanted[kept] !== byte) kept = borders[kept - 1] ?? 0;
  return wanted[kept] === byte ? kept + 1 : kept;
}
