import type { Bytes } from "../../wire/bytes.ts";

/** Fills the array with random bytes. */
export type Random = (target: Bytes) => unknown;

/**
 * Draws whole numbers from 0 to `limit` - 1, at most 65,536, with equal probability, by rejection sampling: a plain
 * remainder would favour the first ones unless the limit divides the number of values.
 */
export function drawBelow(limit: number, random: Random): () => number {
  const width = limit <= 256 ? 1 : 2;
  const end = 256 ** width - (256 ** width % limit);
  const bytes = new Uint8Array(1024);
  let next = bytes.length;
  return () => {
    for (;;) {
      if (next === bytes.length) random(bytes);
      next %= bytes.length;
      const value = width === 1 ? (bytes[next] ?? 0) : (bytes[next] ?? 0) * 256 + (bytes[next + 1] ?? 0);
      next += width;
      if (value < end) return value % limit;
    }
  };
}

/** Web Crypto returns no more at a time. */
const POOL_BYTES = 65_536;

/**
 * Fills the target with letters of an alphabet of at most 255 bytes, none of them 0, with equal probability, by
 * rejection sampling as in drawBelow. A million letters take a few milliseconds.
 */
export function drawLetters(target: Bytes, letters: Bytes, random: Random): void {
  const { length: limit } = letters;
  const end = 256 - (256 % limit);
  // The letter for a random byte; 0 for one that is drawn again.
  const letterOf = Uint8Array.from({ length: 256 }, (_, byte) => (byte < end ? letters[byte % limit]! : 0));
  const pool = new Uint8Array(Math.min(POOL_BYTES, 64 + target.length * 2));
  for (let filled = 0; filled < target.length;) {
    random(pool);
    for (let next = 0; next < pool.length && filled < target.length; next++) {
      // Every byte has an entry, and the pool has no gaps.
      const letter = letterOf[pool[next]!]!;
      if (letter !== 0) target[filled++] = letter;
    }
  }
}

export function fillRandom(target: Bytes): void {
  crypto.getRandomValues(target);
}

/** Entropy with two decimals, and never more than there is. */
export function roundDown(bits: number): number {
  return Math.floor(bits * 100) / 100;
}

/** The smallest number of characters or words with at least this many bits. */
export function leastFor(
  minEntropy: number,
  { entropyOf, from = 1 }: { entropyOf: (count: number) => number; from?: number },
): number {
  let count = from;
  while (entropyOf(count) < minEntropy) count++;
  return count;
}
