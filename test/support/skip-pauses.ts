import { onTestFinished, vi } from "vitest";

/** How long a client pauses before it asks again for an answer that was lost. */
export const PAUSES_MS = [500, 2000, 8000];

/** Skips those pauses until the test ends; the list that it answers gets each of them. */
export function skipPauses(): number[] {
  const pauses: number[] = [];
  const start = setTimeout;
  const skip = (run: () => void, ms = 0) => {
    if (!PAUSES_MS.includes(ms)) return start(run, ms);
    pauses.push(ms);
    return start(run, 0);
  };
  // Node's has a second form, for promises, that nobody here calls.
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(skip as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return pauses;
}
