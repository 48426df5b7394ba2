import { utf8, type Bytes } from "./bytes.ts";

export type TextEncoding = "UTF-8" | "UTF-16LE" | "UTF-16BE";

/** Which encoding a byte order mark names; UTF-8 without one. */
export function encodingOfMark([first, second]: Uint8Array): TextEncoding {
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  return first === 0xfe && second === 0xff ? "UTF-16BE" : "UTF-8";
}

/**
 * Reads a text that somebody gives as a file, such as a list, keys or JSON: UTF-8, or UTF-16 with its byte order mark, as
 * editors and shells of Windows write it. The mark is no part of the text; line ends stay as they are. Undefined for
 * other bytes: Latin-1, UTF-16 without a mark, and what has NUL in it.
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
 * The same text in UTF-8 where a byte order mark says that it is UTF-16, as PowerShell writes files; other bytes are
 * given back as they are, for the caller to refuse.
 */
export function inUtf8(bytes: Bytes): Bytes {
  if (encodingOfMark(bytes) === "UTF-8") return bytes;
  const text = readGivenText(bytes);
  return text === undefined ? bytes : utf8(text);
}

/**
 * The lines of a text that was given, without the byte order marks in front of them: files with one that were put
 * together have them in the middle, too.
 */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replace(/^\uFEFF+/, ""));
}

/**
 * A long text as the UTF-8 that it came as: a worker read it out of a body, and another takes it as it is. To decode
 * and encode 20 MB in between would keep everybody else waiting.
 */
export class Utf8Text {
  readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }
}
