import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { basicEnvironment } from "../../machine/leftovers.ts";
import { keyFor } from "./instance-key.ts";
import type { Runtime } from "../../support/runtimes.ts";
import { programOf } from "./server.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

export interface Administered {
  /** Null for one that was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** What was printed, by name. */
  readonly shown: Readonly<Record<string, string>>;
}

interface RunOptions {
  readonly env: Record<string, string>;
  readonly killAfter?: number | undefined;
}

/** Runs the command of administrators on a runtime; kills it without notice after so many milliseconds, if any. */
export function runAdminOn(
  runtime: Runtime,
  args: readonly string[],
  running: RunOptions,
): Promise<Administered> {
  return runProgram([...programOf(runtime, "admin"), ...args], running);
}

/** The same for another program, one that ends. */
export async function runProgram(
  [command = "", ...args]: readonly string[],
  { env, killAfter }: RunOptions,
): Promise<Administered> {
  const options = { cwd: ROOT, env: { ...basicEnvironment(), ...keyFor(env), ...env } };
  const child = spawn(command, args, options);
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter);
  const ended = once(child, "close");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  clearTimeout(timer);
  const lines = out.split("\n").map((line) => line.split("\t"));
  const shown = Object.fromEntries(lines.map(([name = "", value = ""]) => [name, value]));
  return { code, out, err, shown };
}
