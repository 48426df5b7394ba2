import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { sql } from "kysely";
import { CopyReader } from "../../../db/connection/postgres.ts";
import { bytes } from "../support/fixtures.ts";
import { makePostgres } from "../support/harness.ts";

const SIGNATURE = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0];
const END = [0xff, 0xff];

function copied(values: number[][], extension: number[] = []): Uint8Array<ArrayBuffer> {
  const rows = values.flatMap((value) => [0, 1, 0, 0, 0, value.length, ...value]);
  return Uint8Array.from([
    ...SIGNATURE,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    extension.length,
    ...extension,
    ...rows,
    ...END,
  ]);
}

describe("what PostgreSQL copies out", () => {
  const values = [[1, 2, 3], [], [255, 255], Array.from({ length: 40 }, (_, i) => i)];

  test.each([1, 2, 3, 5, 7, 19, 20, 25, 64, 1000])("is read in pieces of %d bytes", (length) => {
    for (const whole of [copied(values), copied(values, [9, 9, 9]), copied([])]) {
      const reader = new CopyReader();
      for (let at = 0; at < whole.length; at += length) {
        const piece = whole.slice(at, at + length);
        reader.push(piece);
        // The driver uses its buffer again.
        piece.fill(0xaa);
      }
      const isEmpty = whole.length === copied([]).length;
      expect(reader.values.map((value) => [...value])).toEqual(isEmpty ? [] : values);
    }
  });

  test("has a buffer of its own for each value", () => {
    const reader = new CopyReader();
    reader.push(copied([[1, 2, 3], [4]]));
    expect(reader.values.map(({ buffer }) => buffer.byteLength)).toEqual([3, 1]);
  });

  testWith("PostgreSQL")("comes as it was stored, and errors as those of any query", async () => {
    const place = await makePostgres();
    const db = await place.open();
    const large = "select decode(repeat('00ff', 50000), 'hex') as value from generate_series(1, 3)";
    const [first, ...others] = (await db.copyOut?.(large)) ?? [];
    expect(first?.length).toBe(100_000);
    expect(others).toEqual([first, first]);
    expect(await db.copyOut?.("select ''::bytea where false")).toEqual([]);
    await expect(db.copyOut?.("select 1 / 0")).rejects.toMatchObject({ code: "22012" });
    // The connection is as good as before.
    expect(await db.copyOut?.("select '\\x01'::bytea")).toEqual([bytes(1, 1)]);
    expect((await sql<{ one: number }>`select 1 as one`.execute(db.query)).rows).toEqual([{ one: 1 }]);
    await db.close();
    await place.drop();
  });
});
