/** Bytes that Web Crypto and workers take: never a view on shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Joins parts in order into one new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Compares without leaving early, so that the time taken tells nothing about where two digests differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}

/** Encodes text as UTF-8. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}
