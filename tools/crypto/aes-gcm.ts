import { freeBytes, joinBytes, type Bytes } from "../../wire/bytes.ts";
import { NATIVE_GCM_BYTES, nativeCrypto } from "../file/native.ts";

export const GCM_TAG_BYTES = 16;

/** For one message; a key must never see an iv twice. */
export interface GcmOptions {
  /** 32 bytes. */
  readonly key: Bytes;
  /** 12 bytes. */
  readonly iv: Bytes;
  readonly additionalData: Bytes;
}

/** AES-256-GCM (NIST SP 800-38D): the ciphertext and the tag, in parts. */
export async function encryptGcm(plain: Bytes, { key, iv, additionalData }: GcmOptions): Promise<Bytes[]> {
  if (!nativeCrypto || plain.length > NATIVE_GCM_BYTES) {
    const algorithm = { name: "AES-GCM", iv, additionalData };
    return [new Uint8Array(await crypto.subtle.encrypt(algorithm, await importKey(key), plain))];
  }
  const cipher = nativeCrypto.createCipheriv("aes-256-gcm", nativeCrypto.createSecretKey(key), iv);
  cipher.setAAD(additionalData);
  const parts = [cipher.update(plain), cipher.final()];
  return [...parts, cipher.getAuthTag()];
}

/** AES-256-GCM: the ciphertext and the tag, as one new piece. */
export async function sealGcm(plain: Bytes, options: GcmOptions): Promise<Bytes> {
  const [first, ...more] = await encryptGcm(plain, options);
  if (first && more.length === 0) return first;
  const sealed = joinBytes([...(first ? [first] : []), ...more]);
  freeBytes(first);
  return sealed;
}

/**
 * Decrypts a ciphertext with its tag.
 * @throws when either was changed, or the key or the additional data is different
 */
export async function decryptGcm(sealed: Bytes, { key, iv, additionalData }: GcmOptions): Promise<Bytes> {
  const end = sealed.length - GCM_TAG_BYTES;
  if (!nativeCrypto || end > NATIVE_GCM_BYTES) {
    const algorithm = { name: "AES-GCM", iv, additionalData };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, await importKey(key), sealed));
  }
  const cipher = nativeCrypto.createDecipheriv("aes-256-gcm", nativeCrypto.createSecretKey(key), iv);
  cipher.setAAD(additionalData);
  cipher.setAuthTag(sealed.subarray(end));
  const plain = cipher.update(sealed.subarray(0, end));
  cipher.final();
  return plain;
}

/** Decrypts a ciphertext with its tag; undefined where the tag does not verify, the only reason that ciphers give. */
export async function openGcm(sealed: Bytes, options: GcmOptions): Promise<Bytes | undefined> {
  if (sealed.length < GCM_TAG_BYTES) return undefined;
  return decryptGcm(sealed, options).catch(() => undefined);
}

const importedKeys = new WeakMap<Bytes, Promise<CryptoKey>>();

// All chunks of a file have the same key.
function importKey(key: Bytes): Promise<CryptoKey> {
  const imported =
    importedKeys.get(key) ?? crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
  importedKeys.set(key, imported);
  return imported;
}
