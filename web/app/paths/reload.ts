import { inTime } from "../../api/in-time.ts";
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
