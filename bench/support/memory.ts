import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** A process and its children, such as a server and its workers. */
export function processesOf(pid: number): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

function parentOf(pid: string): number {
  try {
    // pid (name) state parent …; a name may hold blanks and brackets.
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ")[1],
    );
  } catch {
    return 0;
  }
}

/** MiB of memory that a process holds now; none once it has ended. */
export function residentOf(pid: number): number {
  return statusOf(pid, "VmRSS");
}

/** The memory of a process with its part of what it shares with others, such as the program of server and workers. */
export function proportionalOf(pid: number): number {
  return rollupOf(pid, "Pss");
}

/** What it has written itself and shares with nobody, such as its heap. */
export function privateOf(pid: number): number {
  return rollupOf(pid, "Private_Dirty");
}

function rollupOf(pid: number, key: "Pss" | "Private_Dirty"): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB$`, "m").exec(rollup)?.[1]) / 1024;
}

/** MiB of memory that a process held at most since resetPeak. */
export function peakOf(pid: number): number {
  return statusOf(pid, "VmHWM");
}

function statusOf(pid: number, key: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`${key}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** How many files, connections and pipes a process has open. */
export function openFilesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Linux forgets the peak when this is written. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Seconds of processor time that these processes have used. */
export function cpuSeconds(processes: readonly { pid: number }[]): number {
  // utime and stime in hundredths of a second (proc(5)); the name before them may hold blanks.
  return processes.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}
