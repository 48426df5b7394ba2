import { decodeBase64, encodeBase64 } from "../../wire/base64.ts";
import { concatBytes, utf8, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { partsOf, peek, type ByteSource } from "../crypto/chunks.ts";
import { encodingOfMark } from "../../wire/given-text.ts";
import { AGE_HEAD_BYTES, ARMOR_BEGIN, isArmored } from "./age-file.ts";

const END = "-----END AGE ENCRYPTED FILE-----";
const LINE_LENGTH = 64;
const LINE_BYTES = 48;
/** Lines that are encoded or decoded at a time. */
const LINES_AT_ONCE = 1024;

/** Writes an age file as text (its specification v1, ASCII armor: strict PEM of RFC 7468 with lines of 64). */
export async function* writeArmor(pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  yield utf8(`${ARMOR_BEGIN}\n`);
  let rest: Bytes = new Uint8Array(0);
  for await (const piece of pieces) {
    const bytes = concatBytes(rest, piece);
    const whole = bytes.length - (bytes.length % LINE_BYTES);
    if (whole > 0) yield writeLines(bytes.subarray(0, whole));
    rest = bytes.slice(whole);
  }
  yield concatBytes(rest.length > 0 ? writeLines(rest) : rest, utf8(`${END}\n`));
}

function writeLines(bytes: Bytes): Bytes {
  const text = encodeBase64(bytes);
  return utf8(text.replace(/.{1,64}/g, "$&\n"));
}

/**
 * Reads the bytes of an armored file. Its lines must be exactly as they are written; only white space may surround
 * them.
 * @throws ToolFailure damaged_file with the number of the line
 */
export async function* readArmor(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  const lines: string[] = [];
  let place: "before" | "within" | "after" = "before";
  let [number, lastOne] = [0, 0];
  for await (const some of readLines(source))
    for (const line of some) {
      number += 1;
      if (place === "within" && line === END) [place, lastOne] = ["after", number - 1];
      else if (place === "within") {
        if (isLast(lines.at(-1)))
          throw damagedLine(number - 1, "is shorter than the others and not the last");
        if (line.length > LINE_LENGTH) throw damagedLine(number, `has more than ${LINE_LENGTH} characters`);
        lines.push(line);
        if (lines.length <= LINES_AT_ONCE) continue;
        yield decodeLines(lines.splice(0, LINES_AT_ONCE), number - 1);
      } else if (place === "before" && line.trimStart() === ARMOR_BEGIN) place = "within";
      else if (line.trim() !== "") throw damagedLine(number, `has something ${place} the armor`);
    }
  if (place !== "after") throw damagedLine(number, `is the last, and is not "${END}"`);
  if (lines.length > 0) yield decodeLines(lines, lastOne);
}

/**
 * The armored file in a text, such as a mail, in UTF-8 or UTF-16, with empty lines in place of the text around it, so
 * that lines keep their numbers. Other files pass unchanged.
 * @throws ToolFailure damaged_file where a second armor begins, which would be lost
 */
export async function* takeArmor(source: ByteSource): AsyncGenerator<Bytes, void> {
  const { head, whole } = await peek(source, AGE_HEAD_BYTES);
  if (!isArmored(head)) return yield* partsOf(whole);
  const lines: string[] = [];
  let place: "before" | "within" | "after" = "before";
  let number = 0;
  for await (const some of readLines(partsOf(whole), encodingOfMark(head))) {
    for (const line of some) {
      number += 1;
      const isBegin = line.trimStart() === ARMOR_BEGIN;
      if (isBegin && place === "after") throw damagedLine(number, "begins a second armor");
      if (isBegin) place = "within";
      lines.push(place === "within" ? line : "");
      if (line === END) place = "after";
    }
    if (lines.length > LINES_AT_ONCE) yield utf8(`${lines.splice(0).join("\n")}\n`);
  }
  yield utf8(lines.join("\n"));
}

/** Lines that end in LF or CRLF, those of each piece together; none is longer than a line of an armor may be. */
async function* readLines(source: AsyncIterable<Bytes>, encoding = "latin1"): AsyncGenerator<string[], void> {
  const decoder = new TextDecoder(encoding);
  let rest = "";
  for await (const piece of source) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield lines.map((line) => line.replace(/\r$/, ""));
    // A longer text than any line is refused at once, and never collected.
    if (rest.length > AGE_HEAD_BYTES + LINE_LENGTH) break;
  }
  if (rest !== "") yield [rest.replace(/\r$/, "")];
}

function isLast(line: string | undefined): boolean {
  return line !== undefined && (line.length < LINE_LENGTH || line.endsWith("="));
}

/** @param last The number of the last of these lines. */
function decodeLines(lines: readonly string[], last: number): Bytes {
  const text = lines.join("");
  const bytes = lines.includes("") ? undefined : tryDecode(text);
  // Bits after the last byte would be a second way to write the same file.
  if (bytes && encodeBase64(bytes) === text) return bytes;
  const wrong = lines.findIndex((line) => line === "" || !BASE64.test(line));
  if (wrong >= 0) throw damagedLine(last - lines.length + 1 + wrong, "is not base64");
  throw damagedLine(last, "is not base64 as it is written");
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function tryDecode(text: string): Bytes | undefined {
  try {
    return decodeBase64(text);
  } catch {
    return undefined;
  }
}

function damagedLine(number: number, what: string): ToolFailure {
  return new ToolFailure("damaged_file", `The age file is damaged: line ${number} ${what}`, { line: number });
}
