import type { Bytes } from "../../wire/bytes.ts";
import { EMOJI, UNSEEN } from "../../wire/escaped-name.ts";

/** Standard output or standard error. */
export interface Output {
  readonly isTerminal: boolean;
  readonly write: (data: string | Uint8Array) => Promise<void>;
  /** Waits until a file that it leads to is on the disk. @throws Error of the system where the disk fails */
  readonly sync?: () => Promise<void>;
}

export interface TerminalQuestion {
  /** Not shown while it is typed, and not kept in a history. */
  readonly isHidden: boolean;
}

type PathCheck = (
  path: string,
  use: "read" | "write",
  opened?: { readonly dev: number; readonly ino: number },
) => Promise<void>;

/** Everything outside the program that a command uses; tests pass their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: { readonly isTerminal: boolean; readonly read: () => AsyncIterable<Bytes> };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly fetch: typeof fetch;
  /** Adds certificate authorities (PEM) to those that the runtime trusts. */
  readonly trust: (certificates: string) => Promise<void>;
  /** The whole content of an open file descriptor. */
  readonly readFd: (fd: number) => Promise<string>;
  /**
   * Checks where a path leads when its file is opened or gets its name, and whether that is the file which was opened:
   * while a command works, a folder of the path can be replaced by a link. Undefined where every file may be used.
   * @throws CliError usage
   */
  readonly checkPlace?: PathCheck | undefined;
  /** Asks at the terminal, even where standard input is something else; undefined without a terminal. */
  readonly ask: ((question: string, options: TerminalQuestion) => Promise<string>) | undefined;
  /** What is done when the command is over, however it ends. */
  atEnd?: (() => Promise<void>)[];
  /** The exit code of a command that did its work, such as 1 for texts that differ. */
  exitCode: number;
}

/** Prints how things stand, for people only: a program would take it for a part of the answer. */
export async function note({ stderr }: Io, text: string): Promise<void> {
  if (stderr.isTerminal) await stderr.write(`${showControls(text)}\n`);
}

/** Prints what was lost, wherever standard error goes. */
export async function warn({ stderr }: Io, warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await complain(stderr, `hushkit: warning: ${warning}\n`);
}

/** Writes text to standard error that may quote others. */
export function complain(stderr: Output, text: string): Promise<void> {
  return stderr.write(stderr.isTerminal ? showControls(text) : text);
}

/** Tells an error, as one sentence. */
export function tellFailure({ stderr }: Io, message: string): Promise<void> {
  return complain(stderr, failureLine(message));
}

/** An error as a line of standard error. */
export function failureLine(message: string): string {
  return `hushkit: ${message.replace(/([^.!?])$/, "$1.")}\n`;
}

/**
 * Writes a text that others may have written. On a terminal its control characters are made visible; anything else gets
 * the text unchanged.
 */
export async function print(io: Io, data: string | Uint8Array): Promise<void> {
  if (!io.stdout.isTerminal) return io.stdout.write(unmarkData(data));
  const text = typeof data === "string" ? data : new TextDecoder().decode(data);
  const shown = showControls(text);
  await io.stdout.write(unmark(shown));
  if (shown !== text) await tellOfControls(io);
}

/** Without a terminal, FORCE_COLOR asks for colors, also in a patch that is not UTF-8. */
function unmarkData(data: string | Uint8Array): string | Uint8Array {
  if (typeof data === "string") return unmark(data);
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString("latin1");
  const plain = unmark(text);
  return plain === text ? data : Buffer.from(plain, "latin1");
}

const TOLD = new WeakSet<Io>();

/** Told once per run. */
async function tellOfControls(io: Io): Promise<void> {
  if (TOLD.has(io)) return;
  TOLD.add(io);
  await warn(io, ["control characters are shown, as ^[ or <U+202E>; a file or a pipe gets them as they are"]);
}

export async function printJson({ stdout }: Io, value: unknown): Promise<void> {
  const json = `${JSON.stringify(value, null, 2)}\n`;
  await stdout.write(stdout.isTerminal ? escapeControls(json) : json);
}

