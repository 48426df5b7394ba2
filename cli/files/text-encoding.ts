import type { Bytes } from "../../wire/bytes.ts";
import { decodeTextFile } from "./input.ts";

export type Encoding = "UTF-8" | "UTF-16LE" | "UTF-16BE" | "Latin-1";

/** A file's text, and the encoding in which it was found. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

/** UTF-16 by its byte order mark, UTF-8 where it is that, else Latin-1; undefined for what is binary, as NUL tells git. */
export function decodeText(bytes: Bytes): DecodedText | undefined {
  const utf16 = decodeUtf16(bytes);
  if (utf16 || bytes.includes(0)) return utf16;
  const text = decodeTextFile(bytes);
  return text === undefined
    ? { text: decodeLatin1(bytes), encoding: "Latin-1" }
    : { text, encoding: "UTF-8" };
}

/** Each byte as the character of its number. TextDecoder takes "latin1" for Windows-1252, which is not that. */
export function decodeLatin1(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

/** The text behind the byte order mark, which is no part of it; undefined where this is not UTF-16. */
function decodeUtf16(bytes: Bytes): DecodedText | undefined {
  const encoding = encodingOfMark(bytes);
  if (!encoding || bytes.length % 2 === 1) return undefined;
  const units = Buffer.from(bytes.subarray(2));
  if (encoding === "UTF-16BE") units.swap16();
  const text = units.toString("utf16le");
  // The mark of UTF-32LE begins with that of UTF-16LE; read as this it has NUL in every second place.
  return text.isWellFormed() && !text.includes("\0") ? { text, encoding } : undefined;
}

function encodingOfMark([first, second]: Bytes): "UTF-16LE" | "UTF-16BE" | undefined {
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  return first === 0xfe && second === 0xff ? "UTF-16BE" : undefined;
}
