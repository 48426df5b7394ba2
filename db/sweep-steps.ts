/** Rows that one step of a sweep touches at most, so that nobody waits long for it: 5 to 10 ms. */
export const STEP_ROWS = 200;

/** Repeats a step, which answers how many rows it has swept, until few are left; answers how many in all. */
export async function sweepInSteps(step: () => Promise<number>): Promise<number> {
  let total = await step();
  for (let last = total; last >= STEP_ROWS; total += last) {
    // SQLite answers without leaving the thread: only a timer gives the other callers their turn.
    await new Promise((resolve) => setTimeout(resolve));
    last = await step();
  }
  return total;
}
