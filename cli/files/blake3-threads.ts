import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Blake3Tree, SUBTREE_BYTES } from "../../tools/hash/blake3.ts";
import type { Hasher } from "../../tools/file/native.ts";

/** With fewer, the file is hashed before a thread has started. */
const THREADED_SUBTREES = 16;
/** Deno 2.9 stops for 0.27 s while it starts one, in which it hashes 300 MB. */
const MAX_THREADS = process.versions.deno ? 0 : 7;
const SLOTS_PER_THREAD = 3;
const VALUE_BYTES = 32;

/** What a slot holds: nothing, a subtree that waits, one that is being hashed, or its value. */
const [EMPTY, WAITING, TAKEN, HASHED] = [0, 1, 2, 3] as const;

/** Subtrees in memory that all threads share, each in a slot. */
export interface Slots {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** What each slot holds. Behind them, the number of subtrees that have been put there. */
  readonly states: Int32Array<SharedArrayBuffer>;
  /** Which subtree each slot holds. */
  readonly indexes: Float64Array<SharedArrayBuffer>;
}

function makeSlots(count: number): Slots {
  return {
    bytes: new Uint8Array(new SharedArrayBuffer(count * SUBTREE_BYTES)),
    states: new Int32Array(new SharedArrayBuffer((count + 1) * Int32Array.BYTES_PER_ELEMENT)),
    indexes: new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT)),
  };
}

/** Hashes a subtree that waits in a slot. Answers whether there was one. */
export function hashWaiting({ bytes, states, indexes }: Slots, tree: Blake3Tree): boolean {
  const slot = indexes.findIndex((_, i) => Atomics.compareExchange(states, i, WAITING, TAKEN) === WAITING);
  if (slot < 0) return false;
  const at = slot * SUBTREE_BYTES;
  tree.input.set(bytes.subarray(at, at + SUBTREE_BYTES));
  bytes.set(tree.hashSubtree(indexes[slot] ?? 0), at);
  Atomics.store(states, slot, HASHED);
  Atomics.notify(states, slot);
  return true;
}

/**
 * A running BLAKE3 that other threads help with from 16 MiB on, whose tree is made for that. Where none of them starts,
 * it is slower and no less right.
 */
export async function createThreadedBlake3(): Promise<Hasher> {
  const tree = await Blake3Tree.create();
  const threadCount = Math.min(availableParallelism() - 1, MAX_THREADS);
  const slotCount = SLOTS_PER_THREAD * threadCount + 1;
  let threads: Worker[] | undefined;
  let slots: Slots | undefined;
  let place: Uint8Array = tree.input;
  /** The subtree in `place`, and how much of it is there. */
  let [index, used] = [0, 0];
  return { update, digest };

  function update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      // More bytes follow, so this subtree is not the last one, which is hashed otherwise.
      if (used === SUBTREE_BYTES) next();
      const piece = bytes.subarray(at, at + SUBTREE_BYTES - used);
      place.set(piece, used);
      used += piece.length;
      at += piece.length;
    }
  }

  function next(): void {
    if (slots) offer(slots);
    else tree.add(tree.hashSubtree(index));
    index++;
    used = 0;
    if (index === THREADED_SUBTREES && threadCount > 0) slots = start();
    if (!slots) return;
    while (tree.added <= index - slotCount) collect(slots);
    const at = (index % slotCount) * SUBTREE_BYTES;
    place = slots.bytes.subarray(at, at + SUBTREE_BYTES);
  }

  function start(): Slots {
    const made = makeSlots(slotCount);
    threads = Array.from({ length: threadCount }, () => {
      const thread = new Worker(new URL("./blake3-thread.ts", import.meta.url), { workerData: made });
      thread.unref();
      // What it does not do is done here.
      return thread.on("error", () => undefined);
    });
    return made;
  }

  function offer({ states, indexes }: Slots): void {
    const slot = index % slotCount;
    indexes[slot] = index;
    Atomics.store(states, slot, WAITING);
    Atomics.add(states, slotCount, 1);
    Atomics.notify(states, slotCount, 1);
  }

  /** Adds the next subtree to the tree, and hashes others until it is ready. */
  function collect(from: Slots): void {
    const { bytes, states } = from;
    const slot = tree.added % slotCount;
    while (Atomics.load(states, slot) !== HASHED)
      if (!hashWaiting(from, tree)) Atomics.wait(states, slot, TAKEN);
    const at = slot * SUBTREE_BYTES;
    tree.add(new Uint8Array(bytes.subarray(at, at + VALUE_BYTES)));
    Atomics.store(states, slot, EMPTY);
  }

  function digest(): Uint8Array {
    while (slots && tree.added < index) collect(slots);
    if (slots) tree.input.set(place.subarray(0, used));
    for (const thread of threads ?? []) void thread.terminate();
    return tree.end(used);
  }
}
