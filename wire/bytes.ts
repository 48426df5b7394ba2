/** Bytes that Web Crypto and workers accept: never a view on shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The same bytes as a plain Uint8Array: Node's Buffer slices differently, and shared memory is copied. */
export function ownBytes(data: Uint8Array): Bytes {
  const { buffer, byteOffset, length } = data;
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, length) : new Uint8Array(data);
}

/** The whole content of a file that is in memory or on a disk. */
export async function bytesOf(file: Uint8Array | Blob): Promise<Bytes> {
  return file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : ownBytes(file);
}

/** Joins a few parts in order into one new array. */
export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  return joinBytes(parts);
}

/** Joins any number of parts; too many cannot be passed as arguments. */
export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** The byte at an index that is in range: one cast here instead of one at each use. */
export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}

/**
 * Whether two contents are equal. For digests and keys use tools/crypto/equal-bytes.ts, which takes the same time for
 * all.
 */
export function isSameData(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Encodes text as UTF-8. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/**
 * Frees a piece that nothing will read again: a garbage collector would let tens of megabytes pile up first. A piece
 * that shares its buffer is left alone.
 */
export function freeBytes(piece: Uint8Array | undefined): void {
  if (!(piece?.buffer instanceof ArrayBuffer) || piece.length !== piece.buffer.byteLength) return;
  if (canTransfer(piece.buffer)) piece.buffer.transfer(0);
}

// Node 20 cannot transfer buffers.
function canTransfer(buffer: ArrayBuffer): boolean {
  return typeof buffer.transfer === "function";
}

const sentNames = new WeakMap<object, string>();

/**
 * Remembers the name that a file was sent with, such as that of a form's part: the bytes that a procedure gets have no
 * room for it.
 */
export function rememberName(file: unknown, name: string | undefined): void {
  if (name && typeof file === "object" && file !== null) sentNames.set(file, name);
}

/** The name that a file was sent with, as its sender wrote it; undefined where it had none. */
export function sentNameOf(file: object): string | undefined {
  return sentNames.get(file) ?? (file instanceof File ? file.name : undefined);
}

/** So many arguments fit on every stack. */
const CODES_AT_ONCE = 4096;

/**
 * A text of UTF-16 code units. In parts, because V8 keeps each step of a sum as an object: a text made a character at a
 * time takes 32 bytes for each.
 */
export function textOfCodes(codes: Uint8Array | Uint16Array): string {
  const parts: string[] = [];
  for (let at = 0; at < codes.length; at += CODES_AT_ONCE) {
    // Its type wants an array, which `apply` does not need.
    const part = codes.subarray(at, at + CODES_AT_ONCE) as unknown as number[];
    parts.push(String.fromCharCode.apply(undefined, part));
  }
  return parts.join("");
}

/** How long callbacks of `setImmediate` may follow each other on Deno. */
const LONGEST_MS = 10;
/** An event loop that nobody has asked for a turn for this time was idle in between. */
const IDLE_MS = 50;
let busySince = 0;
let lastAsked = 0;

/**
 * Resolves in the next turn of the event loop. Deno 2.9 looks at no socket as long as one callback of `setImmediate`
 * follows another, but does so at a timer, which takes 2 ms; so there each 10 ms one of them is a timer.
 */
export function nextTurn(): Promise<void> {
  // Browsers only have timers, and in Next 16.4's edge runtime the function throws.
  const soon: unknown = "EdgeRuntime" in globalThis ? undefined : Reflect.get(globalThis, "setImmediate");
  return new Promise((resolve) => {
    if (typeof soon === "function" && !isTimerDue()) soon(resolve);
    else setTimeout(resolve);
  });
}

function isTimerDue(): boolean {
  if (!("Deno" in globalThis)) return false;
  const now = performance.now();
  if (now - lastAsked > IDLE_MS) busySince = now;
  lastAsked = now;
  if (now - busySince < LONGEST_MS) return false;
  busySince = now;
  return true;
}
