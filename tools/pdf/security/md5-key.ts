import { md5 } from "@noble/hashes/legacy.js";
import { concatBytes, type Bytes, byteAt } from "../../../wire/bytes.ts";
import { equalBytes } from "../../crypto/equal-bytes.ts";
import type { SecurityHandler } from "./security-handler.ts";

const PAD = Uint8Array.of(
  ...[0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08],
  ...[0x2e, 0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a],
);

/**
 * The file key of revisions 2 to 4 if `password` is the user's, else if it is the owner's
 * (ISO 32000-1, 7.6.3, algorithms 2 to 7); undefined if neither.
 */
export function findMd5Key(handler: SecurityHandler, password: Uint8Array): Uint8Array | undefined {
  for (const length of handler.keyLengths) {
    const asUser = userKey(handler, { password, length });
    const key = asUser ?? userKey(handler, { password: userPassword(handler, { password, length }), length });
    if (key) return key;
  }
  return undefined;
}

interface Attempt {
  readonly password: Uint8Array;
  readonly length: number;
}

function userKey(handler: SecurityHandler, { password, length }: Attempt): Uint8Array | undefined {
  const { revision, owner, user, id, permissions, encryptsMetadata: sealsMetadata } = handler;
  const rights = Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24);
  const tail = revision >= 4 && !sealsMetadata ? new Uint8Array(4).fill(255) : new Uint8Array(0);
  const first = md5(concatBytes(padded(password), owner.subarray(0, 32), rights, id, tail));
  const key = rehash(first, revision, length);
  const proof = revision < 3 ? rc4(key, PAD) : rounds(key, md5(concatBytes(PAD, id)), 1);
  const known = user.subarray(0, revision < 3 ? 32 : 16);
  return equalBytes(proof, known) ? key : undefined;
}

function userPassword({ revision, owner }: SecurityHandler, { password, length }: Attempt): Uint8Array {
  const key = rehash(md5(padded(password)), revision, length);
  const encrypted = owner.subarray(0, 32);
  return revision < 3 ? rc4(key, encrypted) : rounds(key, encrypted, -1);
}

function rehash(first: Uint8Array, revision: number, length: number): Uint8Array {
  let digest = first.subarray(0, length);
  for (let i = 0; revision >= 3 && i < 50; i++) digest = md5(digest).subarray(0, length);
  return digest;
}

/** RC4 twenty times, each with the key XORed with the round's number, from 0 up or from 19 down. */
function rounds(key: Uint8Array, data: Uint8Array, order: 1 | -1): Uint8Array {
  let result = data;
  for (let i = 0; i < 20; i++) {
    const round = order > 0 ? i : 19 - i;
    result = rc4(
      key.map((byte) => byte ^ round),
      result,
    );
  }
  return result;
}

function padded(password: Uint8Array): Uint8Array {
  return concatBytes(password, PAD).subarray(0, 32);
}

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
