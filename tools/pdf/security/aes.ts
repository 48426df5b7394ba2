import { cbc } from "@noble/ciphers/aes.js";
import type { Bytes } from "../../../wire/bytes.ts";
import { nativeCrypto } from "../../native.ts";

const BLOCK = 16;
/** Web Crypto is fourteen times faster than JavaScript on long data and five times slower on short. */
const WORTH_WEB_CRYPTO = 64 * 1024;

/** Decrypts data that begins with its initialization vector and ends with padding; a last block that is cut short is left out. */
export function decryptAes(key: Uint8Array, data: Uint8Array): Bytes {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array(0);
  const body = decryptCbc(key, { iv: data.subarray(0, BLOCK), data: data.subarray(BLOCK, whole) });
  return withoutPadding(body);
}

/**
 * A function that decrypts as decryptAes does, for many calls with one key. One cipher object serves them all: in CBC
 * a block depends only on the one before it, so each call's own initialization vector starts afresh.
 */
export function createAesDecrypt(key: Uint8Array): (data: Uint8Array) => Bytes {
  if (!nativeCrypto) return (data) => decryptAes(key, data);
  const { createDecipheriv, createSecretKey } = nativeCrypto;
  const cipher = createDecipheriv(nameFor(key), createSecretKey(key), new Uint8Array(BLOCK));
  cipher.setAutoPadding(false);
  return (data) => {
    const whole = data.length - (data.length % BLOCK);
    if (whole < 2 * BLOCK) return new Uint8Array(0);
    return withoutPadding(cipher.update(data.subarray(0, whole)).subarray(BLOCK));
  };
}

/** Whether decryptAesAsync is the faster way. */
export function isFasterAsync({ length }: Uint8Array): boolean {
  return !nativeCrypto && length >= WORTH_WEB_CRYPTO && length % BLOCK === 0;
}

/** decryptAes off the thread, in a page. */
export async function decryptAesAsync(key: Bytes, data: Bytes): Promise<Bytes> {
  const cipher = { name: "AES-CBC", iv: data.subarray(0, BLOCK) };
  const imported = await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["decrypt"]);
  // Web Crypto refuses broken padding as a whole; by hand, what decrypts is kept.
  return crypto.subtle.decrypt(cipher, imported, data.subarray(BLOCK)).then(
    (plain) => new Uint8Array(plain),
    () => decryptAes(key, data),
  );
}

interface Message {
  readonly iv: Uint8Array;
  readonly data: Uint8Array;
}

/** CBC without padding. */
export function decryptCbc(key: Uint8Array, { iv, data }: Message): Bytes {
  if (!nativeCrypto) return new Uint8Array(cbc(key, iv, { disablePadding: true }).decrypt(data));
  const { createDecipheriv, createSecretKey } = nativeCrypto;
  const cipher = createDecipheriv(nameFor(key), createSecretKey(key), iv);
  cipher.setAutoPadding(false);
  return cipher.update(data);
}

/** CBC without padding. */
export function encryptCbc(key: Uint8Array, { iv, data }: Message): Uint8Array {
  if (!nativeCrypto) return cbc(key, iv, { disablePadding: true }).encrypt(data);
  const { createCipheriv, createSecretKey } = nativeCrypto;
  const cipher = createCipheriv(nameFor(key), createSecretKey(key), iv);
  cipher.setAutoPadding(false);
  return cipher.update(data);
}

function nameFor(key: Uint8Array): string {
  return `aes-${key.length * 8}-cbc`;
}

function withoutPadding(bytes: Bytes): Bytes {
  const padding = bytes.at(-1) ?? 0;
  if (padding < 1 || padding > BLOCK) return bytes;
  return bytes.subarray(0, bytes.length - padding);
}
