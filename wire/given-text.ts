import { utf8, type Bytes } from "./bytes.ts";

export type TextEncoding = "UTF-8" | "UTF-16LE" | "UTF-16BE";

/** The encoding that a byte order mark names; UTF-8 without one. */
export function encodingOfMark([first, second]: Uint8Array): TextEncoding {
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  return first === 0xfe && second === 0xff ? "UTF-16BE" : "UTF-8";
}

/**
 * Decodes a text file of a user, such as a list, keys or JSON: UTF-8, or UTF-16 with a byte order mark, as Windows
 * editors and shells write it. Drops the mark and keeps line ends. Undefined for other bytes: Latin-1, UTF-16 without a
 * mark, and anything with NUL.
 */
export function readGivenText(bytes: Bytes): string | undefined {
  try {
    const text = new TextDecoder(encodingOfMark(bytes), { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Converts UTF-16 with a byte order mark, as PowerShell writes files, to UTF-8; returns other bytes as they are, for
 * the caller to refuse.
 */
export function toUtf8(bytes: Bytes): Bytes {
  if (encodingOfMark(bytes) === "UTF-8") return bytes;
  const text = readGivenText(bytes);
  return text === undefined ? bytes : utf8(text);
}

/** The lines of a user's text without byte order marks: concatenated files have them in the middle, too. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replace(/^\uFEFF+/, ""));
}

/**
 * A long text in its original UTF-8: one worker extracts it from a body, and another uses it. Decoding and encoding 20
 * MB in between would keep everybody else waiting.
 */
export class Utf8Text {
  readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }
}
