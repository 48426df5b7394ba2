import { setImmediate } from "node:timers";

/** Some kernels count a thread's time in ticks of four milliseconds, and a turn is never shorter than its processor time. */
function since(start: { cpu: NodeJS.CpuUsage; at: number }): number {
  const { user, system } = process.threadCpuUsage(start.cpu);
  return Math.min((user + system) / 1000, performance.now() - start.at);
}

/** The most milliseconds of processor time that this thread took for one turn of its event loop while something ran. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false];
  let start = { cpu: process.threadCpuUsage(), at: performance.now() };
  const look = () => {
    longest = Math.max(longest, since(start));
    start = { cpu: process.threadCpuUsage(), at: performance.now() };
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
  }
  // The last turn has its end too.
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}
