import type { Bytes } from "../../../wire/bytes.ts";

/** Where some bytes are first found in others, whole or with as much of their beginning as these end with. */
interface SearchMatch {
  /** The length of the others where nothing is found. */
  readonly start: number;
  readonly isWhole: boolean;
}

/**
 * Looks for bytes, of which there are 1 to 255, in the time of the length searched, whatever that contains (Knuth,
 * Morris, Pratt).
 */
export function createSearch(wanted: Bytes): (bytes: Uint8Array) => SearchMatch {
  const borders = bordersOf(wanted);
  const [first = 0] = wanted;
  return (bytes) => {
    let matched = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (matched === 0) at = bytes.indexOf(first, at);
      if (at < 0) return { start: bytes.length, isWhole: false };
      // A call for each byte takes ten times as long.
      const byte = bytes[at];
      while (matched > 0 && wanted[matched] !== byte) matched = borders[matched - 1] ?? 0;
      if (wanted[matched] === byte) matched++;
      if (matched === wanted.length) return { start: at + 1 - matched, isWhole: true };
    }
    return { start: bytes.length - matched, isWhole: false };
  };
}

/** For each prefix the length of the longest one before it that it ends with. */
function bordersOf(wanted: Bytes): Uint8Array {
  const borders = new Uint8Array(wanted.length);
  for (let at = 1, kept = 0; at < wanted.length; at++) {
    while (kept > 0 && wanted[kept] !== wanted[at]) kept = borders[kept - 1] ?? 0;
    if (wanted[kept] === wanted[at]) kept++;
    borders[at] = kept;
  }
  return borders;
}
