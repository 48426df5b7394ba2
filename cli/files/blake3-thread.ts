// A thread (started by blake3-threads.ts) that hashes subtrees until it is ended.
import { workerData } from "node:worker_threads";
import { Blake3Tree } from "../../tools/hash/blake3.ts";
import { hashWaiting, type Slots } from "./blake3-threads.ts";

// The starting thread passes nothing else.
const slots = workerData as Slots;
const { states, indexes } = slots;
const tree = await Blake3Tree.create();
for (;;) {
  const offered = Atomics.load(states, indexes.length);
  if (!hashWaiting(slots, tree)) Atomics.wait(states, indexes.length, offered);
}
