import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countPages, countParts } from "../../../tools/pdf/count-pages.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { chapters } from "./support/chapters.ts";
import { bytesOf, pagesPdf } from "./support/pdf-made.ts";

const locked = new Uint8Array(readFileSync(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url)));

test("counts the pages of a PDF", async () => {
  expect(await countPages({ file: pagesPdf(7) })).toBe(7);
  expect(await countPages({ file: locked, password: "geheim" })).toBe(1);
});

test("says why a PDF does not open", async () => {
  await expect(countPages({ file: locked })).rejects.toMatchObject({ code: "password_required" });
  await expect(countPages({ file: locked, password: "x" })).rejects.toMatchObject({ code: "password_wrong" });
  await expect(countPages({ file: bytesOf("no PDF") })).rejects.toMatchObject({ code: "wrong_file_type" });
});

test("says how many files bookmarks make of a PDF, as the split does", async () => {
  expect(await countParts({ file: chapters() })).toEqual({ pages: 6, byBookmarks: 4 });
  expect(await splitPdf(chapters(), { mode: "bookmarks" })).toMatchObject({ parts: 4 });
  expect(await countParts({ file: pagesPdf(3) })).toEqual({ pages: 3, byBookmarks: 0 });
  await expect(countParts({ file: locked })).rejects.toMatchObject({ code: "password_required" });
});
