import { spawn, type SpawnOptions } from "node:child_process";
import { openSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodePath, type Runtime } from "../../support/runtimes.ts";

export const PROGRAM = fileURLToPath(new URL("../../../bin/hushkit.mjs", import.meta.url));
export const NODE: Runtime = { name: "node", command: nodePath(), args: ["--no-warnings"] };

interface Started {
  readonly folder: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string | undefined;
  /** A file that is opened as descriptor 3. */
  readonly fd3?: string;
}

/** Starts the real program. */
export function begin(
  runtime: Runtime,
  { args, folder, env = {}, fd3 }: Started & { args: readonly string[] },
) {
  const { PATH = "" } = process.env;
  const options: SpawnOptions = {
    cwd: folder,
    env: { PATH, HOME: folder, XDG_CONFIG_HOME: folder, ...env },
    stdio: ["pipe", "pipe", "pipe", ...(fd3 === undefined ? [] : [openSync(join(folder, fd3), "r")])],
  };
  return spawn(runtime.command, [...runtime.args, PROGRAM, ...args], options);
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the real program to its end. */
export function hushkit(runtime: Runtime, args: readonly string[], started: Started): Promise<Ended> {
  const child = begin(runtime, { ...started, args });
  child.stdin?.end(started.stdin ?? "");
  return ended(child);
}

/** What a program wrote, and how it ended. */
export function ended(child: ReturnType<typeof spawn>): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout?.on("data", (data: Buffer) => void (out += data.toString()));
  child.stderr?.on("data", (data: Buffer) => void (err += data.toString()));
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}

// Links hold the port, so that it must be known before.
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      // Listening on a port, a server has the address of one.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
