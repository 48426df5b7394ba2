import { setFlagsFromString } from "node:v8";

/** V8's own. */
const GROWTH_FACTOR = 2;

/**
 * The part of the heap's free space, in percent, that may be used before V8 marks incrementally and before it marks at
 * once.
 */
const SOFT_PERCENT = 60;
const HARD_PERCENT = 85;

/**
 * Keeps the young generation as small as it begins until `releaseHeap`. V8 doubles it whenever more survives than fits,
 * and gives it back after marking alone: the modules of a start, which all survive, left 15 MB that nothing needed.
 */
export function holdHeap(): void {
  // At the start V8 takes no factor below two, later it does.
  setFlags("--semi-space-growth-factor=1");
}

/**
 * Lets the heap grow for the calls, and makes V8 collect garbage when it has grown towards its limit. By default Node 24
 * starts as soon as less room is left than the young generation may take (Heap::IncrementalMarkingLimitReached): with
 * this server's small heap that is always, so each upload of a few megabytes paid for marking everything.
 */
export function releaseHeap(): void {
  setFlags(
    `--semi-space-growth-factor=${GROWTH_FACTOR}`,
    `--incremental-marking-soft-trigger=${SOFT_PERCENT}`,
    `--incremental-marking-hard-trigger=${HARD_PERCENT}`,
  );
}

// Bun has another engine, and Deno takes such flags only at its start.
function setFlags(...flags: readonly string[]): void {
  if (process.versions["bun"] || process.versions["deno"]) return;
  for (const flag of flags) setFlagsFromString(flag);
}
