import { md5 } from "@noble/hashes/legacy.js";
import { type Bytes, concatBytes } from "../../../wire/bytes.ts";
import { filterSteps } from "../filters/filters.ts";
import type { Decryptor, ObjectId } from "../reader/source.ts";
import { hexString, stringBytes } from "../syntax/strings.ts";
import {
  type Dict,
  isDict,
  isStream,
  isString,
  type PdfString,
  type StreamDecryptor,
  type Value,
} from "../syntax/values.ts";
import { createAesDecrypt, isFasterAsync, decryptAes, decryptAesAsync } from "./aes.ts";
import type { SecurityHandler, Method } from "./security-handler.ts";
import { rc4 } from "./md5-key.ts";

/** Decrypts the objects of a file with its key. */
export function createDecryptor(handler: SecurityHandler, key: Uint8Array): Decryptor {
  const keys = {
    key: new Uint8Array(key),
    decryptAes256: handler.isAes256 ? createAesDecrypt(key) : undefined,
  };
  return {
    decryptStrings: (value, id) =>
      decryptStrings(value, decryptFor(methodFor(handler, handler.forStrings), { ...keys, id })),
    streamDecryptor: (dict, id) =>
      streamDecryptorFor(methodFor(handler, filterFor(handler, dict)), { ...keys, id }),
  };
}

function methodFor({ methods }: SecurityHandler, filter: string): Method {
  return methods.get(filter) ?? "none";
}

/** Which crypt filter a stream goes by: one it names itself, or that of its kind (7.6.6). */
function filterFor(handler: SecurityHandler, dict: Dict): string {
  const type = dict.get("Type");
  if (type === "XRef") return "Identity";
  const crypt = filterSteps(dict, (value) => value).find(({ name }) => name === "Crypt");
  if (crypt) {
    const named = crypt.parameters?.get("Name");
    return typeof named === "string" ? named : "Identity";
  }
  if (type === "Metadata" && !handler.encryptsMetadata) return "Identity";
  return type === "EmbeddedFile" ? handler.forAttachments : handler.forStreams;
}

interface ObjectKeys {
  readonly key: Bytes;
  /** Decrypts under that key itself, as AES-256 does for every object. */
  readonly decryptAes256: Decrypt | undefined;
  readonly id: ObjectId;
}

type Decrypt = (data: Uint8Array) => Bytes;

function streamDecryptorFor(method: Method, keys: ObjectKeys): StreamDecryptor | undefined {
  const decrypt = decryptFor(method, keys);
  if (!decrypt) return undefined;
  const key = () => (method === "AESV3" ? keys.key : objectKey(method, keys));
  const isAsync = (data: Bytes) => method !== "rc4" && isFasterAsync(data);
  return {
    decrypt,
    decryptAsync: async (data) => (isAsync(data) ? decryptAesAsync(key(), data) : decrypt(data)),
  };
}

function decryptFor(method: Method, keys: ObjectKeys): Decrypt | undefined {
  if (method === "none") return undefined;
  if (method === "AESV3") return keys.decryptAes256;
  let key: Bytes | undefined;
  // Most objects hold nothing to decrypt, and need no key.
  const own = () => (key ??= objectKey(method, keys));
  return method === "rc4" ? (data) => rc4(own(), data) : (data) => decryptAes(own(), data);
}

/** Every object has a key of its own (7.6.2, algorithm 1), except with AES-256 (1.A). */
function objectKey(method: Method, { key, id: { num, gen } }: ObjectKeys): Bytes {
  const id = Uint8Array.of(num, num >> 8, num >> 16, gen, gen >> 8);
  const salt = method === "AESV2" ? Uint8Array.of(0x73, 0x41, 0x6c, 0x54) : new Uint8Array(0);
  return new Uint8Array(md5(concatBytes(key, id, salt)).subarray(0, Math.min(16, key.length + 5)));
}

/** Decrypts the strings of a value in place; it was just read, so nothing else refers to it yet. */
function decryptStrings(value: Value, decrypt: Decrypt | undefined): Value {
  if (!decrypt) return value;
  const open = (text: PdfString): PdfString => hexString(decrypt(stringBytes(text)));
  if (isString(value)) return open(value);
  if (isStream(value) && value.dict.get("Type") === "XRef") return value;
  const waiting: (Dict | Value[])[] = [];
  const swap = (each: Value): Value | undefined => {
    if (isString(each)) return open(each);
    if (isDict(each) || Array.isArray(each)) waiting.push(each);
    return undefined;
  };
  swap(isStream(value) ? value.dict : value);
  for (let box = waiting.pop(); box; box = waiting.pop()) replaceStrings(box, swap);
  return value;
}

function replaceStrings(box: Dict | Value[], swap: (value: Value) => Value | undefined): void {
  if (Array.isArray(box)) {
    box.forEach((each, i) => (box[i] = swap(each) ?? each));
    return;
  }
  // A signature is made over the file as it lies, so its own bytes are never encrypted (7.6.1).
  const isSignature = box.has("ByteRange");
  for (const [name, each] of box) {
    if (!isSignature || name !== "Contents") box.set(name, swap(each) ?? each);
  }
}

/** The dictionary of a decrypted stream, which no longer has a crypt filter. */
export function withoutCrypt(dict: Dict): Dict {
  const names = dict.get("Filter");
  const isList = Array.isArray(names);
  const at = isList ? names.indexOf("Crypt") : names === "Crypt" ? 0 : -1;
  if (at < 0) return dict;
  const rest: Dict = new Map(dict);
  const parameters = dict.get("DecodeParms");
  for (const [name, value] of [
    ["Filter", names],
    ["DecodeParms", parameters],
  ] as const) {
    if (isList && names.length > 1 && Array.isArray(value)) rest.set(name, value.toSpliced(at, 1));
    else rest.delete(name);
  }
  return rest;
}
