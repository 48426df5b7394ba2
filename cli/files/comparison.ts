import type {
  LineComparison,
  Row,
  Span,
  Granularity,
  IgnoredWhitespace,
  TextComparison,
} from "../../tools/text-compare.ts";
import { describeWarnings } from "../../wire/tool-warning.ts";
import type { Paint, Io } from "../terminal/io.ts";
import { connectChosen } from "../server/connect.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { TextEncoding } from "../../wire/given-text.ts";
import { decodeTextFile } from "./input.ts";

export interface TextOptions {
  readonly granularity: Granularity;
  readonly format: "json" | "unified";
  readonly ignoreCase: boolean;
  readonly ignoreWhitespace: IgnoredWhitespace;
  readonly ignoreBlankLines: boolean;
  readonly moved: boolean;
  readonly context: number;
  readonly nameA?: string;
  readonly nameB?: string;
}

export type TextComparer = (
  texts: { readonly a: string; readonly b: string },
  options: TextOptions,
) => Promise<TextComparison>;

/** Compares on this machine, or on the chosen server. */
export async function comparerOf(io: Io, { server }: { server: boolean | undefined }): Promise<TextComparer> {
  if (!server) {
    const { compareTexts } = await import("../../tools/text-compare.ts");
    return async (texts, options) => {
      const comparison = await compareTexts(texts, options);
      const { warnings } = comparison;
      return warnings ? { ...comparison, warnings: describeWarnings(warnings) } : comparison;
    };
  }
  const { tools } = await connectChosen(io);
  // The API's schema lists the keys of all three kinds of answer; each answer is one of the tool's kinds.
  return async (texts, options) =>
    (await tools.textCompare.mutate({ ...texts, ...options })) as TextComparison;
}

const SIGN = { equal: " ", delete: "-", insert: "+" } as const;
const MOVED_COLOR = { delete: "magenta", insert: "cyan" } as const;
const COLOR = { delete: "red", insert: "green" } as const;

/** The changed lines with their numbers in both texts, and some lines around them. */
export function formatRows({ rows, endsWithNewline }: LineComparison, paint: Paint, context: number): string {
  const shown = rowsNearChanges(rows, context);
  const width = String(rows.length).length;
  let before = -1;
  const lines = shown.flatMap((at) => {
    const row = rows[at];
    const gap = before >= 0 && at > before + 1 ? [paint("dim", "...")] : [];
    before = at;
    return row ? [...gap, formatRow(row, width, paint)] : gap;
  });
  const ends = endsWithNewline.a === endsWithNewline.b ? [] : [newlineNote(endsWithNewline)];
  return [...lines, ...ends, ""].join("\n");
}

function rowsNearChanges(rows: readonly Row[], context: number): number[] {
  const near = new Set<number>();
  for (const [at, { op, ignored }] of rows.entries()) {
    if (op === "equal" || ignored) continue;
    for (let i = Math.max(0, at - context); i <= Math.min(rows.length - 1, at + context); i++) near.add(i);
  }
  return [...near].sort((a, b) => a - b);
}

function formatRow({ op, a, b, text, moved }: Row, width: number, paint: Paint): string {
  const numbers = `${String(a ?? "").padStart(width)} ${String(b ?? "").padStart(width)}`;
  const line = `${SIGN[op]} ${text}`;
  if (op === "equal") return `${paint("dim", numbers)} ${line}`;
  if (moved === undefined) return `${paint("dim", numbers)} ${paint(COLOR[op], line)}`;
  const note = `(${op === "delete" ? "moved to" : "moved from"} line ${moved})`;
  return `${paint("dim", numbers)} ${paint(MOVED_COLOR[op], line)} ${paint("dim", note)}`;
}

function newlineNote({ a }: { a: boolean }): string {
  return `(only the ${a ? "first" : "second"} text ends with a line break)`;
}

/** One running text with [-deleted-] and {+inserted+} parts, as wdiff and git write it. */
export function formatSpans(spans: readonly Span[], paint: Paint): string {
  const text = spans.map(({ op, text: run }) => formatSpan(op, run, paint)).join("");
  return text.endsWith("\n") ? text : `${text}\n`;
}

function formatSpan(op: Span["op"], run: string, paint: Paint): string {
  if (op === "equal") return run;
  return paint(COLOR[op], op === "delete" ? `[-${run}-]` : `{+${run}+}`);
}

/**
 * A patch whose characters stand for bytes, as those bytes. The names in its first two lines are UTF-8, as in other
 * patches.
 */
export function encodePatch(patch: string): Uint8Array {
  const names = patch.indexOf("\n", patch.indexOf("\n") + 1) + 1;
  return Buffer.concat([Buffer.from(patch.slice(0, names)), Buffer.from(patch.slice(names), "latin1")]);
}

/** A patch; byte for byte, unless it goes to a terminal. */
export function formatPatch(patch: string, paint: Paint): string {
  return patch
    .split("\n")
    .map((line) => {
      if (/^(---|\+\+\+) /.test(line)) return paint("bold", line);
      if (line.startsWith("@@")) return paint("cyan", line);
      if (line.startsWith("-")) return paint("red", line);
      return line.startsWith("+") ? paint("green", line) : line;
    })
    .join("\n");
}

/** A file's text, and its encoding. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding | "Latin-1";
}

/**
 * Decodes UTF-16 with a byte order mark, UTF-8, or else Latin-1; undefined for binary files, which contain NUL, as for
 * git. The mark of UTF-8 is kept: a patch has to fit the file with it.
 */
export async function decodeText(bytes: Bytes): Promise<DecodedText | undefined> {
  const { encodingOfMark, readGivenText } = await import("../../wire/given-text.ts");
  const encoding = encodingOfMark(bytes);
  const utf16 = encoding === "UTF-8" ? undefined : readGivenText(bytes);
  if (utf16 !== undefined) return { text: utf16, encoding };
  if (bytes.includes(0)) return undefined;
  const text = decodeTextFile(bytes);
  return text === undefined
    ? { text: decodeLatin1(bytes), encoding: "Latin-1" }
    : { text, encoding: "UTF-8" };
}

/** Each byte as the character with its number. TextDecoder reads "latin1" as Windows-1252, which differs. */
export function decodeLatin1(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
