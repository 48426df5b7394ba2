import { setImmediate } from "node:timers";

/** Of all transfers together, between two turns of the event loop. */
const BYTES_PER_TURN = 1024 * 1024;

let passedBytes = 0;
let turn: Promise<void> | undefined;

/**
 * Counts bytes that any transfer moves; past a megabyte, each of them waits for the next turn of the event loop.
 * Reading rows of SQLite, ciphers and writing to a socket that takes it are all synchronous on Node and Bun: a whole
 * download would be one chain of microtasks, and everybody else would wait for its end.
 */
export function loopTurn(bytes: number): Promise<void> | undefined {
  passedBytes += bytes;
  if (passedBytes < BYTES_PER_TURN) return undefined;
  return (turn ??= new Promise((resolve) => {
    setImmediate(() => {
      passedBytes = 0;
      turn = undefined;
      resolve();
    });
  }));
}
