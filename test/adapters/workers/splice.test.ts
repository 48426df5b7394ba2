// What a worker leaves out of its answer because the server has it, and what the server makes of that.
import { describe, expect, test } from "vitest";
import { joinResult, spliceResult } from "../../../adapters/workers/splice.ts";
import { ByteParts, ByteStream } from "../../../wire/byte-pieces.ts";
import { joinBytes, type Bytes } from "../../../wire/bytes.ts";
import { fc } from "../../support/properties.ts";

const FRAME = Uint8Array.from({ length: 900_000 }, (_, i) => (i * 2_654_435_761) >>> 24);

/** The frame as the server has it: in parts, each with a buffer of its own. */
function sentParts(...cuts: readonly number[]): Bytes[] {
  return [0, ...cuts].map((from, i) => FRAME.slice(from, cuts[i] ?? FRAME.length));
}

interface Spliced {
  readonly data: { readonly places: readonly number[]; readonly added: ByteParts };
}

/** As the pipe hands it over. */
function received(spliced: unknown): unknown {
  const { data, ...facts } = spliced as Spliced;
  return { ...facts, data: { places: data.places, added: joinBytes(data.added.parts) } };
}

async function joined(parts: readonly Uint8Array[], sent: readonly Uint8Array[]): Promise<Bytes> {
  const spliced = spliceResult({ name: "a.pdf", data: new ByteParts(parts) }, FRAME);
  const result = joinResult(received(spliced), sent) as { name: string; data: ByteStream };
  expect(result).toMatchObject({ name: "a.pdf", data: expect.any(ByteStream) });
  const pieces: Uint8Array[] = [];
  // A writer frees what has left.
  for await (const piece of result.data.pieces) {
    pieces.push(piece.slice());
    if (piece.length === piece.buffer.byteLength) piece.buffer.transfer(0);
  }
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(80_000);
  const whole = joinBytes(pieces);
  expect(result.data.length).toBe(whole.length);
  return whole;
}

test("places and new bytes come back in order, also where places meet, repeat, or lie in two parts", async () => {
  const header = Uint8Array.of(1, 2, 3);
  const views = [FRAME.subarray(10, 400_000), FRAME.subarray(400_000, 700_000), FRAME.subarray(10, 400_000)];
  const parts = [header, ...views, header, header, FRAME.subarray(5, 20)];
  for (const sent of [sentParts(), sentParts(3, 10, 399_990), sentParts(400_000)])
    expect(await joined(parts, sent)).toEqual(joinBytes(parts));
  // Those that meet are one.
  const { data } = spliceResult({ data: new ByteParts(parts) }, FRAME) as Spliced;
  expect(data.places).toEqual([-1, 3, 10, 699_990, 10, 399_990, -1, 21]);
});

test("any parts come back as they were", async () => {
  const piece = fc.record({ from: fc.nat(600_000), length: fc.nat(300_000), isNew: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.nat(900_000), async (pieces, cut) => {
      const parts = pieces.map(({ from, length, isNew }) =>
        isNew ? FRAME.slice(from, from + Math.min(length, 9000)) : FRAME.subarray(from, from + length),
      );
      parts.push(FRAME.subarray(0, 600_000));
      expect(await joined(parts, sentParts(cut))).toEqual(joinBytes(parts));
    }),
    { numRuns: 30 },
  );
});

describe("is left as it is", () => {
  test.each<[string, unknown]>([
    ["a result without bytes", { rows: 3 }],
    ["no object", "text"],
    ["bytes that are no parts", { data: FRAME.slice(0, 5) }],
    ["a result of which little was sent", { data: new ByteParts([FRAME.subarray(0, 200_000)]) }],
    [
      "a result that is new for the most part",
      { data: new ByteParts([new Uint8Array(2e6), FRAME.subarray(0, 3e5)]) },
    ],
    ["another buffer", { data: new ByteParts([FRAME.slice()]) }],
  ])("%s", (_, result) => {
    expect(spliceResult(result, FRAME)).toBe(result);
  });
});

test.each([
  ["past the end", [800_000, 200_000]],
  ["before the beginning", [-5, 10]],
  ["without a length", [5]],
  ["in no numbers", ["a", "b"]],
  ["of new bytes that did not come", [-1, 5]],
  ["of more than two gibibytes", Array.from({ length: 2400 }, () => [0, 900_000]).flat()],
])("places %s are refused", (_, places) => {
  expect(() => joinResult({ data: { places, added: new Uint8Array(4) } }, sentParts(300_000))).toThrow(
    TypeError,
  );
});
