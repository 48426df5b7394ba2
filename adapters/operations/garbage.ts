import { setFlagsFromString } from "node:v8";

/** Parts of the room that is left until the heap's limit, in percent: mark beside other work, and at once. */
const SOFT_PERCENT = 60;
const HARD_PERCENT = 85;

/**
 * Lets V8 look for garbage when the heap has grown towards its limit. By itself Node 24 begins as soon as less room is
 * left than the young generation may take (Heap::IncrementalMarkingLimitReached): with the small heap of this server
 * that is always, so that each upload of a few megabytes paid for marking everything.
 */
export function markLessOften(): void {
  // Bun has another engine, and Deno takes such flags only when it starts.
  if (process.versions["bun"] || process.versions["deno"]) return;
  setFlagsFromString(`--incremental-marking-soft-trigger=${SOFT_PERCENT}`);
  setFlagsFromString(`--incremental-marking-hard-trigger=${HARD_PERCENT}`);
}
