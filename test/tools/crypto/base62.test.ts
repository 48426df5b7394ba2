import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { BASE62, isBase62, randomBase62, systemRandom } from "../../../tools/crypto/base62.ts";

/** A source that gives every byte value in turn, and remembers the sizes it was asked for. */
function countingSource() {
  const sizes: number[] = [];
  let next = 0;
  function fill(bytes: Bytes) {
    sizes.push(bytes.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = next++ % 256;
  }
  return { fill, sizes };
}

describe("randomBase62", () => {
  test.each([0, 1, 16, 22, 32, 43, 1024])("gives exactly %i digits", (length) => {
    expect(isBase62(randomBase62(length), length)).toBe(true);
  });

  test("gives each digit equally often when each byte comes equally often", () => {
    const text = randomBase62(248 * 4, countingSource().fill);
    for (const digit of BASE62) expect(text.split(digit).length - 1).toBe(16);
  });

  test("throws away bytes from 248 on instead of folding them onto the first digits", () => {
    const bytes = [255, 248, 247, 0, 61, 62];
    const text = randomBase62(4, (into) => into.forEach((_, i) => (into[i] = bytes.shift() ?? 255)));
    expect(text).toBe("z0z0");
  });

  test("never asks for more than 65,536 bytes at once", () => {
    const source = countingSource();
    expect(randomBase62(200_000, source.fill)).toHaveLength(200_000);
    expect(Math.max(...source.sizes)).toBe(65_536);
  });

  test("does not repeat itself", () => {
    const seen = new Set(Array.from({ length: 1000 }, () => randomBase62(16)));
    expect(seen.size).toBe(1000);
  });
});

describe("isBase62", () => {
  test.each([
    ["", 0, true],
    ["0Az", 3, true],
    ["0Az", 2, false],
    ["0Az", 4, false],
    ["0A-", 3, false],
    ["0A\n", 3, false],
    ["0Aé", 3, false],
  ])("tells %j of length %i: %s", (text, length, expected) => {
    expect(isBase62(text, length)).toBe(expected);
  });
});

test("systemRandom fills more bytes than the platform gives in one call", () => {
  const bytes = systemRandom(new Uint8Array(200_001));
  expect(bytes.subarray(-64).some((byte) => byte !== 0)).toBe(true);
});
