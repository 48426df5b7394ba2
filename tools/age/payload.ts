import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { freeBytes, joinBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { cutChunks, type ByteSource, type Chunk } from "../crypto/chunks.ts";
import { nativeCrypto } from "../file/native.ts";
import { damaged } from "./header.ts";

export const FILE_KEY_BYTES = 16;
export const NONCE_BYTES = 16;
export const TAG_BYTES = 16;
const CHUNK_BYTES = 65_536;
const CIPHER = "chacha20-poly1305";
const TAG = { authTagLength: TAG_BYTES } as const;

/** The keys for the content of one age file: the file's key, and the 16 bytes in front of the content. */
interface PayloadKey {
  readonly fileKey: Bytes;
  readonly nonce: Bytes;
}

/** Encrypts a content (C2SP age, Payload: STREAM with ChaCha20-Poly1305 in chunks of 64 KiB). */
export async function* sealPayload(
  source: ByteSource,
  { isOwned, ...payload }: PayloadKey & { isOwned: boolean },
): AsyncGenerator<Bytes, void> {
  const key = streamKey(payload);
  for await (const chunk of cutChunks(source, { sizeBytes: CHUNK_BYTES, isOwned })) {
    yield* sealParts(chunk.bytes, { key, nonce: chunkNonce(chunk) });
    if (chunk.isCopy) freeBytes(chunk.bytes);
  }
}

/** Decrypts a content; each piece is verified. @throws ToolFailure damaged_file, even at the very end */
export async function* openPayload(
  source: AsyncIterable<Bytes>,
  { isOwned, ...payload }: PayloadKey & { isOwned: boolean },
): AsyncGenerator<Bytes, void> {
  const key = streamKey(payload);
  for await (const chunk of cutChunks(source, { sizeBytes: CHUNK_BYTES + TAG_BYTES, isOwned })) {
    // Only a content that is empty as a whole has an empty chunk.
    const isStray = chunk.index > 0 && chunk.bytes.length === TAG_BYTES;
    const bytes = isStray ? undefined : open(chunk.bytes, { key, nonce: chunkNonce(chunk) });
    if (!bytes) throw damaged("a part of the content was changed, cut or added to");
    if (chunk.isCopy) freeBytes(chunk.bytes);
    yield bytes;
  }
}

/** The length of a content in chunks. */
export function sealedBytes(contentBytes: number): number {
  return contentBytes + TAG_BYTES * Math.max(1, Math.ceil(contentBytes / CHUNK_BYTES));
}

function streamKey({ fileKey, nonce }: PayloadKey): Bytes {
  return new Uint8Array(expand(sha256, extract(sha256, fileKey, nonce), utf8("payload"), 32));
}

/** The number of the chunk in 11 bytes, and whether it is the last one. */
function chunkNonce({ index, isLast }: Chunk): Bytes {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setBigUint64(3, BigInt(index));
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

interface Aead {
  readonly key: Bytes;
  readonly nonce: Bytes;
}

/** Encrypts with ChaCha20-Poly1305 (RFC 8439): the ciphertext and its tag. */
export function seal(plain: Bytes, aead: Aead): Bytes {
  return joinBytes(sealParts(plain, aead));
}

/** Encrypts with ChaCha20-Poly1305 into new pieces, which need not be copied into one. */
function sealParts(plain: Bytes, aead: Aead): readonly Bytes[] {
  return hasNative ? sealNatively(plain, aead) : [byNoble(aead).encrypt(plain)];
}

/** Undefined where the tag does not verify. */
export function open(sealed: Bytes, aead: Aead): Bytes | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  try {
    return hasNative ? openNatively(sealed, aead) : byNoble(aead).decrypt(sealed);
  } catch {
    return undefined;
  }
}

// Its own types accept any buffer; it returns a new one.
function byNoble({ key, nonce }: Aead) {
  return chacha20poly1305(key, nonce) as { encrypt(plain: Bytes): Bytes; decrypt(sealed: Bytes): Bytes };
}

// The runtime's own takes a sixth of the time. Bun 1.4 and pages have none.
const hasNative = canSealNatively();

function canSealNatively(): boolean {
  const zeros = { key: new Uint8Array(32), nonce: new Uint8Array(12) };
  try {
    return (
      nativeCrypto !== undefined && joinBytes(sealNatively(new Uint8Array(1), zeros)).length === 1 + TAG_BYTES
    );
  } catch {
    return false;
  }
}

function sealNatively(plain: Bytes, { key, nonce }: Aead): readonly Bytes[] {
  const cipher = native().createCipheriv(CIPHER, native().createSecretKey(key), nonce, TAG);
  const sealed = cipher.update(plain);
  // A cipher of a stream holds nothing back.
  cipher.final();
  return [sealed, cipher.getAuthTag()];
}

function openNatively(sealed: Bytes, { key, nonce }: Aead): Bytes {
  const end = sealed.length - TAG_BYTES;
  const cipher = native().createDecipheriv(CIPHER, native().createSecretKey(key), nonce, TAG);
  cipher.setAuthTag(sealed.subarray(end));
  const plain = cipher.update(sealed.subarray(0, end));
  cipher.final();
  return plain;
}

function native() {
  if (nativeCrypto) return nativeCrypto;
  throw new TypeError("This platform has no crypto of its own");
}
