import { readdirSync, readFileSync } from "node:fs";

/** In the environment of all that a test run starts, so that what it leaves behind is known as its own. */
const MARK = "HUSHKIT_TEST_RUN";

/** Marks what this process starts from now on. */
export function markRun(): void {
  process.env[MARK] = String(process.pid);
}

/** What a process needs of this one's environment, whatever else it is given. */
export function basicEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "", [MARK]: mark = "" } = process.env;
  return { PATH, HOME, [MARK]: mark };
}

/**
 * Ends what a failed test has left running, and answers the command of each. A process that was stopped there would
 * otherwise hold the run's output open, and whoever reads that waits for ever. Only where there is /proc.
 */
export function endLeftovers(): string[] {
  return marked().map((pid) => {
    const command = read(pid, "cmdline").replaceAll("\0", " ").trim();
    process.kill(pid, "SIGKILL");
    return command;
  });
}

/** Processes with the mark, but for the workers of the run itself. */
function marked(): number[] {
  const all = readFolder("/proc").map(Number);
  const own = all.filter((pid) => read(pid, "environ").split("\0").includes(`${MARK}=${process.pid}`));
  return own.filter((pid) => pid !== process.pid && parentOf(pid) !== process.pid);
}

/** NaN where there is no /proc, or no such process any more. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** One letter for each thread of a process, "T" for one that is stopped; empty where there is no /proc. */
export function threadStates(pid: number): string[] {
  const threads = readFolder(`/proc/${pid}/task`);
  return threads.map((id) => statOf(`${pid}/task/${id}`)[0] ?? "");
}

/** What stands behind the name, which is in brackets: state, parent and the rest. */
function statOf(process: number | string): string[] {
  return read(process, "stat").split(") ").at(-1)?.split(" ") ?? [];
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function read(process: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${process}/${name}`, "latin1");
  } catch {
    return ""; // it has ended meanwhile, or is somebody else's
  }
}
