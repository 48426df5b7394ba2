import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in these, whatever its own clock (getconf CLK_TCK). */
const TICKS_PER_SECOND = 100;

/** Seconds of processor that this process, what it started and what has ended of that have used; only Linux tells. */
export function processorSeconds(): number | undefined {
  const processes = readProcesses();
  const own = processes.get(process.pid);
  if (own === undefined) return undefined;
  const children = Map.groupBy(processes.values(), ({ parent }) => parent);
  let ticks = 0;
  const family = [own];
  for (const member of family) {
    ticks += member.ticks;
    family.push(...(children.get(member.id) ?? []));
  }
  return ticks / TICKS_PER_SECOND;
}

/** Milliseconds of processor that this process takes for some work, however busy the machine is. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

interface Process {
  readonly id: number;
  readonly parent: number;
  /** With those of its children that have ended and were waited for. */
  readonly ticks: number;
}

function readProcesses(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of process.platform === "linux" ? readdirSync("/proc") : []) {
    const read = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined;
    if (read) found.set(read.id, read);
  }
  return found;
}

/** proc_pid_stat(5). */
function readProcess(id: number): Process | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${id}/stat`, "latin1");
  } catch {
    // It has ended.
    return undefined;
  }
  // What stands before the last bracket is a name, which may hold anything.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return {
    id,
    parent: Number(fields[1]),
    ticks: fields.slice(11, 15).reduce((sum, n) => sum + Number(n), 0),
  };
}
