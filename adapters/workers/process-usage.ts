import { readFileSync } from "node:fs";

export interface ProcessUsage {
  /** Of all its threads since it started. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Clock ticks of /proc in a second, the same on every Linux (proc(5)). */
const TICKS = 100;

/** What a process has used so far, as Linux tells it; undefined elsewhere and when it has ended. */
export function usageOf(pid: number | undefined): ProcessUsage | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    // pid (name) state parent …; a name may hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    const [user, system] = [Number(fields[11]), Number(fields[12])];
    return { cpuSeconds: (user + system) / TICKS, residentBytes: Number(kilobytes ?? 0) * 1024 };
  } catch {
    return undefined;
  }
}
