import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { ReadStream, WriteStream } from "node:tty";
import { CliError, EXIT } from "../exit.ts";
import type { TerminalQuestion } from "./io.ts";

/** Asks at the terminal of this process, also while standard input is a pipe. */
export async function askTerminal(question: string, { isHidden }: TerminalQuestion): Promise<string> {
  const { input, output, close } = openTerminal();
  // Readline echoes to its output what is typed; here it goes nowhere.
  const echo = isHidden ? new Writable({ write: (_data, _encoding, done) => done() }) : output;
  const lines = createInterface({ input, output: echo, terminal: true, historySize: 0 });
  try {
    if (isHidden) output.write(question);
    else lines.setPrompt(question);
    if (!isHidden) lines.prompt();
    return await new Promise<string>((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("SIGINT", () => reject(new CliError(EXIT.interrupted, "")));
      lines.once("close", () => reject(new CliError(EXIT.password, "Nothing was entered.")));
    });
  } finally {
    lines.close();
    if (isHidden) output.write("\n");
    close();
  }
}

/** Whether somebody is there to be asked. */
export function hasTerminal(): boolean {
  if (process.stdin.isTTY) return true;
  try {
    openTerminal().close();
    return true;
  } catch {
    return false;
  }
}

function openTerminal(): { input: NodeJS.ReadStream; output: NodeJS.WritableStream; close: () => void } {
  if (process.stdin.isTTY && process.stderr.isTTY) {
    return { input: process.stdin, output: process.stderr, close: () => process.stdin.pause() };
  }
  const input = new ReadStream(openSync("/dev/tty", "r"));
  const output = new WriteStream(openSync("/dev/tty", "w"));
  const close = () => {
    input.destroy();
    output.destroy();
  };
  return { input, output, close };
}
