import { type Bytes, byteAt } from "../../../wire/bytes.ts";

/** RC4, which encrypts as it decrypts. Broken as a cipher; here only to open what old documents hold. */
export function rc4(key: Uint8Array, data: Uint8Array): Bytes {
  const state = schedule(key);
  const result = new Uint8Array(data.length);
  for (let n = 0, i = 0, j = 0; n < data.length; n++) {
    i = (i + 1) & 255;
    const a = byteAt(state, i);
    j = (j + a) & 255;
    const b = byteAt(state, j);
    state[i] = b;
    state[j] = a;
    result[n] = byteAt(data, n) ^ byteAt(state, (a + b) & 255);
  }
  return result;
}

function schedule(key: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    const a = byteAt(state, i);
    j = (j + a + byteAt(key, i % key.length)) & 255;
    state[i] = byteAt(state, j);
    state[j] = a;
  }
  return state;
}
