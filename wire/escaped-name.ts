/**
 * A name in a verdict or a message, on one line. As in coreutils a backslash alone stays; a carriage return is escaped
 * here, because a terminal would write what follows over the start of the line.
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

/** The name that was escaped; undefined where a backslash begins no escape, a line that coreutils refuses too. */
export function unescapeName(escaped: string): string | undefined {
  if (!/^(?:[^\\]|\\[\\nr])*$/.test(escaped)) return undefined;
  return escaped.replace(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? character);
}

/** Pictures with their tones and presentations, joined into one (UTS 51, ED-16) or alone, as a regular expression. */
export const EMOJI = String.raw`\p{Extended_Pictographic}[\p{EMod}\uFE0F]*(?:\u200D\p{Extended_Pictographic}[\p{EMod}\uFE0F]*)*`;

/**
 * Characters that nobody sees, or that change how others look. What Unicode calls ignorable has no width (tags, joiners,
 * fillers, byte order marks); the bidi controls are of them too, which make "gpj.exe" read as "exe.jpg".
 */
export const UNSEEN = String.raw`[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]`;
