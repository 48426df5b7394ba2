import { execFileSync, type StdioOptions } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { findPostgres } from "./things.ts";

/** In the environment of all that a test run starts, so that what it leaves behind is known as its own. */
const MARK = "HUSHKIT_TEST_RUN";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** PostgreSQL runs as another user, who must get through to a folder of its own. */
const MAY_PASS = 0o711;
/** In the folder of the run: what all files of tests use, and none of them removes. */
const KEPT = "kept";
const MOST_NAMES = 4;

/** What was there before a run. */
export interface Before {
  /** Of this run alone, where programs put what is temporary. */
  readonly folder: string;
  /** Databases and schemas of the PostgreSQL that tests use, and changed files of the clone. */
  readonly things: ReadonlySet<string>;
}

/** Marks what this process starts from now on, gives it a folder for temporary files, and notes what is there. */
export async function startRun(): Promise<Before> {
  const things = new Set(await listThings());
  // The options of PostgreSQL and nginx, and shells, would have to be given another path with quotes of their own.
  const isPlain = /^[\w./:\\-]+$/.test(tmpdir());
  const folder = mkdtempSync(join(isPlain || !existsSync("/tmp") ? tmpdir() : "/tmp", "hushkit-run-"));
  chmodSync(folder, MAY_PASS);
  const kept = join(folder, KEPT);
  mkdirSync(kept, { mode: MAY_PASS });
  // TEMP is what Windows has for it.
  Object.assign(process.env, { [MARK]: String(process.pid), TMPDIR: folder, TEMP: folder, TEST_KEPT: kept });
  // Also where somebody interrupts the run: without a listener a signal ends a process before this.
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.once(signal, () => process.exit(code));
  process.once("exit", () => {
    killAll(marked());
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, things };
}

/** What a run has left behind, a line for each; programs among it are ended. */
export async function endRun({ folder, things }: Before): Promise<string[]> {
  const commands = endLeftovers().map((command) => `a program that was ended: ${command}`);
  const folders = readdirSync(folder)
    .filter((name) => name !== KEPT)
    .map((name) => `a temporary file or folder: ${name} (${namesIn(join(folder, name))})`);
  const others = (await listThings()).filter((thing) => !things.has(thing));
  return [...commands, ...folders, ...others].map((thing) => `left behind: ${thing}`);
}

/** What a process needs of this one's environment, whatever else it is given. */
export function basicEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = tmpdir(), NODE_COMPILE_CACHE = "", [MARK]: mark = "" } = process.env;
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, [MARK]: mark };
}

/** The first names in a folder, by which one finds who has made it. */
function namesIn(path: string): string {
  try {
    return readdirSync(path).slice(0, MOST_NAMES).join(", ") || "empty";
  } catch {
    return "a file";
  }
}

async function listThings(): Promise<string[]> {
  return [...listChangedFiles(), ...(await listSchemas())];
}

/** Files of the clone that git sees as new or changed; none where there is no git. */
function listChangedFiles(): string[] {
  try {
    const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
    const printed = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8", stdio });
    const lines = printed.split("\n").filter(Boolean);
    return lines.map((line) => `a file of the clone: ${line.slice(3)}`);
  } catch {
    return [];
  }
}

async function listSchemas(): Promise<string[]> {
  const found = await findPostgres();
  if (!("at" in found)) return [];
  const client = new pg.Client({ connectionString: found.at });
  await client.connect();
  const names = "select datname as name from pg_database union select nspname from pg_namespace";
  // Schemas of temporary tables are PostgreSQL's own.
  const { rows } = await client.query<{ name: string }>(names).finally(() => client.end());
  const kept = rows.filter(({ name }) => !name.startsWith("pg_"));
  return kept.map(({ name }) => `a database or schema: ${name}`);
}

/**
 * Ends what a failed test has left running, and answers the command of each. A process that was stopped there would
 * otherwise hold the run's output open, and whoever reads that waits for ever. Only where there is /proc.
 */
function endLeftovers(): string[] {
  // Workers of the run itself are its children, and end by themselves.
  const left = marked().filter((pid) => parentOf(pid) !== process.pid);
  const commands = left.map((pid) => read(pid, "cmdline").replaceAll("\0", " ").trim());
  killAll(left);
  return commands;
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Processes with the mark. */
function marked(): number[] {
  const all = readFolder("/proc").map(Number);
  const own = all.filter((pid) => read(pid, "environ").split("\0").includes(`${MARK}=${process.pid}`));
  return own.filter((pid) => pid !== process.pid);
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
