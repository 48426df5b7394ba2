// slow
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { collect } from "../support/pieces.ts";
import { collectBytes, cutChunks, mapInOrder } from "../../../tools/crypto/chunks.ts";

async function* piecesOf(lengths: readonly number[]): AsyncGenerator<Bytes> {
  let next = 0;
  for (const length of lengths) yield Uint8Array.from({ length }, () => next++ % 256);
}

async function lengthsOf(source: Parameters<typeof cutChunks>[0], options: Parameters<typeof cutChunks>[1]) {
  const chunks = await collect(cutChunks(source, options));
  expect(chunks.map((chunk) => chunk.index)).toEqual(chunks.map((_, i) => i));
  expect(chunks.map((chunk) => chunk.isLast)).toEqual(chunks.map((_, i) => i === chunks.length - 1));
  const bytes = chunks.flatMap((chunk) => [...chunk.bytes]);
  expect(bytes).toEqual(bytes.map((_, i) => i % 256));
  return chunks.map((chunk) => chunk.bytes.length);
}

describe("cutChunks", () => {
  test.each([
    [[], [0]],
    [[0], [0]],
    [[0, 0, 0], [0]],
    [[1], [1]],
    [[9], [9]],
    [[10], [10]],
    [[10, 0, 0], [10]],
    [[11], [10, 1]],
    [[20], [10, 10]],
    [
      [10, 10],
      [10, 10],
    ],
    [
      [3, 3, 3, 3],
      [10, 2],
    ],
    [
      [0, 25, 0, 5],
      [10, 10, 10],
    ],
    [Array<number>(31).fill(1), [10, 10, 10, 1]],
  ])("cuts pieces of %j into chunks of %j", async (pieces, expected) => {
    expect(await lengthsOf(piecesOf(pieces), { sizeBytes: 10 })).toEqual(expected);
  });

  test.each([
    [[2], [2]],
    [[3], [3]],
    [[4], [3, 1]],
    [[13], [3, 10]],
    [[14], [3, 10, 1]],
    [
      [2, 2, 2, 8],
      [3, 10, 1],
    ],
  ])("cuts pieces of %j with a shorter first chunk into %j", async (pieces, expected) => {
    expect(await lengthsOf(piecesOf(pieces), { firstBytes: 3, sizeBytes: 10 })).toEqual(expected);
  });

  test("takes whole bytes too", async () => {
    const bytes = Uint8Array.from({ length: 25 }, (_, i) => i);
    expect(await lengthsOf(bytes, { sizeBytes: 10 })).toEqual([10, 10, 5]);
  });

  test("stops its source when it is stopped", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Bytes> {
      try {
        while (true) yield new Uint8Array(7);
      } finally {
        isClosed = true;
      }
    }
    for await (const chunk of cutChunks(endless(), { sizeBytes: 10 })) if (chunk.index === 2) break;
    expect(isClosed).toBe(true);
  });
});

describe("mapInOrder", () => {
  async function* count(to: number) {
    for (let i = 0; i < to; i++) yield i;
  }

  test("gives results in order though later ones are ready first, and never works on more at a time", async () => {
    let running = 0;
    let most = 0;
    async function work(item: number) {
      most = Math.max(most, ++running);
      for (let i = 0; i < 20 - item; i++) await Promise.resolve();
      running--;
      return item * 2;
    }
    const results = await collect(mapInOrder(count(20), 3, work));
    expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i * 2));
    expect(most).toBe(3);
  });

  test("throws the first failure in order, and leaves no later one unwatched", async () => {
    async function work(item: number) {
      if (item === 1) await new Promise((resolve) => setTimeout(resolve, 5));
      if (item > 0) throw new Error(`item ${item}`);
      return item;
    }
    const results = collect(mapInOrder(count(9), 4, work));
    await expect(results).rejects.toThrow("item 1");
  });
});

describe("collectBytes", () => {
  const MIB = 2 ** 20;
  /** Pieces of one MiB, each of them of one number, and a shorter one. */
  async function* megabytes(length: number): AsyncGenerator<Bytes> {
    for (let at = 0; at < length; at += MIB)
      yield new Uint8Array(Math.min(MIB, length - at)).fill(at / MIB + 1);
  }

  async function checkBytes(length: number, expected?: number): Promise<void> {
    const bytes = await collectBytes(megabytes(length), expected);
    expect(bytes.length).toBe(length);
    const numbers = Array.from({ length: Math.ceil(length / MIB) }, (_, i) => (i + 1) % 256);
    expect(numbers.map((_, i) => bytes[i * MIB])).toEqual(numbers);
    expect(numbers.map((_, i) => bytes[Math.min((i + 1) * MIB, length) - 1])).toEqual(numbers);
  }

  test.each([0, 1, MIB, MIB + 1, 3 * MIB - 1])(
    "gathers %i bytes, whatever length was expected",
    async (length) => {
      for (const expected of [undefined, length, 5, 2 * MIB]) await checkBytes(length, expected);
    },
  );

  // So many as the room that is taken at once, and more.
  test.each([256 * MIB, 258 * MIB + 1])("gathers %i bytes", (length) => checkBytes(length));
});
