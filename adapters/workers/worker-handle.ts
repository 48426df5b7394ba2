import { spawn } from "node:child_process";
import { writeFileSync, readFileSync, existsSync } from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { loopTurn } from "../trpc/body/pace.ts";
import { describeError } from "../operations/log.ts";
import { PLACES } from "../places.ts";
import { createPipeReader, pipeParts, releasableBuffers } from "./pipe.ts";
import { parse } from "node:path";

/** One worker process as the server sees it: it can be given a task, and killed in the middle of it. */
export type WorkerHandle = {
  /**
   * Sends a value, whose bytes are then freed, unless they are to be kept: then it returns the parts of its frame.
   * @throws TypeError when the value cannot be sent; the worker is then as free as before
   */
  post(value: unknown, options?: { isKept: boolean }): KeptParts | undefined;
  /** What it has used so far, where the system tells. */
  usage(): ProcessUsage | undefined;
  /** Whether the server must stay alive for this worker's work. */
  hold(isBusy: boolean): void;
  kill(): Promise<void>;
};

/** What was sent and is still here. */
export interface KeptParts {
  /** The parts of the frame, in order. */
  readonly parts: readonly Uint8Array[];
  readonly release: () => void;
}

/** Starts a worker process. */
export function startWorker({
  onReply,
  onExit,
  ...needs
}: WorkerNeeds & {
  onReply: (value: unknown) => void;
  /** Called once, also after kill, with the signal, the exit code or the code of an error. */
  onExit: (reason: string) => void;
}): WorkerHandle {
  const child = spawn(
    process.execPath,
    [...listFlags(needs), fileURLToPath(PLACES.worker), needs.jobsModule.href],
    {
      // Its standard error is not read: an engine's messages may quote the file.
      stdio: ["pipe", "pipe", "ignore"],
      // A worker needs neither the configuration with its database password nor a test runner's hooks.
      env: {},
      cwd: WORKER_FOLDER,
    },
  );
  preferAsVictim(child.pid);
  // Only the first reason counts.
  const { promise: exit, resolve: end } = Promise.withResolvers<string>();
  child.on("error", (error) => end(nameError(error)));
  child.on("exit", (code, signal) => end(signal ?? nameExit(code ?? 0)));
  // If a worker ends while it is written to, its exit reports that.
  child.stdin.on("error", () => {});
  readReplies(child.stdout, {
    onReply,
    onUnreadable() {
      end("an unreadable reply");
      child.kill("SIGKILL");
    },
  });
  void exit.then(onExit);
  return {
    post: (value, { isKept } = { isKept: false }) => writeTask(child.stdin, value, isKept),
    usage: () => usageOf(child.pid),
    hold: (isBusy) => hold([child, child.stdin, child.stdout], isBusy),
    async kill() {
      // A caller that waits for the end must stay alive until then.
      child.ref();
      child.kill("SIGKILL");
      await exit;
    },
  };
}

// When the machine runs out of memory, Linux kills the process with the highest score: better a worker, whose caller
// can send the file again, than the server.
function preferAsVictim(pid: number | undefined): void {
  if (process.platform !== "linux" || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "800");
  } catch {
    // Impossible in some containers; then the kernel chooses by size alone.
  }
}

function readReplies(
  stdout: Readable,
  { onReply, onUnreadable }: { onReply: (value: unknown) => void; onUnreadable: () => void },
): void {
  const read = createPipeReader(onReply);
  stdout.on("data", (chunk: Uint8Array) => {
    try {
      read(chunk);
    } catch {
      onUnreadable();
    }
  });
}

function writeTask(stdin: Writable, value: unknown, isKept: boolean): KeptParts | undefined {
  const [length, ...parts] = pipeParts(value);
  const buffers = releasableBuffers(parts);
  const release = () => buffers.forEach((buffer) => buffer.detached || buffer.transfer(0));
  const written = writeSlices(stdin, [...(length ? [length] : []), ...parts]);
  if (isKept) return { parts, release: () => void written.then(release) };
  void written.then(release);
  return undefined;
}

/** Written to a pipe at once: Deno copies it before it continues. */
const SLICE_BYTES = 256 * 1024;

async function writeSlices(stdin: Writable, parts: readonly Uint8Array[]): Promise<void> {
  let written = Promise.resolve();
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      const slice = part.subarray(at, at + SLICE_BYTES);
      // Called with an error too, when the worker has gone.
      written = new Promise((resolve) => void stdin.write(slice, () => resolve()));
      if (slice.length === SLICE_BYTES) await Promise.all([written, loopTurn(slice.length)]);
    }
  }
  await written;
}

