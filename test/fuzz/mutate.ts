import type { Random } from "./random.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0x20, 0x22, 0x28, 0x3c, 0x5b, 0x5c, 0x7b];
const TOKENS = [
  ...["[[[[[[[[", "]]]]", "{}", ",,", "null", "-1", "1e999", "999999999999", "\u0000", "\ud800", "__proto__"],
  ...[
    "/Length 0",
    "/Kids [1 0 R]",
    "/Prev 0",
    "endobj",
    "stream\n",
    "<< >>",
    "0 0 R",
    "/Filter /FlateDecode",
  ],
  ...['"$bytes"', "[0,4294967295]", "\r\n--x", "%00", "%ff", "data:,", "end-0", "é"],
];

/** The bytes with a few small things wrong. */
export function mutate(bytes: Bytes, random: Random): Bytes {
  let mutated = bytes;
  for (let left = 1 + random.below(6); left > 0; left--) mutated = random.pick(MUTATIONS)(mutated, random);
  return mutated;
}

const MUTATIONS: readonly ((bytes: Bytes, random: Random) => Bytes)[] = [
  (bytes, random) => changeByte(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  (bytes, random) => changeByte(bytes, random, () => random.pick(INTERESTING)),
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => splice(bytes, random, new Uint8Array()),
  (bytes, random) => splice(bytes, random, new TextEncoder().encode(random.pick(TOKENS))),
  (bytes, random) => splice(bytes, random, piece(bytes, random)),
  changeNumber,
];

function changeByte(bytes: Bytes, random: Random, change: (byte: number) => number): Bytes {
  const copy = bytes.slice();
  const at = random.below(copy.length || 1);
  if (at < copy.length) copy[at] = change(copy[at] ?? 0);
  return copy;
}

/** Puts a piece in place of a few bytes. */
function splice(bytes: Bytes, random: Random, inserted: Uint8Array): Bytes {
  const at = random.below(bytes.length + 1);
  const rest = bytes.subarray(at + random.below(16));
  return new Uint8Array(Buffer.concat([bytes.subarray(0, at), inserted, rest]));
}

function piece(bytes: Bytes, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1);
  return bytes.subarray(at, at + random.below(256));
}

/** Another number in place of one that is written in digits, as lengths and offsets are. */
function changeNumber(bytes: Bytes, random: Random): Bytes {
  const text = Buffer.from(bytes).toString("latin1");
  const numbers = [...text.matchAll(/\d{1,10}/g)];
  if (numbers.length === 0) return bytes;
  const { index, 0: digits } = random.pick(numbers);
  const other = random.pick(["0", "1", "65536", "2147483647", "4294967296", `${digits}${digits}`]);
  return new Uint8Array(
    Buffer.from(text.slice(0, index) + other + text.slice(index + digits.length), "latin1"),
  );
}
