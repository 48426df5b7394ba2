/** The memory, in GB, assumed for browsers that do not tell it. */
const USUAL_GB = 4;
/** The part of it that may be used at once. */
const SHARE = 1 / 4;

export type Capacity = ReturnType<typeof ownCapacity>;

/** How much one machine can do at once: as many jobs as there are cores, in a quarter of the memory. */
export function ownCapacity() {
  // Missing in TypeScript's DOM library, and in some browsers.
  const { deviceMemory = USUAL_GB } = navigator as { deviceMemory?: number };
  return { cores: navigator.hardwareConcurrency || 1, bytes: deviceMemory * 2 ** 30 * SHARE };
}

/**
 * Works on several files at once, as many as the capacity allows; a file that needs more than all of it is worked on
 * alone. The results are in the order of the files.
 */
export async function runAtOnce<Result>(
  files: readonly File[],
  work: (file: File, place: number) => Promise<Result>,
  { capacity, costOf }: { capacity: Capacity; costOf: (file: File) => Promise<number> },
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const waiting: (() => void)[] = [];
  let [used, next] = [0, 0];
  const runOne = async (file: File, place: number) => {
    const cost = await costOf(file);
    while (used > 0 && used + cost > capacity.bytes) await new Promise<void>((wake) => waiting.push(wake));
    used += cost;
    [results[place]] = (await Promise.allSettled([work(file, place)])) as [PromiseSettledResult<Result>];
    used -= cost;
    for (const wake of waiting.splice(0)) wake();
  };
  const runLane = async () => {
    for (let file = files[next]; file; file = files[next]) await runOne(file, next++);
  };
  await Promise.all(Array.from({ length: capacity.cores }, runLane));
  return results;
}
