import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runtimesHere } from "../../machine/skips.ts";
import type { Runtime } from "../../support/runtimes.ts";

/** How to run a TypeScript file, by the name of the runtime. */
export type Command = readonly [program: string, ...args: string[]];

/** The runtime that runs the test. */
export const OWN: Command = process.versions["deno"] ? [process.execPath, "run", "-A"] : [process.execPath];

/** The runtimes of this machine; the one that runs the test comes first. */
export const RUNTIMES: readonly Command[] = [OWN, ...runtimesHere().filter(isOther).map(commandOf)];

function isOther({ name }: Runtime): boolean {
  const own = process.versions["bun"] ? "bun" : process.versions["deno"] ? "deno" : "node";
  return name !== own;
}

function commandOf({ command, args }: Runtime): Command {
  return [command, ...args];
}

/** A child process that talks in lines: `next` is its next line, `go` the word to go on. */
export interface Child {
  process: ChildProcess;
  next(): Promise<string>;
  go(): void;
}

/** Starts a file of this folder as a process of its own, which lives no longer than the test. */
export function startChild(command: Command, args: readonly string[]): Child {
  const child = spawnChild(command, args);
  onTestFinished(() => void child.process.kill("SIGKILL"));
  return child;
}

/** The same of one that its caller ends. */
export function spawnChild(command: Command, args: readonly string[]): Child {
  const [program, ...before] = command;
  const [file = "", ...rest] = args;
  const child = spawn(program, [...before, fileURLToPath(new URL(file, import.meta.url)), ...rest], {
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
