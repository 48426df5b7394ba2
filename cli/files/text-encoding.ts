import type { TextEncoding } from "../../wire/given-text.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { decodeTextFile } from "./input.ts";

/** A file's text, and the encoding in which it was found. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding | "Latin-1";
}

/**
 * UTF-16 by its byte order mark, UTF-8 where it is that, else Latin-1; undefined for what is binary, as NUL tells git. The
 * mark of UTF-8 stays: a file with it is another file, and a patch has to fit it.
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

/** Each byte as the character of its number. TextDecoder takes "latin1" for Windows-1252, which is not that. */
export function decodeLatin1(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
