import { builtinModule } from "../../wire/runtime/builtin-module.ts";

/** A running hasher; `digest` is called once, after the last `update`. */
export interface Hasher {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

interface NativeCipher {
  setAutoPadding(isOn: boolean): unknown;
  update(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
}

/** A running cipher of an authenticating mode, with a tag of 16 bytes. */
interface NativeAead {
  setAAD(bytes: Uint8Array): unknown;
  update(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  /** @throws when a tag that was set is not the right one */
  final(): Uint8Array<ArrayBuffer>;
  getAuthTag(): Uint8Array<ArrayBuffer>;
  setAuthTag(tag: Uint8Array): unknown;
}

/** In bytes; Node asks for it where the tag could be shorter. */
interface TagLength {
  readonly authTagLength: 16;
}

/** A key as the runtime stores it; Node 24 takes 20 microseconds longer for one passed as bytes. */
interface NativeKey {
  readonly type: string;
}

interface NativeCrypto {
  createHash(algorithm: string): Hasher;
  /** Hashes in one call; Node has it from 20.12 on. */
  hash?(algorithm: string, data: Uint8Array, encoding: "buffer"): Uint8Array<ArrayBuffer>;
  createSecretKey(key: Uint8Array): NativeKey;
  createCipheriv(name: "aes-256-gcm", key: NativeKey, iv: Uint8Array): NativeAead;
  createCipheriv(name: "chacha20-poly1305", key: NativeKey, iv: Uint8Array, tag: TagLength): NativeAead;
  createCipheriv(name: string, key: NativeKey, iv: Uint8Array): NativeCipher;
  createDecipheriv(name: "aes-256-gcm", key: NativeKey, iv: Uint8Array): NativeAead;
  createDecipheriv(name: "chacha20-poly1305", key: NativeKey, iv: Uint8Array, tag: TagLength): NativeAead;
  createDecipheriv(name: string, key: NativeKey, iv: Uint8Array): NativeCipher;
}

interface InflateOptions {
  maxOutputLength: number;
  chunkSize: number;
  info: boolean;
}

/** What `info` asks for. */
interface InflateResult {
  readonly buffer: Uint8Array<ArrayBuffer>;
  /** How many bytes were written to it, up to the end of the data. */
  readonly engine: { readonly bytesWritten: number };
}

export interface NativeZlib {
  inflateSync(data: Uint8Array, options: InflateOptions): Uint8Array<ArrayBuffer> | InflateResult;
  inflateRawSync(data: Uint8Array, options: InflateOptions): Uint8Array<ArrayBuffer> | InflateResult;
  deflateSync(data: Uint8Array, options: { level: number }): Uint8Array<ArrayBuffer>;
  /** From Node 22.2 on. */
  crc32?(data: Uint8Array, value?: number): number;
  /** From Node 22.15 on. */
  zstdDecompressSync?(data: Uint8Array, options: { maxOutputLength: number }): Uint8Array<ArrayBuffer>;
}

/** The runtime's digests and ciphers, several times as fast as those in JavaScript; undefined in a page. */
export const nativeCrypto = builtinModule?.<NativeCrypto>("node:crypto");

/** The runtime's compression; undefined in a page. */
export const nativeZlib = builtinModule?.<NativeZlib>("node:zlib");

/**
 * Up to this size the way of Web Crypto to another thread takes longer than the runtime's own AES-GCM, which for more
 * would block everybody else. 64 KiB take 8 (Bun), 35 (Node) and 380 microseconds (Deno).
 */
export const NATIVE_GCM_BYTES = ("Deno" in globalThis ? 16 : 64) * 1024;
