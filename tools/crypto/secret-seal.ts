import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { decryptGcm, encryptGcm, GCM_TAG_BYTES } from "./aes-gcm.ts";
import { systemRandom } from "./base62.ts";
import type { Limiter } from "./key-derivation.ts";
import { hkdfFrom, hkdfSha256, pbkdf2Sha256 } from "./key-derivation.ts";

const LABEL = "service-secret/v1";
const VERSION = 1;
const IV_BYTES = 12;

/** Keys derived from a secret's key and passphrase; the verifiers are stored, the storage key never is. */
export interface AtRestKeys {
  readonly verifier: Bytes;
  readonly passVerifier: Bytes | null;
  readonly storageKey: Bytes;
  /** Encrypts a file, as storageKey encrypts a text. */
  readonly fileKey: Bytes;
}

/**
 * The additional data of an encrypted content. It keeps somebody who can write to the database from moving it, extending
 * it or flipping its flag.
 */
interface SecretBinding {
  readonly id: string;
  readonly isEncrypted: boolean;
  readonly expirySeconds: number;
}

/** Derives the 32 bytes that prove knowledge of a key without its passphrase; takes microseconds. */
export function deriveVerifier(key: string, id: string): Bytes {
  return hkdfSha256(utf8(key), { salt: id, info: `${LABEL} verifier`, length: 32 });
}

/**
 * Derives all keys for encryption at rest (docs/formats.md, 1), 32 bytes each. An empty passphrase counts as none; only a
 * passphrase needs PBKDF2, which runs through `limiter`.
 */
export async function deriveAtRest(
  key: string,
  { id, passphrase, limiter }: { id: string; passphrase?: string | undefined; limiter?: Limiter | undefined },
): Promise<AtRestKeys> {
  const secret = utf8(key);
  const derive = hkdfFrom(secret, id);
  const verifier = derive(`${LABEL} verifier`, 32);
  if (!passphrase) return withStorageKeys({ verifier, passVerifier: null }, derive);
  const salt = derive(`${LABEL} passphrase-salt`, 16);
  const stretched = concatBytes(secret, await pbkdf2Sha256(passphrase, { salt, limiter }));
  const deriveStretched = hkdfFrom(stretched, id);
  const passVerifier = deriveStretched(`${LABEL} passphrase-verifier`, 32);
  return withStorageKeys({ verifier, passVerifier }, deriveStretched);
}

/** Encrypts a content as version || iv || AES-256-GCM ciphertext and tag, bound to its row (NIST SP 800-38D). */
export async function sealContent(
  content: string,
  options: SecretBinding & { storageKey: Bytes; iv?: Bytes },
): Promise<Bytes> {
  const iv = options.iv ?? systemRandom(new Uint8Array(IV_BYTES));
  const seal = { key: options.storageKey, iv, additionalData: bindingBytes(options) };
  return concatBytes(Uint8Array.of(VERSION), iv, ...(await encryptGcm(utf8(content), seal)));
}

/**
 * Decrypts what sealContent returned, with the same key and binding.
 * @throws Error when the blob was damaged, moved or bound to something else, which no caller can correct
 */
export async function openContent(
  blob: Bytes,
  options: SecretBinding & { storageKey: Bytes },
): Promise<string> {
  if (blob[0] !== VERSION || blob.length < 1 + IV_BYTES + GCM_TAG_BYTES)
    throw new Error("The blob has no known form");
  const seal = {
    key: options.storageKey,
    iv: blob.subarray(1, 1 + IV_BYTES),
    additionalData: bindingBytes(options),
  };
  const content = await decryptGcm(blob.subarray(1 + IV_BYTES), seal);
  // A byte order mark is content like any other character.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
}

// A text needs one of the two keys and a file the other.
function withStorageKeys(
  verifiers: Pick<AtRestKeys, "verifier" | "passVerifier">,
  derive: ReturnType<typeof hkdfFrom>,
): AtRestKeys {
  return {
    ...verifiers,
    get storageKey() {
      return derive(`${LABEL} storage`, 32);
    },
    get fileKey() {
      return derive(`${LABEL} file-storage`, 32);
    },
  };
}

function bindingBytes({ id, isEncrypted, expirySeconds }: SecretBinding): Bytes {
  return utf8(`${LABEL}|${id}|${isEncrypted ? 1 : 0}|${expirySeconds}`);
}

/** The additional data of every chunk of a file at rest (docs/formats.md, 6). */
export function fileBinding({ id, isEncrypted, expirySeconds }: SecretBinding): Bytes {
  return utf8(`${LABEL} file|${id}|${isEncrypted ? 1 : 0}|${expirySeconds}`);
}
