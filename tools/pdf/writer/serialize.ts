import { writeBytes, writeText, type ByteWriter } from "./byte-writer.ts";
import { hexByte } from "../syntax/strings.ts";
import { isDict, type PdfString, type Ref, type Value } from "../syntax/values.ts";
import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";

/** Returns the number of a reference in the new file; 0 for what is not there. */
export type Renumber = (ref: Ref) => number;

/** A container that is being written: its remaining entries. */
type OpenContainer = { readonly entries: Iterator<[string | undefined, Value]>; readonly close: string };

interface SerializeOptions {
  readonly value: Value;
  readonly renumber: Renumber;
  /** Replaces each string that is written. */
  readonly encryptString?: ((text: PdfString) => PdfString) | undefined;
}

/** Writes a value other than a stream, without recursion. */
export function writeValue(output: ByteWriter, { value, ...how }: SerializeOptions): void {
  const stack: OpenContainer[] = [];
  writeOne(output, { value, ...how, stack });
  for (let open = stack.at(-1); open; open = stack.at(-1)) {
    const next = open.entries.next();
    if (next.done) {
      writeText(output, open.close);
      stack.pop();
      continue;
    }
    const [key, item] = next.value;
    writeText(output, key === undefined ? " " : nameText(key) + " ");
    writeOne(output, { value: item, ...how, stack });
  }
}

function writeOne(
  output: ByteWriter,
  { value, renumber, encryptString, stack }: SerializeOptions & { stack: OpenContainer[] },
): void {
  if (typeof value === "string") writeText(output, nameText(value));
  else if (typeof value === "number") writeText(output, numberText(value));
  else if (typeof value !== "object" || value === null) writeText(output, String(value));
  else if (Array.isArray(value)) {
    writeText(output, "[");
    stack.push({ entries: itemsOf(value), close: " ]" });
  } else if (isDict(value)) {
    writeText(output, "<<");
    stack.push({ entries: value.entries(), close: ">>" });
  } else if (value.kind === "real") writeText(output, value.text);
  else if (value.kind === "string") writeBytes(output, (encryptString?.(value) ?? value).raw);
  else if (value.kind === "ref") writeReference(output, renumber(value));
  else writeText(output, "null");
}

function* itemsOf(values: readonly Value[]): Generator<[undefined, Value]> {
  for (const value of values) yield [undefined, value];
}

export function writeReference(output: ByteWriter, num: number): void {
  writeText(output, num > 0 ? `${num} 0 R` : "null");
}

/** PDF has no exponents (ISO 32000-1, 7.3.3). */
function numberText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(10) : text;
}

const IRREGULAR = /[^!"$&'*-.0-;=?-Z\\^-z|~]/g;

/** A name as it stands in a file, irregular characters as #xx (7.3.5). */
function nameText(name: string): string {
  if (name.search(IRREGULAR) < 0) return "/" + name;
  return "/" + name.replace(IRREGULAR, (character) => `#${hexByte(character.charCodeAt(0))}`);
}

/** An object as text, or a stream: its dictionary without delimiters and /Length, and its data. */
export type PlainObject = string | { readonly dict: string; readonly data: Uint8Array };

/**
 * A document of objects numbered from 1, starting with its catalog, with a cross-reference table (ISO 32000-1, 7.5.4).
 */
export function writePlainPdf(objects: readonly PlainObject[]): Bytes {
  const parts: Uint8Array[] = [utf8("%PDF-1.7\n%"), Uint8Array.of(0xe2, 0xe3, 0xcf, 0xd3), utf8("\n")];
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const write = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  let xref = "0000000000 65535 f \n";
  for (const [i, object] of objects.entries()) {
    xref += `${String(length).padStart(10, "0")} 00000 n \n`;
    write(utf8(`${i + 1} 0 obj\n`));
    if (typeof object === "string") write(utf8(object));
    else {
      write(utf8(`<<${object.dict}/Length ${object.data.length}>>\nstream\n`));
      write(object.data);
      write(utf8("\nendstream"));
    }
    write(utf8("\nendobj\n"));
  }
  const size = objects.length + 1;
  const end = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`;
  return joinBytes([...parts, utf8(`xref\n0 ${size}\n${xref}${end}`)]);
}
