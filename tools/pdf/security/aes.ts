import { cbc } from "@noble/ciphers/aes.js";
import { ByteParts } from "../../../wire/byte-pieces.ts";
import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { nativeCrypto } from "../../file/native.ts";

const BLOCK = 16;
/** Web Crypto is fourteen times faster than JavaScript on long data and five times slower on short. */
const WORTH_WEB_CRYPTO = 64 * 1024;

/** Decrypts data that begins with its initialization vector and ends with padding; a last block that is cut short is left out. */
export function decryptAes(key: Uint8Array, data: Uint8Array): Bytes {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array(0);
  const body = decryptCbc(key, data.subarray(0, BLOCK), data.subarray(BLOCK, whole));
  return withoutPadding(body);
}

/**
 * A function that decrypts as decryptAes does, for many calls with one key. One cipher object serves them all: in CBC
 * a block depends only on the one before it, so each call's own initialization vector starts afresh.
 */
export function createAesDecrypt(key: Uint8Array): (data: Uint8Array) => Bytes {
  const cipher = nativeCipher("createDecipheriv", key, new Uint8Array(BLOCK));
  if (!cipher) return (data) => decryptAes(key, data);
  return (data) => {
    const whole = data.length - (data.length % BLOCK);
    if (whole < 2 * BLOCK) return new Uint8Array(0);
    return withoutPadding(cipher.update(data.subarray(0, whole)).subarray(BLOCK));
  };
}

/** Whether decryptAesAsync is the faster way. */
export function isFasterAsync(data: Uint8Array): boolean {
  return isWorthWebCrypto(data) && data.length % BLOCK === 0;
}

// A page that came over plain http has no Web Crypto but for random numbers.
function isWorthWebCrypto({ length }: Uint8Array): boolean {
  return !nativeCrypto && length >= WORTH_WEB_CRYPTO && crypto.subtle !== undefined;
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

/** Encrypts data as decryptAes decrypts it: after a random initialization vector, and padded. */
interface AesEncrypt {
  encrypt(data: Uint8Array): ByteParts;
  /** The same off the thread, in a page; undefined where that is not the faster way. */
  encryptAsync(data: Bytes): Promise<ByteParts> | undefined;
}

export function createAesEncrypt(key: Bytes): AesEncrypt {
  const encrypt = createEncrypt(key);
  let imported: Promise<CryptoKey> | undefined;
  const encryptAsync = async (data: Bytes) => {
    const iv = randomBlock();
    imported ??= crypto.subtle.importKey("raw", key, "AES-CBC", false, ["encrypt"]);
    const encrypted = await crypto.subtle.encrypt({ name: "AES-CBC", iv }, await imported, data);
    return new ByteParts([iv, new Uint8Array(encrypted)]);
  };
  return { encrypt, encryptAsync: (data) => (isWorthWebCrypto(data) ? encryptAsync(data) : undefined) };
}

function randomBlock(): Bytes {
  return crypto.getRandomValues(new Uint8Array(BLOCK));
}

/** Up to this size, copying data together with its surroundings is cheaper than encrypting three parts. */
const COPIED = 16 * 1024;

/**
 * One cipher object for all calls, as in createAesDecrypt: thousands of them would hold memory that no garbage collector
 * sees. What it makes of a random block is as random, and is the initialization vector of what follows.
 */
function createEncrypt(key: Uint8Array): AesEncrypt["encrypt"] {
  const cipher = nativeCipher("createCipheriv", key, new Uint8Array(BLOCK));
  return (data) => {
    if (!cipher) {
      const iv = randomBlock();
      return new ByteParts([iv, cbc(key, iv).encrypt(data)]);
    }
    const whole = data.length - (data.length % BLOCK);
    const last = new Uint8Array(BLOCK).fill(BLOCK - (data.length - whole));
    last.set(data.subarray(whole));
    const parts = [randomBlock(), data.subarray(0, whole), last];
    const inputs = whole <= COPIED ? [joinBytes(parts)] : parts;
    return new ByteParts(inputs.map((part) => cipher.update(part)));
  };
}

/** CBC without padding. */
export function decryptCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Bytes {
  const cipher = nativeCipher("createDecipheriv", key, iv);
  return cipher?.update(data) ?? new Uint8Array(cbc(key, iv, { disablePadding: true }).decrypt(data));
}

/** CBC without padding. */
export function encryptCbc(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const cipher = nativeCipher("createCipheriv", key, iv);
  return cipher?.update(data) ?? cbc(key, iv, { disablePadding: true }).encrypt(data);
}

/** A cipher of the runtime for CBC without padding; undefined in a page. */
function nativeCipher(make: "createCipheriv" | "createDecipheriv", key: Uint8Array, iv: Uint8Array) {
  const name = `aes-${key.length * 8}-cbc`;
  const cipher = nativeCrypto?.[make](name, nativeCrypto.createSecretKey(key), iv);
  cipher?.setAutoPadding(false);
  return cipher;
}

function withoutPadding(bytes: Bytes): Bytes {
  const padding = bytes.at(-1) ?? 0;
  if (padding < 1 || padding > BLOCK) return bytes;
  return bytes.subarray(0, bytes.length - padding);
}