/** Marks our own colors. Text of others cannot contain it, since it is random; it is never written. */
const MARK = crypto.randomUUID();

/** Line ends may be those of Windows; a single carriage return would overwrite the line. */
const KEPT = String.raw`\r?\n|\t|[0-9#*]\uFE0F\u20E3|\x1b\[\d+;${MARK}m|${EMOJI}`;
const KEPT_OR_UNSEEN = new RegExp(`(${KEPT})|${UNSEEN}`, "gu");

/** The sequence that sets this parameter of SGR (ECMA-48, 8.3.117), marked so that `showControls` lets it through. */
function paintBy(parameter: number): string {
  return `\x1b[${parameter};${MARK}m`;
}

/** Removes the marks from painted text. */
function unmark(text: string): string {
  return text.replaceAll(`;${MARK}m`, "m");
}

/**
 * Makes somebody else's text safe for a terminal: control characters (C0, DEL and C1 except line ends and tabs),
 * characters that reverse the text (UAX 9) and characters without width are written as `^[` or `<U+202E>`. Our own
 * colors stay.
 */
export function showControls(text: string): string {
  return text.replace(KEPT_OR_UNSEEN, (character, kept?: string) => kept ?? show(character));
}

/** Writes control characters within JSON as escapes, which keeps its value. */
function escapeControls(json: string): string {
  const escape = (unseen: string) =>
    Array.from({ length: unseen.length }, (_, at) => `\\u${hexOf(unseen.charCodeAt(at))}`).join("");
  return json.replace(KEPT_OR_UNSEEN, (character, kept?: string) => kept ?? escape(character));
}

/** C0 and DEL in caret notation, all others by number. */
function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${hexOf(code).toUpperCase()}>`;
}

function hexOf(code: number): string {
  return code.toString(16).padStart(4, "0");
}

/** Tells a person how large the file is that was written. The platform's own grouping takes longer than a small file. */
export function noteSize(io: Io, path: string, size: number): Promise<void> {
  return note(io, `${path}: ${String(size).replace(/\B(?=(?:\d{3})+$)/g, ",")} bytes`);
}

const SGR = { bold: 1, dim: 2, red: 31, green: 32, magenta: 35, cyan: 36 } as const;

const RESET = 0;

/** Paints for `print`, which lets only these colors through. */
export type Paint = (color: keyof typeof SGR, text: string) => string;

/**
 * Colors for standard output: on a terminal, and not where NO_COLOR is set (no-color.org). FORCE_COLOR overrules both
 * (force-color.org); 0 and false turn it off, as in Node.
 */
export function painter({ stdout, env }: Io): Paint {
  const hasColors = env.FORCE_COLOR
    ? !/^(?:0|false)$/.test(env.FORCE_COLOR)
    : stdout.isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  return (color, text) =>
    hasColors && text !== "" ? `${paintBy(SGR[color])}${text}${paintBy(RESET)}` : text;
}

/** Passes pieces on, and shows the progress where standard error is a terminal; `total` is NaN where it is not known. */
export async function* withProgress(
  { stderr }: Io,
  { label, total }: { label: string; total: number },
  pieces: AsyncIterable<Bytes>,
): AsyncGenerator<Bytes, void> {
  if (!stderr.isTerminal) return yield* pieces;
  let [done, shown] = [0, ""];
  try {
    for await (const piece of pieces) {
      const line = `${label} ${formatPart(done, total)}`;
      if (line !== shown) await stderr.write(`\r${line.padEnd(shown.length)}`);
      shown = line;
      yield piece;
      done += piece.length;
    }
  } finally {
    if (shown !== "") await stderr.write(`\r${" ".repeat(shown.length)}\r`);
  }
}

function formatPart(done: number, total: number): string {
  if (total > 0) return `${Math.floor((100 * Math.min(done, total)) / total)} %`;
  return `${Math.floor(done / 1_000_000)} MB`;
}
