import { closeSync, createReadStream, fsync, openSync, read } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { ReadStream, WriteStream } from "node:tty";
import { promisify } from "node:util";
import { howOpened, isGiven, statDescriptor } from "../../bin/descriptors.mjs";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { CliError, EXIT, usageError } from "../exit.ts";
import { onSignal, waitForDisk } from "../files/draft.ts";
import { plainBytes } from "../files/input.ts";
import { createNetwork } from "../server/network.ts";
import type { Io, Output, TerminalQuestion } from "./io.ts";

/** What the running program uses. */
export function processIo(): Io {
  // The first process of a container only gets the signals that it handles.
  const forget = process.pid === 1 ? onSignal(() => {}) : () => {};
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: {
      get isTerminal() {
        return process.stdin.isTTY;
      },
      read: readStdin,
    },
    stdout: outputOf(process.stdout, 1),
    stderr: withoutFailures(outputOf(process.stderr, 2)),
    ...createNetwork(process.env),
    readFd,
    get ask() {
      return hasTerminal() ? askTerminal : undefined;
    },
    atEnd: [async () => forget(), async () => leaveStdin()],
    exitCode: 0,
  };
}

/** Ends a read that is still waiting: it would keep the program from ending. */
let leaveStdin = () => {};

async function* readStdin(): AsyncGenerator<Bytes> {
  leaveStdin = () => {
    process.stdin.destroy();
    // Deno 2.9 waits all the same.
    if (process.versions.deno && !process.stdin.readableEnded) setImmediate(() => process.exit());
  };
  if (process.stdin.readableEnded)
    throw usageError("Only one file, password or key can come from standard input.");
  // Node reads a folder as if it were empty.
  const source = await stat("/dev/stdin").catch(() => undefined);
  if (source?.isDirectory()) throw usageError("Standard input: this is a folder.");
  for await (const chunk of process.stdin) yield plainBytes(chunk);
}

