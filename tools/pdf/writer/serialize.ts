import { writeBytes, writeText, type ByteWriter } from "./byte-writer.ts";
import { isDict, type PdfString, type Ref, type Value } from "../syntax/values.ts";

/** The number a reference gets in the new file; 0 for what is not there. */
export type Renumber = (ref: Ref) => number;

/** A container being written: the entries still to come. */
type OpenContainer = { readonly entries: Iterator<[string | undefined, Value]>; readonly close: string };

interface SerializeOptions {
  readonly value: Value;
  readonly renumber: Renumber;
  /** What is written for each string, where it is not the string itself. */
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

/** A name as written in a file, irregular characters as #xx (7.3.5). */
function nameText(name: string): string {
  if (name.search(IRREGULAR) < 0) return "/" + name;
  return "/" + name.replace(IRREGULAR, (character) => `#${hexByte(character.charCodeAt(0))}`);
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
