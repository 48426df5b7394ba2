import { ByteParts, ByteStream, joinParts } from "./byte-pieces.ts";
import { JsonText } from "./json/json-text.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";

// JSON has no bytes. In a tree that travels as JSON each Uint8Array becomes {"$bytes": mark}; an object that
// really has a key "$bytes" becomes {"$bytes": {…that object…}}, so that no data can be mistaken for a mark.
const KEY = "$bytes";

// Recursion on a caller's data must end long before the stack does; this also ends cycles.
const MAX_DEPTH = 64;

// An empty array is 18 characters of JSON and over 100 bytes of memory: without a bound, a few megabytes fill it.
const MAX_PARTS = 4096;

const FILES = ". A file may be bytes, a Blob, a File or a stream.";

type Table = Record<string, unknown>;

/** What a mark stands for in a tree that is sent. */
type MarkedBytes = Uint8Array | ByteParts | ByteStream | Blob;

/**
 * Replaces every Uint8Array, ByteStream and Blob in a tree of plain objects and arrays by the mark that `mark` gives for
 * it.
 * A JsonText becomes its own mark. Whatever holds no bytes is returned as it is, not copied; a property that is undefined is left to JSON, which drops it.
 * @throws TypeError for what JSON would lose or change in silence: a Date, Map or class, NaN, a bigint, a
 * function, undefined in an array, more than 64 levels, more than 4,096 byte arrays. With `keepOthers` only for the last
 * two; the others stay as they are, for a transformer.
 */
export function markBytes(
  value: unknown,
  mark: (bytes: MarkedBytes) => unknown,
  { keepOthers = false } = {},
): unknown {
  let parts = 0;
  return visit(value, 0);

  function visit(node: unknown, depth: number): unknown {
    if (isLeaf(node)) return node;
    if (depth > MAX_DEPTH) throw new TypeError(`A value to send is nested deeper than ${MAX_DEPTH} levels`);
    if (node instanceof JsonText) return node.mark;
    if (isMarked(node)) {
      if (++parts > MAX_PARTS)
        throw new TypeError(`A value to send holds more than ${MAX_PARTS} byte arrays`);
      return { [KEY]: mark(node) };
    }
    if (Array.isArray(node)) return mapArray(node, (item) => visit(item, depth + 1));
    if (!isPlainObject(node) && keepOthers) return node;
    if (!isPlainObject(node))
      throw new TypeError(
        `A value to send holds ${nameKind(node)}${placeOf(node, value)}, which JSON cannot carry${isTable(node) ? FILES : ""}`,
      );
    const marked = mapObject(node, (item) => (item === undefined ? item : visit(item, depth + 1)));
    return Object.hasOwn(node, KEY) ? { [KEY]: marked } : marked;
  }
}

/**
 * Puts bytes back in the place of each mark; `take` turns one mark into its bytes and refuses a bad one.
 * `mayShare` is for a tree that a transformer has made: one object may stand in several places, which a few lines of
 * JSON can make paths without number.
 * @throws TypeError when the tree is not one that markBytes can have made.
 */
export function unmarkBytes(
  tree: unknown,
  take: (mark: unknown) => unknown,
  { mayShare = false } = {},
): unknown {
  let parts = 0;
  const done = mayShare ? new Map<object, unknown>() : undefined;
  return visit(tree, 0);

  function visit(node: unknown, depth: number): unknown {
    if (!isTable(node)) return node;
    if (!done) return restore(node, depth);
    if (!done.has(node)) done.set(node, restore(node, depth));
    return done.get(node);
  }

  function restore(node: Table, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new TypeError(`The data is nested deeper than ${MAX_DEPTH} levels`);
    if (Array.isArray(node)) return mapArray(node, (item) => visit(item, depth + 1));
    // Made by a transformer, such as a Date.
    if (done && !isPlainObject(node)) return node;
    if (!Object.hasOwn(node, KEY)) return mapObject(node, (item) => visit(item, depth + 1));
    if (Object.keys(node).length !== 1)
      throw new TypeError(`A key "${KEY}" in the data stands beside other keys`);
    const inner = node[KEY];
    if (isEscaped(inner)) return mapObject(inner, (item) => visit(item, depth + 1));
    if (++parts > MAX_PARTS) throw new TypeError(`The data holds more than ${MAX_PARTS} byte arrays`);
    return take(inner);
  }
}

function isMarked(node: unknown): node is MarkedBytes {
  if (node instanceof Uint8Array || node instanceof ByteParts) return true;
  return node instanceof ByteStream || node instanceof Blob;
}

