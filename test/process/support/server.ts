import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { basicEnvironment } from "../../machine/leftovers.ts";
import type { Runtime } from "../../support/runtimes.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const START_MS = 40_000;

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

/** Starts main.ts on a runtime, on a free port, with a database in a folder of its own. */
export function startServer(runtime: Runtime, env: Record<string, string> = {}): Promise<RunningServer> {
  return startProgram([runtime.command, ...runtime.args, "main.ts"], { cwd: ROOT, env });
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
      ...env,
    },
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => void lines.push(String(data)));
  const output = () => lines.join("");
  const url = await listening(child, output);
  const end = (signal: NodeJS.Signals) => stop(child, { folder, signal });
  const kill = async () => void (await end("SIGKILL"));
  return { url, folder, pid: child.pid ?? 0, output, stop: () => end("SIGTERM"), kill };
}

/** How a test may see an exit code: Deno says of a child to which it has sent a signal that the signal ended it. */
export function exitCodes(code: number): readonly (number | null)[] {
  return process.versions["deno"] ? [code, null] : [code];
}

function listening(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The server did not start:\n${output()}`));
    }, START_MS);
    child.once("exit", () => reject(new Error(`The server ended:\n${output()}`)));
    child.stdout?.on("data", () => {
      const [, url] = /"event":"listening","url":"([^"]+?)\/?"/.exec(output()) ?? [];
      if (!url) return;
      clearTimeout(late);
      resolve(url);
    });
  });
}

async function stop(
  child: ChildProcess,
  { folder, signal }: { folder: string; signal: NodeJS.Signals },
): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    child.once("exit", resolve);
  });
  child.kill(signal);
  const code = await exit;
  rmSync(folder, { recursive: true, force: true });
  return code;
}
