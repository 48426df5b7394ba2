import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../../wire/bytes.ts";
import { splitPdf } from "../../../../tools/pdf-split.ts";
import { assertClean } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, stream, textOf } from "../support/pdf-made.ts";

/** Two pages that share fonts; the packed content of the first is changed by `damage`. */
function sharingPdf(damage: (data: Uint8Array) => Uint8Array, filter = "/FlateDecode"): Bytes {
  const lines = Array.from({ length: 400 }, (_, i) => `/F${(i % 3) + 1} 9 Tf 0 9 Td (line ${i * 7919}) Tj`);
  const packed = textOf(damage(Uint8Array.from(deflateSync(`BT 9 9 Td ${lines.join("\n")} ET`))));
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 200 100]/Resources 9 0 R>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R>>",
    4: "<</Type/Page/Parent 2 0 R/Contents 6 0 R>>",
    5: stream(packed, `/Filter${filter}`),
    6: stream("BT /F4 9 Tf (other) Tj ET"),
    9: "<</Font<</F1 11 0 R/F2 12 0 R/F3 13 0 R/F4 14 0 R>>>>",
    ...Object.fromEntries(
      [11, 12, 13, 14].map((num) => [num, `<</Type/Font/Subtype/Type1/BaseFont/FONT${num}>>`]),
    ),
  });
}

function fontsIn(bytes: Uint8Array): string[] {
  return [...new Set(textOf(bytes).match(/FONT\d+/g) ?? [])].sort();
}

describe("content that shares its resources", () => {
  const all = ["FONT11", "FONT12", "FONT13", "FONT14"];

  test("gives up what it does not name while it is sound", async () => {
    const { bytes, warnings } = await splitPdf(
      sharingPdf((data) => data),
      { mode: "keep", range: "1" },
    );
    expect(fontsIn(bytes)).toEqual(["FONT11", "FONT12", "FONT13"]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["a flipped byte at its start", (data: Uint8Array) => data.with(6, data[6]! ^ 255)],
    [
      "a flipped byte in its middle",
      (data: Uint8Array) => data.with(data.length >> 1, data[data.length >> 1]! ^ 1),
    ],
    ["a wrong checksum", (data: Uint8Array) => data.with(data.length - 1, data.at(-1)! ^ 1)],
    ["half of it gone", (data: Uint8Array) => data.subarray(0, data.length >> 1)],
  ])("with %s keeps all that it might use, and this is said", async (_, damage) => {
    const { bytes, warnings } = await splitPdf(sharingPdf(damage), { mode: "keep", range: "1" });
    expect(fontsIn(bytes)).toEqual(all);
    expect(warnings).toContainEqual({ code: "content_unreadable" });
  });

  test.each([
    ["a filter nobody knows", "/UnknownDecode"],
    ["more filters than are read", "[/FlateDecode/Crypt/Crypt/Crypt/Crypt]"],
  ])("with %s keeps all as well", async (_, filter) => {
    const file = sharingPdf((data) => data, filter);
    const { bytes, warnings } = await splitPdf(file, { mode: "keep", range: "1" });
    expect(fontsIn(bytes)).toEqual(all);
    expect(warnings).toContainEqual({ code: "content_unreadable" });
  });

  test("may be a few bytes short of its checksum", async () => {
    const { bytes } = await splitPdf(
      sharingPdf((data) => data.subarray(0, -3)),
      { mode: "keep", range: "1" },
    );
    expect(fontsIn(bytes)).toEqual(["FONT11", "FONT12", "FONT13"]);
  });

  test("that has become another object is taken from its page, with a warning", async () => {
    const text = textOf(sharingPdf((data) => data)).replace(/\n6 0 obj\n<<[^]*?endobj/, (object) =>
      "\n6 0 obj\n<e70>\nendobj".padEnd(object.length),
    );
    const { bytes, warnings } = await splitPdf(bytesOf(text), { mode: "keep", range: "1-2" });
    expect(warnings).toContainEqual({ code: "content_unreadable" });
    assertClean(bytes);
  });

  test.each([
    ["a string without an end", "BT /F1 9 Tf (open Tj ET /F2 9 Tf"],
    ["a bracket too many", "BT /F1 9 Tf ] /F2 9 Tf (a) Tj ET"],
    ["an inline image", "BI /W 1 /H 1 /BPC 8 /CS /G ID ( EI BT /F1 9 Tf /F2 9 Tf ET"],
    ["an array without an end", "[ /F1 9 Tf /F2 9 Tf"],
  ])("with %s keeps every name in it", async (_, content) => {
    const file = bytesOf(
      textOf(sharingPdf((data) => data)).replace(/6 0 R>>\nendobj\n5 0 obj/, "6 0 R>>\nendobj\n5 0 obj"),
    );
    const other = bytesOf(textOf(file).replace("BT /F4 9 Tf (other) Tj ET", content.padEnd(25)));
    const { bytes } = await splitPdf(other, { mode: "keep", range: "2" });
    expect(fontsIn(bytes)).toEqual(["FONT11", "FONT12"]);
  });

  test("may be divided anywhere between its streams", async () => {
    const text = textOf(sharingPdf((data) => data));
    const divided = text
      .replace("/Contents 6 0 R", "/Contents[6 0 R 15 0 R]")
      .replace("xref\n", `15 0 obj\n${stream("9 Tf (other) Tj ET")}\nendobj\nxref\n`)
      .replace("BT /F4 9 Tf (other) Tj ET", "BT /F4".padEnd(25))
      .replace(/startxref[^]*/, "");
    const { bytes } = await splitPdf(bytesOf(divided), { mode: "keep", range: "2" });
    expect(fontsIn(bytes)).toEqual(["FONT14"]);
  });
});

test("a stream may begin behind a vertical tab where its line should end", async () => {
  const { bytes } = await splitPdf(bytesOf(textOf(pagesPdf(1)).replace("stream\nBT", "stream\vBT")), {
    mode: "keep",
    range: "1",
  });
  expect(textOf(bytes)).toContain("stream\nBT /F1");
  assertClean(bytes);
});
