/** Twice as long as the server lets any call wait. */
export const PATIENCE_MS = 20_000;
/** As slowly as anybody sends. */
const BYTES_PER_MS = 16;

/**
 * Fails like a call without a network where nothing has come in time, as behind a line that has gone dead.
 * @param bytes What is sent first.
 */
export function inTime<Answer>(asked: Promise<Answer>, bytes = 0): Promise<Answer> {
  return new Promise((resolve, fail) => {
    asked.then(resolve, fail);
    setTimeout(fail, PATIENCE_MS + bytes / BYTES_PER_MS, new TypeError("network"));
  });
}
