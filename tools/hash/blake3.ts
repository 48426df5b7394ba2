import type { Bytes } from "../../wire/bytes.ts";
import type { Hasher } from "../file/native.ts";
import { BLOCK_BYTES, FLAG, type Kernel, LANES, makeKernel, VALUE_BYTES } from "./blake3-kernel.ts";

const CHUNK_BYTES = 1024;
const BLOCKS = CHUNK_BYTES / BLOCK_BYTES;
/** Of the subtree that is hashed at once, a power of two. */
const CHUNKS = 1024;
/** The bytes of a whole subtree. */
export const SUBTREE_BYTES = CHUNKS * CHUNK_BYTES;
/** The chaining values of a subtree's chunks, and what the lanes without an input write after them. */
const VALUES_BYTES = (CHUNKS + LANES) * VALUE_BYTES;
const PAGE_BYTES = 2 ** 16;

/** The chaining value of a node, 32 bytes. */
type ChainingValue = Bytes;

/**
 * The tree of BLAKE3 (specification, 2.1) over one input, whose subtrees may be hashed elsewhere. What it works on lies
 * in its memory, so it is not for several callers at once.
 */
export class Blake3Tree {
  readonly #kernel: Kernel;
  readonly #memory: Bytes;
  /** Joined subtrees, from the left: one for each bit of their number. */
  readonly #joined: ChainingValue[] = [];
  #added = 0;

  private constructor(kernel: Kernel, memory: WebAssembly.Memory) {
    this.#kernel = kernel;
    this.#memory = new Uint8Array(memory.buffer as ArrayBuffer);
  }

  /** @throws CompileError where the runtime lacks vectors, or WebAssembly must not be compiled */
  static async create(): Promise<Blake3Tree> {
    const { kernel, memory } = await makeKernel(Math.ceil((SUBTREE_BYTES + 2 * VALUES_BYTES) / PAGE_BYTES));
    return new Blake3Tree(kernel, memory);
  }

  /** Where the bytes of a subtree are put before it is hashed. */
  get input(): Bytes {
    return this.#memory.subarray(0, SUBTREE_BYTES);
  }

  /** How many subtrees have been added. */
  get added(): number {
    return this.#added;
  }

  /** Hashes the whole input as the subtree with this index, which is not the last one. */
  hashSubtree(index: number): ChainingValue {
    return this.#hash(SUBTREE_BYTES, index, 0);
  }

  /** Adds the value of the next subtree, from the left. */
  add(value: ChainingValue): void {
    let joined = value;
    for (let count = ++this.#added; count % 2 === 0; count /= 2) joined = this.#join(joined, 0);
    this.#joined.push(joined);
  }

  /** The digest, with what is at the beginning of the input as the last subtree. */
  end(length: number): ChainingValue {
    let value = this.#hash(length, this.#added, this.#added === 0 ? FLAG.root : 0);
    while (this.#joined.length > 0) value = this.#join(value, this.#joined.length === 1 ? FLAG.root : 0);
    return value;
  }

  #hash(length: number, index: number, root: number): ChainingValue {
    const { chunkStart, chunkEnd } = FLAG;
    const whole = Math.max(0, Math.ceil(length / CHUNK_BYTES) - 1);
    const low = (index * CHUNKS) % 2 ** 32;
    const high = Math.floor((index * CHUNKS) / 2 ** 32);
    for (let i = 0; i < whole; i += LANES) {
      const [from, to] = [i * CHUNK_BYTES, SUBTREE_BYTES + i * VALUE_BYTES];
      this.#kernel(from, CHUNK_BYTES, BLOCKS, low + i, high, 1, chunkStart, chunkEnd, BLOCK_BYTES, to);
    }
    const from = whole * CHUNK_BYTES;
    const to = SUBTREE_BYTES + whole * VALUE_BYTES;
    const blocks = Math.max(1, Math.ceil((length - from) / BLOCK_BYTES));
    const end = from + blocks * BLOCK_BYTES;
    this.#memory.fill(0, length, end);
    const lastFlags = chunkEnd | (whole === 0 ? root : 0);
    const lastLength = BLOCK_BYTES - (end - length);
    this.#kernel(from, 0, blocks, low + whole, high, 0, chunkStart, lastFlags, lastLength, to);
    return this.#joinAll(whole + 1, root);
  }

  /** Joins the last subtree that was joined, at its left, with a value. */
  #join(right: ChainingValue, root: number): ChainingValue {
    this.#memory.set(this.#joined.pop() ?? right, SUBTREE_BYTES);
    this.#memory.set(right, SUBTREE_BYTES + VALUE_BYTES);
    return this.#joinAll(2, root);
  }

  // Of each level the nodes are joined by twos, and an odd one goes up as it is.
  #joinAll(count: number, root: number): ChainingValue {
    let [from, to] = [SUBTREE_BYTES, SUBTREE_BYTES + VALUES_BYTES];
    for (let left = count; left > 1; left = Math.ceil(left / 2)) {
      const flags = FLAG.parent | (left === 2 ? root : 0);
      const pairs = left >> 1;
      for (let i = 0; i < pairs; i += LANES) {
        const [source, target] = [from + 2 * i * VALUE_BYTES, to + i * VALUE_BYTES];
        this.#kernel(source, 2 * VALUE_BYTES, 1, 0, 0, 0, flags, 0, BLOCK_BYTES, target);
      }
      const odd = from + 2 * pairs * VALUE_BYTES;
      if (left % 2 === 1) this.#memory.copyWithin(to + pairs * VALUE_BYTES, odd, odd + VALUE_BYTES);
      [from, to] = [to, from];
    }
    return this.#memory.slice(from, from + VALUE_BYTES);
  }
}

/** A running BLAKE3 of 32 bytes. @throws CompileError as Blake3Tree.create does */
export async function createBlake3(): Promise<Hasher> {
  const tree = await Blake3Tree.create();
  const { input } = tree;
  let used = 0;
  return {
    update: (bytes) => {
      for (let at = 0; at < bytes.length;) {
        // More bytes follow, so this subtree is not the last one, which is hashed otherwise.
        if (used === SUBTREE_BYTES) tree.add(tree.hashSubtree(tree.added));
        used %= SUBTREE_BYTES;
        const piece = bytes.subarray(at, at + SUBTREE_BYTES - used);
        input.set(piece, used);
        used += piece.length;
        at += piece.length;
      }
    },
    digest: () => tree.end(used),
  };
}
