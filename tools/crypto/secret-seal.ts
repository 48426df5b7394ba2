import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { systemRandom } from "./base62.ts";
import type { Limiter } from "./key-derivation.ts";
import { hkdfSha256, pbkdf2Sha256 } from "./key-derivation.ts";

const LABEL = "service-secret/v1";
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keys derived from a secret's key and passphrase; the verifiers are stored, the storage key never is. */
export interface AtRest {
  readonly verifier: Bytes;
  readonly passVerifier: Bytes | null;
  readonly storageKey: Bytes;
  /** Seals a file, where storageKey seals a text. */
  readonly fileKey: Bytes;
}

/** The additional data of a sealed content: whoever can write the database cannot move it, extend it or flip its flag. */
export interface SecretBinding {
  readonly id: string;
  readonly isEncrypted: boolean;
  readonly expirySeconds: number;
}

/** Derives the 32 bytes that prove knowledge of a key without its passphrase; costs microseconds. */
export function deriveVerifier(key: string, { id }: { id: string }): Bytes {
  return hkdfSha256(utf8(key), { salt: id, info: `${LABEL} verifier`, length: 32 });
}

/**
 * Derives all keys for encryption at rest (docs/formats.md, 1), 32 bytes each. An empty passphrase is none; only
 * a passphrase needs PBKDF2, which goes through `limiter`.
 */
export async function deriveAtRest(key: string, { id, passphrase, limiter }: AtRestOptions): Promise<AtRest> {
  const secret = utf8(key);
  const verifier = deriveVerifier(key, { id });
  if (!passphrase) return { verifier, passVerifier: null, ...deriveStorageKeys(secret, id) };
  const salt = hkdfSha256(secret, { salt: id, info: `${LABEL} passphrase-salt`, length: 16 });
  const stretched = concatBytes(secret, await pbkdf2Sha256(passphrase, { salt, limiter }));
  const passVerifier = hkdfSha256(stretched, { salt: id, info: `${LABEL} passphrase-verifier`, length: 32 });
  return { verifier, passVerifier, ...deriveStorageKeys(stretched, id) };
}

export interface AtRestOptions {
  readonly id: string;
  readonly passphrase?: string | undefined;
  readonly limiter?: Limiter | undefined;
}

/** Seals a content as version || iv || AES-256-GCM ciphertext and tag, bound to its row (NIST SP 800-38D). */
export async function sealContent(content: string, options: SealContentOptions): Promise<Bytes> {
  const iv = options.iv ?? systemRandom(new Uint8Array(IV_BYTES));
  const key = await importKey(options.storageKey, "encrypt");
  const algorithm = { name: "AES-GCM", iv, additionalData: bindingBytes(options) };
  const sealed = await crypto.subtle.encrypt(algorithm, key, utf8(content));
  return concatBytes(Uint8Array.of(VERSION), iv, new Uint8Array(sealed));
}

export interface SealContentOptions extends SecretBinding {
  readonly storageKey: Bytes;
  readonly iv?: Bytes;
}

/**
 * Opens what sealContent made, with the same key and binding.
 * @throws Error when the blob was damaged, moved or bound to something else, which no caller can correct
 */
export async function openContent(blob: Bytes, options: OpenContentOptions): Promise<string> {
  if (blob[0] !== VERSION || blob.length < 1 + IV_BYTES + TAG_BYTES)
    throw new Error("The blob has no known form");
  const iv = blob.subarray(1, 1 + IV_BYTES);
  const key = await importKey(options.storageKey, "decrypt");
  const algorithm = { name: "AES-GCM", iv, additionalData: bindingBytes(options) };
  const content = await crypto.subtle.decrypt(algorithm, key, blob.subarray(1 + IV_BYTES));
  // A byte order mark is content like any other character.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
}

export interface OpenContentOptions extends SecretBinding {
  readonly storageKey: Bytes;
}

function deriveStorageKeys(secret: Bytes, id: string): Pick<AtRest, "storageKey" | "fileKey"> {
  const derive = (what: string) => hkdfSha256(secret, { salt: id, info: `${LABEL} ${what}`, length: 32 });
  return { storageKey: derive("storage"), fileKey: derive("file-storage") };
}

function bindingBytes({ id, isEncrypted, expirySeconds }: SecretBinding): Bytes {
  return utf8(`${LABEL}|${id}|${isEncrypted ? 1 : 0}|${expirySeconds}`);
}

/** The additional data of every chunk of a file at rest (docs/formats.md, 6). */
export function fileBinding({ id, isEncrypted, expirySeconds }: SecretBinding): Bytes {
  return utf8(`${LABEL} file|${id}|${isEncrypted ? 1 : 0}|${expirySeconds}`);
}

function importKey(bytes: Bytes, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, [usage]);
}
