import { secretLimits } from "../api/limits.ts";

/** Whether somebody is logged in here, and the browser can seal a label and keep its secret. */
export function canLabel(): boolean {
  if (!secretLimits.value.isMember || globalThis.crypto?.subtle === undefined) return false;
  try {
    localStorage.getItem("");
    return true;
  } catch {
    return false;
  }
}
