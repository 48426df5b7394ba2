import { EMOJI, UNSEEN } from "../../wire/escaped-name.ts";

/** In what we paint and in no text of others, which could paint as we do if it knew it. It is never written. */
const MARK = crypto.randomUUID();

/** Ends of lines may be those of Windows; a carriage return alone writes over what is there. */
const KEPT = String.raw`\r?\n|\t|[0-9#*]\uFE0F\u20E3|\x1b\[\d+;${MARK}m|${EMOJI}`;
const KEPT_OR_UNSEEN = new RegExp(`(${KEPT})|${UNSEEN}`, "gu");

/** What a terminal obeys to paint by this parameter of SGR (ECMA-48, 8.3.117), for `showControls` to let through. */
export function paintBy(parameter: number): string {
  return `\x1b[${parameter};${MARK}m`;
}

/** What was painted, without the mark that says so. */
export function unmark(text: string): string {
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
export function escapeControls(json: string): string {
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
