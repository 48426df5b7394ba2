import { cbc } from "@noble/ciphers/aes.js";
import type { Bytes } from "../../bytes.ts";

const BLOCK = 16;
/** Web Crypto is fourteen times faster on long data and five times slower on short. */
const WORTH_WEB_CRYPTO = 64 * 1024;

/** Decrypts data that begins with its vector and ends with padding; what cannot be decrypted is left out. */
export function openAes(key: Uint8Array, data: Uint8Array): Bytes {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array(0);
  const body = cbcOpen(key, { iv: data.subarray(0, BLOCK), data: data.subarray(BLOCK, whole) });
  return withoutPadding(body);
}

/** The same, off the thread where that pays. */
export async function openAesLater(key: Bytes, data: Bytes): Promise<Bytes> {
  if (data.length < WORTH_WEB_CRYPTO || data.length % BLOCK !== 0) return openAes(key, data);
  const cipher = { name: "AES-CBC", iv: data.subarray(0, BLOCK) };
  const imported = await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["decrypt"]);
  // Web Crypto refuses broken padding as a whole; by hand, what decrypts is kept.
  return crypto.subtle.decrypt(cipher, imported, data.subarray(BLOCK)).then(
    (plain) => new Uint8Array(plain),
    () => openAes(key, data),
  );
}

/** CBC without padding. */
export function cbcOpen(key: Uint8Array, { iv, data }: { iv: Uint8Array; data: Uint8Array }): Bytes {
  return new Uint8Array(cbc(key, iv, { disablePadding: true }).decrypt(data));
}

/** CBC without padding. */
export function cbcSeal(key: Uint8Array, { iv, data }: { iv: Uint8Array; data: Uint8Array }): Uint8Array {
  return cbc(key, iv, { disablePadding: true }).encrypt(data);
}

function withoutPadding(bytes: Bytes): Bytes {
  const padding = bytes.at(-1) ?? 0;
  if (padding < 1 || padding > BLOCK) return bytes;
  return bytes.subarray(0, bytes.length - padding);
}
