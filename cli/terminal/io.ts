import type { Bytes } from "../../wire/bytes.ts";
import { EMOJI, UNSEEN } from "../../wire/escaped-name.ts";

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

/** In what we paint and in no text of others, which could paint as we do if it knew it. It is never written. */
const MARK = crypto.randomUUID();

/** Ends of lines may be those of Windows; a carriage return alone writes over what is there. */
const KEPT = String.raw`\r?\n|\t|[0-9#*]\uFE0F\u20E3|\x1b\[\d+;${MARK}m|${EMOJI}`;
const KEPT_OR_UNSEEN = new RegExp(`(${KEPT})|${UNSEEN}`, "gu");

/** What a terminal obeys to paint by this parameter of SGR (ECMA-48, 8.3.117), for `showControls` to let through. */
function paintBy(parameter: number): string {
  return `\x1b[${parameter};${MARK}m`;
}

/** What was painted, without the mark that says so. */
function unmark(text: string): string {
  return text.replaceAll(`;${MARK}m`, "m");
}

/**
 * A text of others as a terminal may have it. What a terminal obeys (C0, DEL and C1 but line ends and tabs), what has text
 * run backwards there (UAX 9) and what has no width is written as `^[` or `<U+202E>`. What we paint stays marked.
 */
export function showControls(text: string): string {
  return text.replace(KEPT_OR_UNSEEN, (character, kept?: string) => kept ?? show(character));
}

/** The same of JSON, which stays the same JSON. */
function escapeControls(json: string): string {
  const escape = (unseen: string) =>
    Array.from({ length: unseen.length }, (_, at) => `\\u${hexOf(unseen.charCodeAt(at))}`).join("");
  return json.replace(KEPT_OR_UNSEEN, (character, kept?: string) => kept ?? escape(character));
}

/** C0 and DEL as in caret notation, all others by their number. */
function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return `<U+${hexOf(code).toUpperCase()}>`;
}

function hexOf(code: number): string {
  return code.toString(16).padStart(4, "0");
}

const SGR = { bold: 1, dim: 2, red: 31, green: 32, magenta: 35, cyan: 36 } as const;

const RESET = 0;

/** Paints for `print`, which lets through these colours alone. */
export type Paint = (color: keyof typeof SGR, text: string) => string;

/**
 * Colours for standard output: on a terminal, and not where NO_COLOR is set (no-color.org). FORCE_COLOR overrules both
 * (force-color.org); 0 and false turn it off, as in Node.
 */
export function painter({ stdout, env }: Io): Paint {
  const hasColors = env.FORCE_COLOR
    ? !/^(?:0|false)$/.test(env.FORCE_COLOR)
    : stdout.isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  return (color, text) =>
    hasColors && text !== "" ? `${paintBy(SGR[color])}${text}${paintBy(RESET)}` : text;
}

/** Passes pieces on and shows on a terminal, and only there, how far they have come. */
export async function* withProgress(
  { stderr }: Io,
  {
    label,
    total,
  }: {
    label: string;
    /** NaN where it is not known. */
    total: number;
  },
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
  return `${Math.floor(done / 1024 / 1024)} MiB`;
}
