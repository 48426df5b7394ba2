import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../wire/bytes.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { markOf } from "./support/marked-page.ts";
import { markedPdf } from "./support/marked-pdf.ts";
import { assertClean, clearText } from "./support/judges.ts";

const { bytes: file, places } = markedPdf(2);

function clear(bytes: Uint8Array): string {
  // qpdf writes what is irregular in names as #xx.
  return clearText(bytes).replaceAll("#3a", ":").replaceAll("#3A", ":");
}

function missing(text: string, page: number): string[] {
  return places.filter((place) => !text.includes(markOf(page, place)));
}

async function firstOfEach(bytes: Bytes): Promise<Uint8Array> {
  const { bytes: zip } = await splitPdf(bytes, { mode: "each" });
  return unzipSync(zip)["page-001.pdf"]!;
}

const WAYS: readonly [string, (bytes: Bytes) => Promise<Uint8Array>][] = [
  ["keep 1", async (bytes) => (await splitPdf(bytes, { mode: "keep", range: "1" })).bytes],
  ["drop 2", async (bytes) => (await splitPdf(bytes, { mode: "drop", range: "2" })).bytes],
  ["each", firstOfEach],
  ["a merge of page 1 alone", async (data) => (await mergePdf([{ data, range: "1" }])).bytes],
  [
    "a merge of page 1 behind another file",
    async (data) => (await mergePdf([{ data: (await only(data)).bytes }, { data, range: "1" }])).bytes,
  ],
];

function only(bytes: Bytes) {
  return splitPdf(bytes, { mode: "keep", range: "1" });
}

describe("a document with a mark of each page in every place", () => {
  test("has all of them", () => {
    expect(places.length).toBeGreaterThan(55);
    for (const page of [1, 2]) expect(missing(clear(file), page)).toEqual([]);
  });

  test.each(WAYS)("after %s has nothing of page 2 and all of page 1", async (_, work) => {
    const bytes = await work(file);
    const text = clear(bytes);
    expect([...new Set(text.match(/OFPAGE2:[a-z-]+:?/g) ?? [])]).toEqual([]);
    expect(missing(text, 1)).toEqual([]);
    assertClean(bytes);
  });

  test("is the same the other way round", async () => {
    const { bytes } = await splitPdf(file, { mode: "keep", range: "2" });
    expect(clear(bytes)).not.toContain("OFPAGE1");
    expect(missing(clear(bytes), 2)).toEqual([]);
  });
});
