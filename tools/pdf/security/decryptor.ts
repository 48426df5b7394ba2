import { md5 } from "@noble/hashes/legacy.js";
import { type Bytes, concatBytes } from "../../../wire/bytes.ts";
import { filterSteps } from "../filters/filters.ts";
import type { Guard, ObjectId } from "../reader/source.ts";
import { hexText, textBytes } from "../syntax/strings.ts";
import { type Dict, isDict, isStream, isText, type Text, type Unseal, type Value } from "../syntax/values.ts";
import { aesOpener, isWorthLater, openAes, openAesLater } from "./aes.ts";
import type { Handler, Method } from "./handler.ts";
import { rc4 } from "./rc4.ts";

/** Decrypts the objects of a file with its key. */
export function guardWith(handler: Handler, key: Uint8Array): Guard {
  const keys = { key: new Uint8Array(key), openNew: handler.isModern ? aesOpener(key) : undefined };
  return {
    openTexts: (value, id) =>
      openTexts(value, openerFor(methodOf(handler, handler.forTexts), { ...keys, id })),
    sealOf: (dict, id) => sealFor(methodOf(handler, filterFor(handler, dict)), { ...keys, id }),
  };
}

function methodOf({ methods }: Handler, filter: string): Method {
  return methods.get(filter) ?? "none";
}

/** Which crypt filter a stream goes by: one it names itself, or that of its kind (7.6.6). */
function filterFor(handler: Handler, dict: Dict): string {
  const type = dict.get("Type");
  if (type === "XRef") return "Identity";
  const crypt = filterSteps(dict, (value) => value).find(({ name }) => name === "Crypt");
  if (crypt) {
    const named = crypt.parameters?.get("Name");
    return typeof named === "string" ? named : "Identity";
  }
  if (type === "Metadata" && !handler.sealsMetadata) return "Identity";
  return type === "EmbeddedFile" ? handler.forAttachments : handler.forStreams;
}

interface Lock {
  readonly key: Bytes;
  /** Decrypts under that key itself, as AES-256 does for every object. */
  readonly openNew: Open | undefined;
  readonly id: ObjectId;
}

type Open = (data: Uint8Array) => Bytes;

function sealFor(method: Method, lock: Lock): Unseal | undefined {
  const now = openerFor(method, lock);
  if (!now) return undefined;
  const key = () => (method === "aes-new" ? lock.key : objectKey(method, lock));
  const isLater = (data: Bytes) => method !== "rc4" && isWorthLater(data);
  return { now, later: async (data) => (isLater(data) ? openAesLater(key(), data) : now(data)) };
}

function openerFor(method: Method, lock: Lock): Open | undefined {
  if (method === "none") return undefined;
  if (method === "aes-new") return lock.openNew;
  let key: Bytes | undefined;
  // Most objects hold nothing to decrypt, and need no key.
  const own = () => (key ??= objectKey(method, lock));
  return method === "rc4" ? (data) => rc4(own(), data) : (data) => openAes(own(), data);
}

/** Every object has a key of its own (7.6.2, algorithm 1), except with AES-256 (1.A). */
function objectKey(method: Method, { key, id: { num, gen } }: Lock): Bytes {
  const id = Uint8Array.of(num, num >> 8, num >> 16, gen, gen >> 8);
  const salt = method === "aes-old" ? Uint8Array.of(0x73, 0x41, 0x6c, 0x54) : new Uint8Array(0);
  return new Uint8Array(md5(concatBytes(key, id, salt)).subarray(0, Math.min(16, key.length + 5)));
}

/** Decrypts the strings of a value just read, in place; nothing else holds it yet. */
function openTexts(value: Value, decrypt: Open | undefined): Value {
  if (!decrypt) return value;
  const open = (text: Text): Text => hexText(decrypt(textBytes(text)));
  if (isText(value)) return open(value);
  if (isStream(value) && value.dict.get("Type") === "XRef") return value;
  const waiting: (Dict | Value[])[] = [];
  const swap = (each: Value): Value | undefined => {
    if (isText(each)) return open(each);
    if (isDict(each) || Array.isArray(each)) waiting.push(each);
    return undefined;
  };
  swap(isStream(value) ? value.dict : value);
  for (let box = waiting.pop(); box; box = waiting.pop()) swapAll(box, swap);
  return value;
}

function swapAll(box: Dict | Value[], swap: (value: Value) => Value | undefined): void {
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
