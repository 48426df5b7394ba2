import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { basicEnvironment, threadStates } from "../../machine/leftovers.ts";
import { keyFor } from "./instance-key.ts";
import { preloading, type Runtime } from "../../support/runtimes.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = { main: "main.ts", admin: "server/admin.ts", cli: "bin/hushkit.mjs" } as const;
const BUILT_PAGES = fileURLToPath(new URL("built-pages.mjs", import.meta.url));
/** A busy machine can take long. Less than the limit of a test, so that it is told what the server has said. */
const START_MS = 120_000;
const END_MS = 120_000;
const LAST_CHARACTERS = 4_000;

/** The real program in a process of its own, on a socket. */
export interface RunningServer {
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
  /** All that it has written to standard output and error. */
  readonly output: () => string;
  /** Sends SIGTERM and waits for the exit code. */
  readonly stop: () => Promise<number | null>;
  /** Ends it without notice, as a power cut does. */
  readonly kill: () => Promise<void>;
}

/** Starts the server on a runtime, on a free port, with a database in a folder of its own. */
export function startServer(runtime: Runtime, env: Record<string, string> = {}): Promise<RunningServer> {
  return startProgram(programOf(runtime, "main"), { cwd: ROOT, env });
}

/** The same from its sources, as in a clone. */
export function startSources(runtime: Runtime, env: Record<string, string> = {}): Promise<RunningServer> {
  return startProgram(sourcesOf(runtime, "main"), { cwd: ROOT, env });
}

/** How one of the programs is started: on Node what the run has bundled, in half the time. */
export function programOf(runtime: Runtime, name: keyof typeof SOURCES): string[] {
  const { TEST_SERVER: built } = process.env;
  if (!built || runtime.name !== "node") return sourcesOf(runtime, name);
  return [runtime.command, ...runtime.args, join(built, `${name}.js`)];
}

function sourcesOf(runtime: Runtime, name: keyof typeof SOURCES): string[] {
  const isBuilt = name === "main" && process.env["TEST_PAGES"];
  const { command, args } = isBuilt ? preloading(runtime, BUILT_PAGES) : runtime;
  return [command, ...args, join(ROOT, SOURCES[name])];
}

/** The same of a program that is the server by itself. */
export async function startProgram(
  [command = "", ...args]: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-"));
  const child = spawn(command, args, {
    cwd,
    env: {
      ...basicEnvironment(),
      PORT: "0",
      DRAIN_SECONDS: "0",
      DATABASE_URL: join(folder, "service.db"),
      ...keyFor(env),
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (data) => void (output += String(data)));
  const read = () => output;
  // Not "exit", behind which the last lines can still come.
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const end = (signal: NodeJS.Signals) =>
    endWith(signal, { child, ended, read }).finally(() => rmSync(folder, { recursive: true, force: true }));
  const url = await listening(child, read).catch(async (error: unknown) => {
    // Without an id it was never there.
    if (child.pid !== undefined) await end("SIGKILL");
    throw error;
  });
  const kill = async () => void (await end("SIGKILL"));
  return { url, folder, pid: child.pid ?? 0, output: read, stop: () => end("SIGTERM"), kill };
}

/** What a server has said last, to be shown where a test fails. */
export function lastLines({ output }: Pick<RunningServer, "output">): string {
  return output().slice(-LAST_CHARACTERS);
}

/** How a test may see an exit code: Deno says of a child to which it has sent a signal that the signal ended it. */
export function exitCodes(code: number): readonly (number | null)[] {
  return process.versions["deno"] ? [code, null] : [code];
}

function listening(child: ChildProcess, read: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      clearTimeout(late);
      reject(new Error(`${what}:\n${read()}`));
    };
    const late = setTimeout(() => fail("The server did not start"), START_MS);
    child.once("error", (error) => fail(String(error)));
    child.once("close", () => fail("The server ended"));
    child.stdout?.on("data", () => {
      const [, url] = /"event":"listening","url":"([^"]+?)\/?"/.exec(read()) ?? [];
      if (!url) return;
      clearTimeout(late);
      resolve(url);
    });
  });
}

interface ChildHandle {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly read: () => string;
}

function endWith(signal: NodeJS.Signals, { child, ended, read }: ChildHandle): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      // A letter for each thread: "T" is one that somebody has stopped.
      const threads = threadStates(child.pid ?? 0).join("");
      child.kill("SIGKILL");
      const state = `exit code ${child.exitCode}, threads ${threads}`;
      reject(new Error(`The server did not end (${state}):\n${lastLines({ output: read })}`));
    }, END_MS);
    child.kill(signal);
    void ended.then((code) => {
      clearTimeout(late);
      resolve(code);
    });
  });
}