function outputOf(stream: NodeJS.WriteStream, fd: number): Output {
  // The write's callback gets the reason too; without a listener the event would end the process.
  stream.on("error", () => {});
  // Deno 2.9 takes what it cannot write to a descriptor that is open for reading for written.
  let failure: unknown = isReadOnly(fd)
    ? Object.assign(new Error("Not open for writing"), { code: "EBADF" })
    : undefined;
  const write = async (data: string | Uint8Array) => {
    // Deno 2.9 never ends a write after one that has failed.
    if (failure !== undefined) throw failure;
    try {
      await new Promise<void>((resolve, reject) => {
        stream.write(data, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return { isTerminal: stream.isTTY, write, sync: () => waitForDisk(promisify(fsync)(fd)) };
}

/** A failure to write to standard error cannot be told anywhere; it changes neither the command nor its exit code. */
function withoutFailures({ isTerminal, write }: Output): Output {
  return { isTerminal, write: (data) => write(data).catch(() => {}) };
}

function isReadOnly(fd: number): boolean {
  const { flags } = process.versions.deno ? howOpened(fd) : {};
  return flags !== undefined && (flags & 0o3) === 0;
}

async function readFd(fd: number): Promise<string> {
  const pieces: Bytes[] = [];
  // Node does not wait for standard input, and node:fs fails where a pipe has nothing yet.
  if (fd === 0) for await (const piece of readStdin()) pieces.push(piece);
  else for await (const chunk of openFd(fd)) pieces.push(plainBytes(chunk));
  const { readGivenText } = await import("../../wire/given-text.ts");
  const text = readGivenText(joinBytes(pieces));
  if (text !== undefined) return text;
  throw usageError(`File descriptor ${fd} does not hold text in UTF-8 or UTF-16.`);
}

/** @throws Error where the caller has opened nothing there for reading */
function openFd(fd: number): Readable {
  if (!isGiven(fd)) throw new Error("Not a descriptor of the caller");
  if (!process.versions.deno) return createReadStream("", { fd, autoClose: false });
  // Deno 2.9 only knows descriptors in node:fs that it opened itself. A path opens a file anew, at its beginning, and a
  // socket has none.
  const stat = statDescriptor(fd);
  if (stat?.isSocket()) return new Socket({ fd, readable: true, writable: false });
  const { position = 0 } = howOpened(fd);
  return createReadStream(`/dev/fd/${fd}`, stat?.isFile() ? { start: position } : {});
}

/** Asks at the terminal of this process, even while standard input is a pipe. */
async function askTerminal(question: string, { isHidden }: TerminalQuestion): Promise<string> {
  const { input, output, close } = openTerminal();
  // Readline echoes what is typed to its output; here that goes nowhere.
  const echo = isHidden ? new Writable({ write: (_data, _encoding, done) => done() }) : output;
  const lines = createInterface({ input, output: echo, terminal: true, historySize: 0 });
  const show = () => (isHidden ? output.write(question) : lines.prompt(true));
  const forget = keepTerminal(input, show);
  try {
    if (!isHidden) lines.setPrompt(question);
    show();
    return await new Promise<string>((resolve, reject) => {
      // Closed in the same turn, before the next read begins.
      const end = (settle: () => void) => {
        settle();
        lines.close();
      };
      lines.once("line", (line) => end(() => resolve(line)));
      lines.once("SIGINT", () => end(() => reject(new CliError(EXIT.interrupted, ""))));
      lines.once("close", () => reject(new CliError(EXIT.password, "Nothing was entered.")));
      lines.on("SIGTSTP", () => {
        input.setRawMode(false);
        // As the terminal does: all programs of a pipe, and the script that runs this one.
        process.kill(0, "SIGTSTP");
      });
    });
  } finally {
    forget();
    if (isHidden) output.write("\n");
    close();
  }
}

/** Leaves the terminal as it was when a signal ends the program, and asks again after one that stopped it. */
function keepTerminal(input: TerminalInput, show: () => void): () => void {
  // The shell has set the terminal meanwhile, which the runtime does not know.
  const goOn = () => {
    input.setRawMode(false);
    input.setRawMode(true);
    show();
  };
  process.on("SIGCONT", goOn);
  const forget = onSignal(() => input.setRawMode(false));
  return () => {
    forget();
    process.off("SIGCONT", goOn);
  };
}

/** Whether there is a terminal to ask at. */
function hasTerminal(): boolean {
  if (process.stdin.isTTY) return true;
  try {
    openTerminal().close();
    return true;
  } catch {
    return false;
  }
}

/** A terminal to read from. */
type TerminalInput = NodeJS.ReadableStream & { setRawMode: (isRaw: boolean) => void };

function openTerminal(): { input: TerminalInput; output: NodeJS.WritableStream; close: () => void } {
  // After Ctrl-D standard input gives nothing more, the terminal itself does.
  if (process.stdin.isTTY && process.stderr.isTTY && !process.stdin.readableEnded) {
    return { input: process.stdin, output: process.stderr, close: () => process.stdin.pause() };
  }
  const terminal = new ReadStream(openSync("/dev/tty", "r"));
  const output = new WriteStream(openSync("/dev/tty", "w"));
  const fd = openSync("/dev/tty", "r");
  const setRawMode = (isRaw: boolean) => void terminal.setRawMode(isRaw);
  return {
    input: Object.assign(readWhenAsked(fd), { setRawMode }),
    output,
    close() {
      terminal.destroy();
      output.destroy();
      closeSync(fd);
    },
  };
}

/**
 * Reads nothing ahead: Bun 1.4 goes on reading from a terminal whose stream was closed, which takes what the next
 * question is answered with, and keeps the program from ending.
 */
function readWhenAsked(fd: number): Readable {
  const piece = new Uint8Array(4096);
  return new Readable({
    highWaterMark: 0,
    read() {
      read(fd, piece, 0, piece.length, null, (error, length) => {
        if (error) this.destroy(error);
        else this.push(length > 0 ? piece.slice(0, length) : null);
      });
    },
  });
}
