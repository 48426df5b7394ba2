/** Microseconds of CPU per call, the best of several rounds: what else the machine does only ever adds. */
export async function microseconds(call: () => unknown, { calls = 500, rounds = 7 } = {}): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i++) await call();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}

/** One line of a table: what, how long, and how many times the peer. */
export function row(
  what: string,
  { value, unit, peer }: { value: number; unit: string; peer?: number },
): string {
  const ratio = peer === undefined ? "" : `${(value / peer).toFixed(2)} x`;
  return `${what.padEnd(52)}${value.toFixed(value < 10 ? 2 : 0).padStart(10)} ${unit.padEnd(4)}${ratio.padStart(10)}`;
}
