import type { Bytes } from "../../../wire/bytes.ts";

/** RC4, which encrypts as it decrypts. Broken as a cipher; here only to open what old documents hold. */
export function rc4(key: Uint8Array, data: Uint8Array): Bytes {
  const state = schedule(key);
  const result = new Uint8Array(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n++) {
    i = (i + 1) & 255;
    const a = state[i]!;
    j = (j + a) & 255;
    const b = state[j]!;
    state[i] = b;
    state[j] = a;
    result[n] = data[n]! ^ state[(a + b) & 255]!;
  }
  return result;
}

function schedule(key: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    const a = state[i]!;
    j = (j + a + key[i % key.length]!) & 255;
    state[i] = state[j]!;
    state[j] = a;
  }
  return state;
}
