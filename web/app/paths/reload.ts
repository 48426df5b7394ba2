import { SERVER_URL } from "./base.ts";

const KEY = "reloaded";

/**
 * Reloads the document once. After an update of the server the files that an old page would load are gone; the new page
 * loads the new ones. Returns whether it does so: a second time in a row would be a loop.
 */
export function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(KEY) !== null) return false;
    sessionStorage.setItem(KEY, "1");
  } catch {
    // Without storage a second time could not be recognized.
    return false;
  }
  location.reload();
  return true;
}

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

/** Whether the server answers. Some proxies answer in its place. */
export async function isServerThere(): Promise<boolean> {
  const answer = await inTime(fetch(`${SERVER_URL}/healthz`)).catch(() => undefined);
  return answer?.ok === true;
}

/** After a page has loaded, the next failure may reload again. */
export function forgetReload(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Then there is nothing to delete.
  }
}