// They are typed as plain streams; at run time the pipes of a child are sockets, except on Bun.
function hold(handles: readonly { on: unknown; ref?(): void; unref?(): void }[], isBusy: boolean): void {
  for (const handle of handles) {
    if (isBusy) handle.ref?.();
    else handle.unref?.();
  }
}

// A runtime that is ended by a signal can report it as an exit code, as a shell does.
function nameExit(code: number): string {
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
  return signal ?? `exit code ${code}`;
}

function nameError(error: Error): string {
  // A code such as ENOENT; never the message.
  return "code" in error && typeof error.code === "string" ? error.code : describeError(error).name;
}

interface ProcessUsage {
  /** Of all its threads since it started. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Clock ticks of /proc per second, the same on every Linux (proc(5)). */
const TICKS = 100;

/** What a process has used so far, as Linux tells it; undefined elsewhere and once it has ended. */
export function usageOf(pid: number | undefined): ProcessUsage | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  try {
    // pid (name) state parent …; a name may contain spaces and brackets.
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

/**
 * The size of V8's semi-space. Without a limit it grows until a PDF in object streams needs 1.4 to 1.9 times the memory
 * (Node 24).
 */
const YOUNG_MEGABYTES = 16;

interface WorkerNeeds {
  /** The module whose `jobs` the worker runs; it may read the files beside it. */
  readonly jobsModule: URL;
  readonly heapMegabytes?: number | undefined;
  /** Whether it loads native code, such as sharp. */
  readonly isNative?: boolean | undefined;
}

/**
 * Flags that give a worker the fewest rights: to read its code and the libraries, and to compute. SECURITY.md lists
 * what each runtime refuses, and test/adapters/workers/permissions.test.ts tries it.
 */
function listFlags({ jobsModule, heapMegabytes, isNative }: WorkerNeeds): string[] {
  // Bun 1.4 has no permissions and no heap limit. The executable, which is its own worker, takes no flags.
  if (process.versions["bun"]) return [];
  const heap = [`--max-semi-space-size=${YOUNG_MEGABYTES}`];
  if (heapMegabytes) heap.push(`--max-old-space-size=${heapMegabytes}`);
  const paths = [...PLACES.code, new URL(".", jobsModule)].map((each) => fileURLToPath(each));
  const readable = [...paths, ...libraries()];
  return process.versions["deno"]
    ? flagsOfDeno(heap, { readable, isNative })
    : [...heap, ...flagsOfNode({ readable, isNative })];
}

interface Permissions {
  readonly readable: readonly string[];
  readonly isNative: boolean | undefined;
}

/** A folder without a `.env`, which Bun reads at its start, and without other files of the operator. */
const WORKER_FOLDER = parse(process.execPath).root;

// The first flag alone refuses writing, other programs, threads, native code, WASI and the inspector, and from Node 25
// on the network too. Descriptors that are already open, such as the pipes, can be used.
function flagsOfNode({ readable, isNative }: Permissions): string[] {
  const flags = ["--permission", ...readable.map((path) => `--allow-fs-read=${path}`)];
  if (isNative) flags.push("--allow-addons");
  return flags;
}

function flagsOfDeno(heap: readonly string[], { readable, isNative }: Permissions): string[] {
  // Deno separates paths by commas; two commas stand for one.
  const list = (paths: readonly string[]) => paths.map((path) => path.replaceAll(",", ",,")).join(",");
  // A child process of Deno inherits the environment whatever `env` says, so it is hidden; a library may ask for it.
  const permissions = ["--no-prompt", `--allow-read=${list(readable)}`, "--ignore-env"];
  if (isNative) permissions.push(`--allow-ffi=${list(libraries())}`, "--allow-sys");
  const fetchNothing = ["--no-lock", "--no-remote", "--cached-only"];
  return ["run", "--quiet", ...fetchNothing, ...permissions, `--v8-flags=${heap.join(",")}`];
}

/** All folders in which libraries are looked for, from this program's own upwards. */
function libraries(): string[] {
  const folders: string[] = [];
  for (let at = PLACES.root; ; at = new URL("..", at)) {
    const folder = fileURLToPath(new URL("node_modules/", at));
    if (existsSync(folder)) folders.push(folder);
    if (at.pathname === new URL("..", at).pathname) return folders;
  }
}
