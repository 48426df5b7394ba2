/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy with one kind of damage: bits flipped, bytes lost, bytes added, or the end cut off. */
export function mutate(file: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * file.length);
  const length = 1 + Math.floor(random() * 20);
  const kind = Math.floor(random() * 4);
  if (kind === 0) return flipped(file, random);
  if (kind === 1) return joined([file.subarray(0, at), file.subarray(at + length)]);
  if (kind === 2) return joined([file.subarray(0, at), file.subarray(0, length), file.subarray(at)]);
  return file.slice(0, Math.max(1, file.length - Math.floor(random() * 0.3 * file.length)));
}

function flipped(file: Uint8Array, random: () => number): Uint8Array {
  const copy = file.slice();
  const count = 1 + Math.floor(random() * 10);
  for (let i = 0; i < count; i++) copy[Math.floor(random() * copy.length)]! ^= 1 << Math.floor(random() * 8);
  return copy;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
