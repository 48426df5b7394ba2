import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { RunProgram } from "../../../db/backup/postgres-backups.ts";
import { AdminError } from "../../../router/administration.ts";

/** Runs a program of PostgreSQL. */
export const runProgram: RunProgram = async (program, args, { env = {}, list }) => {
  if (list === undefined) return run(program, args, env);
  // It does not read the list from a pipe on every system.
  const folder = await mkdtemp(join(tmpdir(), "hushkit-"));
  try {
    await writeFile(join(folder, "list"), list);
    return await run(program, [`--use-list=${join(folder, "list")}`, ...args], env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

// What a program says of an error can hold what stands in tables, so nobody is shown it.
async function run(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [code, output] = await Promise.all([ended, text(child.stdout)]).catch(() => {
    throw new AdminError(`${program} cannot be started: install the client programs of PostgreSQL.`);
  });
  return code === 0 ? output : undefined;
}
