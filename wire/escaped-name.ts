/**
 * Shows a name on one line of a message. As in coreutils, a single backslash stays; carriage returns are escaped too,
 * because a terminal would overwrite the start of the line.
 */
export function showName(name: string): string {
  return /[\n\r]/.test(name) ? `\\${escapeName(name)}` : name;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\", n: "\n", r: "\r" };

/** Escapes what GNU coreutils escapes: backslash, line feed and carriage return. */
export function escapeName(name: string): string {
  return name.replace(/[\\\n\r]/g, (character) => ESCAPES[character] ?? character);
}

/** The original name; undefined where a backslash begins no escape, which coreutils refuses too. */
export function unescapeName(escaped: string): string | undefined {
  if (!/^(?:[^\\]|\\[\\nr])*$/.test(escaped)) return undefined;
  return escaped.replace(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? character);
}

/**
 * The beginning of a text that was sent, as errors quote it. Half of a surrogate pair, by a cut or as it was sent, is no
 * text to strict readers of JSON (RFC 8259, 8.2), so it becomes U+FFFD.
 */
export function quoteStart(text: string): string {
  return text.slice(0, 64).toWellFormed();
}

/** A regular expression for emoji, with modifiers and joined sequences (UTS 51, ED-16). */
export const EMOJI = String.raw`\p{Extended_Pictographic}[\p{EMod}\uFE0F]*(?:\u200D\p{Extended_Pictographic}[\p{EMod}\uFE0F]*)*`;

/**
 * Invisible characters, and those that change how others look: what Unicode calls ignorable has no width (tags,
 * joiners, fillers, byte order marks), and bidi controls make "gpj.exe" read as "exe.jpg".
 */
export const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]`;