function isLeaf(node: unknown): boolean {
  return node === null || typeof node === "string" || typeof node === "boolean" || Number.isFinite(node);
}

/** Objects and arrays from JSON are tables of unknown values. */
function isTable(node: unknown): node is Table {
  return typeof node === "object" && node !== null;
}

function isEscaped(mark: unknown): mark is Table {
  return isTable(mark) && !Array.isArray(mark) && Object.hasOwn(mark, KEY);
}

function isPlainObject(node: unknown): node is Table {
  if (!isTable(node)) return false;
  const prototype: unknown = Object.getPrototypeOf(node);
  return prototype === Object.prototype || prototype === null;
}

function nameKind(node: unknown): string {
  if (typeof node === "number") return "a number that is not finite";
  if (typeof node !== "object" || node === null) return `a value of type ${typeof node}`;
  const { name } = Object(node.constructor) as { name?: string };
  return name ? `an object of the class ${name}` : "an object of a class";
}

/** Where a value holds another one, as ` at "files.0.data"`; nothing where it is that one itself. */
function placeOf(wanted: unknown, value: unknown): string {
  // Undefined is legal elsewhere in it.
  const names = wanted === undefined ? [] : namesTo(wanted, value);
  return names?.length ? ` at "${names.join(".")}"` : "";
}

/** The names that lead to it, in the order of `visit`, which has found it before any circle. */
function namesTo(wanted: unknown, value: unknown): string[] | undefined {
  if (Object.is(value, wanted)) return [];
  if (!isTable(value) || (!Array.isArray(value) && !isPlainObject(value))) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const names = namesTo(wanted, item);
    if (names) return [name, ...names];
  }
  return undefined;
}

// Both copy only what changed: a long answer is mostly rows without bytes. Array.prototype.map would skip holes, which
// JSON writes as null.
function mapArray(items: readonly unknown[], visit: (item: unknown) => unknown): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const item = visit(items[i]);
    if (item !== items[i]) (copy ??= [...items])[i] = item;
  }
  return copy ?? items;
}

function mapObject(table: Table, visit: (item: unknown) => unknown): Table {
  let copy: Table | undefined;
  for (const key of Object.keys(table)) {
    const item = visit(table[key]);
    // The spread makes "__proto__" an own property where it is one, so this never changes a prototype.
    if (item !== table[key]) (copy ??= { ...table })[key] = item;
  }
  return copy ?? table;
}

/** A transformer of tRPC, for both ends: bytes travel in JSON as base64, where no frame carries them as they are. */
export const bytesTransformer = {
  serialize: (value: unknown) => encodeBase64Tree(value),
  deserialize: decodeBase64Tree,
  /** It carries nothing else that JSON lacks, so a frame does not need it. */
  bytesOnly: true,
};

/** The transformer for the head of a frame, at either end: none where it only carries bytes. */
export function headTransformer<Transformer extends object>(
  transformer: Transformer | undefined,
): Transformer | undefined {
  return transformer && isBytesOnly(transformer) ? undefined : transformer;
}

/** Whether a transformer is the one above or one of its ends. */
export function isBytesOnly(transformer: object): boolean {
  return "bytesOnly" in transformer;
}

/**
 * Makes a tree that JSON can carry: each Uint8Array becomes {"$bytes":"<base64>"}. Undefined stays undefined. `encode` may
 * give a mark in place of the base64, as a stream has one: the sender of the JSON puts the base64 there.
 * @throws TypeError for what JSON cannot carry (see markBytes)
 */
export function encodeBase64Tree(
  value: unknown,
  // By default a stream does not come to it.
  encode: (bytes: Uint8Array | ByteStream) => string = encodeBase64 as () => string,
): unknown {
  return value === undefined
    ? undefined
    : markBytes(value, (bytes) => {
        if (bytes instanceof Blob || (bytes instanceof ByteStream && encode === encodeBase64))
          throw new TypeError("A value to send holds a file, which only a frame can carry");
        return encode(bytes instanceof ByteParts ? joinParts(bytes) : bytes);
      });
}

/**
 * Puts the bytes back: the inverse of encodeBase64Tree.
 * @throws TypeError for a tree it cannot have made, ToolFailure invalid_base64
 */
export function decodeBase64Tree(tree: unknown): unknown {
  return unmarkBytes(tree, (mark) => {
    if (typeof mark !== "string") throw new TypeError(`"$bytes" must hold base64`);
    return decodeBase64(mark);
  });
}
