import { Aes256Gcm, CipherSuite, HkdfSha256 } from "@hpke/core";
import { DhkemX25519HkdfSha256 } from "@hpke/dhkem-x25519";
import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes, utf8 } from "../../wire/bytes.ts";
import { decodeBase64, encodeBase64Url } from "../../wire/base64.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { systemRandom } from "./base62.ts";
import { hkdfSha256 } from "./key-derivation.ts";
import { readSealed, wellFormed } from "./text-seal.ts";

const LABEL = "service-request/v1";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const PADDING_BYTES = 256;

/** The asker's key pair, 32 bytes each (RFC 7748): the public one is in the link to give away. */
interface AskerKeys {
  readonly publicKey: Bytes;
  readonly privateKey: Bytes;
}

/** Draws a key pair for one request. */
export async function makeAskerKeys(): Promise<AskerKeys> {
  const { kem } = suite();
  const pair = await kem.generateKeyPair();
  const publicKey = new Uint8Array(await kem.serializePublicKey(pair.publicKey));
  return { publicKey, privateKey: new Uint8Array(await kem.serializePrivateKey(pair.privateKey)) };
}

/** A key as it is written in a link: 43 characters of base64url. */
export function writeLinkKey(key: Bytes): string {
  return encodeBase64Url(key);
}

/** Reads a key of a link. @throws ToolFailure damaged_file when it is incomplete or changed */
export function readLinkKey(text: string): Bytes {
  const key = /^[0-9A-Za-z_-]{43}$/.test(text) ? decodeBase64(text) : new Uint8Array(0);
  if (key.length === KEY_BYTES && encodeBase64Url(key) === text) return key;
  throw new ToolFailure(
    "damaged_file",
    "The link is not whole: copy it again from its first to its last character",
  );
}

/** The proof to the server that somebody has the link (docs/formats.md, 5). */
export function deriveRequestGate(publicKey: Bytes): string {
  return encodeBase64Url(derive(publicKey, "gate"));
}

/** Encrypts what is asked for, so that only people with the link can read it. */
export async function sealNote(
  text: string,
  publicKey: Bytes,
  iv: Bytes = systemRandom(new Uint8Array(IV_BYTES)),
): Promise<string> {
  const key = await noteKey(publicKey, "encrypt");
  const sealed = await crypto.subtle.encrypt(gcmOf(iv), key, utf8(wellFormed(text)));
  return `n1.${encodeBase64Url(concatBytes(iv, new Uint8Array(sealed)))}`;
}

/** Decrypts what sealNote returned. @throws ToolFailure not_a_container, damaged_file, password_wrong */
export async function openNote(note: string, publicKey: Bytes): Promise<string> {
  const sealed = readSealed(note, "n1.", IV_BYTES + TAG_BYTES) ?? damaged();
  const key = await noteKey(publicKey, "decrypt");
  const text = await crypto.subtle
    .decrypt(gcmOf(sealed.subarray(0, IV_BYTES)), key, sealed.subarray(IV_BYTES))
    .catch(() => failToOpen("note"));
  return decode(new Uint8Array(text));
}

/**
 * Encrypts an answer for the asker only, with HPKE (RFC 9180, base mode), bound to the request; its length shows only
 * in steps of 256 bytes. `ephemeral` is for test vectors and must never be used twice.
 */
export async function sealAnswer(
  text: string,
  options: { publicKey: Bytes; requestId: string; ephemeral?: AskerKeys },
): Promise<string> {
  const { publicKey, requestId, ephemeral } = options;
  const cipher = suite();
  const sender = await cipher.createSenderContext({
    recipientPublicKey: await cipher.kem.deserializePublicKey(publicKey.slice().buffer),
    info: utf8(LABEL).buffer,
    ...(ephemeral ? { ekm: await keyPairOf(ephemeral) } : {}),
  });
  const sealed = await sender.seal(pad(utf8(wellFormed(text))).buffer, utf8(requestId).buffer);
  return `r1.${encodeBase64Url(concatBytes(new Uint8Array(sender.enc), new Uint8Array(sealed)))}`;
}

/**
 * Decrypts what sealAnswer made for this key and this request.
 * @throws ToolFailure not_a_container, damaged_file when it is incomplete, password_wrong for another key or request
 */
export async function openAnswer(
  content: string,
  { privateKey, requestId }: { privateKey: Bytes; requestId: string },
): Promise<string> {
  const sealed = readSealed(content, "r1.", KEY_BYTES + PADDING_BYTES + TAG_BYTES) ?? damaged();
  const cipher = suite();
  const padded = await cipher
    .open(
      {
        recipientKey: await cipher.kem.deserializePrivateKey(privateKey.slice().buffer),
        enc: sealed.slice(0, KEY_BYTES).buffer,
        info: utf8(LABEL).buffer,
      },
      sealed.slice(KEY_BYTES).buffer,
      utf8(requestId).buffer,
    )
    .catch(() => failToOpen("answer"));
  return decode(unpad(new Uint8Array(padded)));
}

// Without Web Crypto's native X25519, which browsers of 2024 lack.
function suite(): CipherSuite {
  return new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
}

async function keyPairOf({ publicKey, privateKey }: AskerKeys): Promise<CryptoKeyPair> {
  const { kem } = suite();
  return {
    publicKey: await kem.deserializePublicKey(publicKey.slice().buffer),
    privateKey: await kem.deserializePrivateKey(privateKey.slice().buffer),
  };
}

function pad(text: Bytes): Bytes {
  const length = LENGTH_BYTES + text.length;
  const padded = new Uint8Array(Math.ceil(length / PADDING_BYTES) * PADDING_BYTES);
  new DataView(padded.buffer).setUint32(0, text.length);
  padded.set(text, LENGTH_BYTES);
  return padded;
}

function unpad(padded: Bytes): Bytes {
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0);
  const end = LENGTH_BYTES + length;
  const isWhole = padded.length === Math.ceil(end / PADDING_BYTES) * PADDING_BYTES;
  if (isWhole && padded.subarray(end).every((byte) => byte === 0)) return padded.subarray(LENGTH_BYTES, end);
  return damaged();
}

function derive(publicKey: Bytes, what: "gate" | "note"): Bytes {
  return hkdfSha256(publicKey, { salt: "", info: `${LABEL} ${what}`, length: 32 });
}

function noteKey(publicKey: Bytes, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", derive(publicKey, "note"), "AES-GCM", false, [usage]);
}

function gcmOf(iv: Bytes) {
  return { name: "AES-GCM", iv, additionalData: utf8(`${LABEL} note`) };
}

function decode(text: Bytes): string {
  // A byte order mark is content like any other character.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
}

function damaged(): never {
  throw new ToolFailure("damaged_file", "The sealed text is not whole: it was cut or changed");
}

function failToOpen(what: "note" | "answer"): never {
  const message = `The ${what} does not open: the link is not the right one, or the ${what} was changed`;
  throw new ToolFailure("password_wrong", message);
}
