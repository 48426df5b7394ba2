import { spawn, type ChildProcess } from "node:child_process";

/** A browser that is driven over its own protocol: one tab, and functions that run in its page. */
export interface Driver {
  readonly goTo: (url: string) => Promise<void>;
  /** Calls a function, given as its source, in the page with these arguments; its result is awaited. */
  readonly call: (source: string, args: readonly unknown[], options?: CallOptions) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export interface CallOptions {
  /** Runs outside of the page's own scripts and their content security policy, where the browser can do that. */
  readonly isApart?: boolean;
}

export interface ProgramHandle {
  readonly child: ChildProcess;
  /** The first group of what was waited for. */
  readonly said: string;
}

const START_MS = 60_000;
/** Of what a program has said, where it does not start. */
const TOLD_LINES = 20;

/** Starts a program and waits until it says something. */
export function start(
  command: string,
  args: readonly string[],
  { until, env = {} }: { until: RegExp; env?: NodeJS.ProcessEnv },
): Promise<ProgramHandle> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let heard = "";
    const fail = () => {
      clearTimeout(timer);
      child.kill();
      reject(new Error(`${command} did not start: ${lastLines(heard)}`));
    };
    const timer = setTimeout(fail, START_MS);
    child.once("exit", fail);
    child.once("error", fail);
    const listen = (text: Buffer) => {
      heard += text.toString();
      const [, said] = until.exec(heard) ?? [];
      if (said === undefined) return;
      clearTimeout(timer);
      child.off("exit", fail);
      resolve({ child, said });
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
  });
}

export function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-TOLD_LINES).join("\n");
}

/** Ends a program that was started, and waits until it has ended. */
export function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill();
  });
}
