import { sha256 } from "@noble/hashes/sha2.js";
import { nativeCrypto } from "../../native.ts";
import { createByteWriter, writtenBytes } from "../writer/byte-writer.ts";
import { writeValue } from "../writer/serialize.ts";
import { latin1 } from "../syntax/lexer.ts";
import { getObject, type Pdf, replaceObject } from "../model/document.ts";
import { isStream, refTo, type Stream, without } from "../syntax/values.ts";

/** Images have soft masks and profiles, which are equal first. */
const ROUNDS = 3;

/** Lets one stream stand for all that have the same dictionary and data; how many others there were. */
export async function shareEqualStreams(pdf: Pdf, nums: readonly number[]): Promise<number> {
  const steads = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const before = steads.size;
    for (const group of sameLengths(pdf, { nums, steads })) await shareIn(pdf, { group, steads });
    if (steads.size === before) break;
  }
  for (const [num, stead] of steads) replaceObject(pdf, { num, value: refTo(stead) });
  return steads.size;
}

interface SharedStreams {
  /** By the number of a stream: that of the one which stands for it. */
  readonly steads: Map<number, number>;
}

function sameLengths(pdf: Pdf, { nums, steads }: SharedStreams & { nums: readonly number[] }): number[][] {
  const groups = new Map<number, number[]>();
  for (const num of nums) {
    const stream = streamAt(pdf, num);
    if (!stream || steads.has(num)) continue;
    const group = groups.get(stream.data.length);
    if (group) group.push(num);
    else groups.set(stream.data.length, [num]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function streamAt(pdf: Pdf, num: number): Stream | undefined {
  const value = getObject(pdf, num);
  return isStream(value) ? value : undefined;
}

async function shareIn(
  pdf: Pdf,
  { group, steads }: SharedStreams & { group: readonly number[] },
): Promise<void> {
  const known = new Map<string, number>();
  for (const num of group) {
    const stream = streamAt(pdf, num);
    if (!stream) continue;
    const key = `${await digestOf(stream)} ${dictText(pdf, { stream, steads })}`;
    const first = known.get(key);
    if (first === undefined) known.set(key, num);
    else steads.set(num, first);
  }
}

// A digest that nobody can find two data for: one stream must never stand for a different one.
async function digestOf({ data, decryptor }: Stream): Promise<string> {
  const plain = decryptor ? await decryptor.decryptAsync(data) : data;
  const hasher = nativeCrypto?.createHash("sha256");
  hasher?.update(plain);
  return latin1(hasher?.digest() ?? sha256(plain));
}

function dictText(pdf: Pdf, { stream, steads }: SharedStreams & { stream: Stream }): string {
  const output = createByteWriter(pdf.budget.read);
  const dict = without(stream.dict, ["Length"]);
  writeValue(output, { value: dict, renumber: ({ num }) => steads.get(num) ?? num });
  return latin1(writtenBytes(output));
}
