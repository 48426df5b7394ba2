import { putBytes, putText, type Sink } from "./sink.ts";
import { isDict, type Ref, type Value } from "../syntax/values.ts";

/** The number a reference gets in the new file; 0 for what is not there. */
export type Renumber = (ref: Ref) => number;

/** A container being written: what is left of it. */
type Open = { readonly entries: Iterator<[string | undefined, Value]>; readonly close: string };

/** Writes a value other than a stream, without recursion. */
export function putValue(sink: Sink, { value, renumber }: { value: Value; renumber: Renumber }): void {
  const stack: Open[] = [];
  putOne(sink, { value, renumber, stack });
  for (let open = stack.at(-1); open; open = stack.at(-1)) {
    const next = open.entries.next();
    if (next.done) {
      putText(sink, open.close);
      stack.pop();
      continue;
    }
    const [key, item] = next.value;
    putText(sink, key === undefined ? " " : nameText(key) + " ");
    putOne(sink, { value: item, renumber, stack });
  }
}

interface Step {
  readonly value: Value;
  readonly renumber: Renumber;
  readonly stack: Open[];
}

function putOne(sink: Sink, { value, renumber, stack }: Step): void {
  if (typeof value === "string") putText(sink, nameText(value));
  else if (typeof value === "number") putText(sink, numberText(value));
  else if (typeof value !== "object" || value === null) putText(sink, String(value));
  else if (Array.isArray(value)) {
    putText(sink, "[");
    stack.push({ entries: itemsOf(value), close: " ]" });
  } else if (isDict(value)) {
    putText(sink, "<<");
    stack.push({ entries: value.entries(), close: ">>" });
  } else if (value.kind === "real") putText(sink, value.text);
  else if (value.kind === "text") putBytes(sink, value.raw);
  else if (value.kind === "ref") putRef(sink, renumber(value));
  else putText(sink, "null");
}

function* itemsOf(values: readonly Value[]): Generator<[undefined, Value]> {
  for (const value of values) yield [undefined, value];
}

export function putRef(sink: Sink, num: number): void {
  putText(sink, num > 0 ? `${num} 0 R` : "null");
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
