import type { Bytes } from "../../wire/bytes.ts";
import { escapeControls, showControls, unmark } from "./show-controls.ts";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  readonly write: (data: string | Uint8Array) => Promise<void>;
}

export interface TerminalQuestion {
  /** Not shown while it is typed, and kept in no history. */
  readonly isHidden: boolean;
}

/** All that a command knows of the world; a test passes its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: { readonly isTerminal: boolean; readonly read: () => AsyncIterable<Bytes> };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly fetch: typeof fetch;
  /** Certificates of authorities, in PEM, that servers may have beside those that the runtime trusts. */
  readonly trust: (certificates: string) => Promise<void>;
  /** All of an open file descriptor. */
  readonly readFd: (fd: number) => Promise<string>;
  /** Asks at the terminal, which need not be standard input; undefined where there is none. */
  readonly ask: ((question: string, options: TerminalQuestion) => Promise<string>) | undefined;
  /** What a command that did its work has to tell the shell, such as that two texts differ. */
  exitCode: number;
}

/** Says how things stand. Only people want to know: a program would read it as part of the answer. */
export async function note({ stderr }: Io, text: string): Promise<void> {
  if (stderr.isTerminal) await stderr.write(`${showControls(text)}\n`);
}

/** Says what did not survive, wherever standard error goes. */
export async function warn({ stderr }: Io, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await complain(stderr, `hushkit: warning: ${warning}\n`);
}

/** Writes to standard error what may quote others. */
export function complain(stderr: Output, text: string): Promise<void> {
  return stderr.write(stderr.isTerminal ? showControls(text) : text);
}

/**
 * Writes a text that others may have written. A terminal would obey its control characters, so it gets them visible;
 * anything else gets the text as it is.
 */
export async function print(io: Io, data: string | Uint8Array): Promise<void> {
  if (!io.stdout.isTerminal) return io.stdout.write(unmarkData(data));
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  const shown = showControls(text);
  await io.stdout.write(unmark(shown));
  if (shown !== text) await tellOfControls(io);
}

/** Without a terminal there are colours where FORCE_COLOR asks for them, also in a patch that is not UTF-8. */
function unmarkData(data: string | Uint8Array): string | Uint8Array {
  if (typeof data === "string") return unmark(data);
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString("latin1");
  const plain = unmark(text);
  return plain === text ? data : Buffer.from(plain, "latin1");
}

const TOLD = new WeakSet<Io>();

/** Once for each run. */
async function tellOfControls(io: Io): Promise<void> {
  if (TOLD.has(io)) return;
  TOLD.add(io);
  await warn(io, ["control characters are shown, as ^[ or <U+202E>; a file or a pipe gets them as they are"]);
}

export async function printJson({ stdout }: Io, value: unknown): Promise<void> {
  const json = `${JSON.stringify(value, null, 2)}\n`;
  await stdout.write(stdout.isTerminal ? escapeControls(json) : json);
}
