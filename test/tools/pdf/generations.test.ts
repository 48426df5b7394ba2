import { expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { cleanPdf } from "../../../tools/pdf-clean.ts";
import { compressPdf } from "../../../tools/pdf-compress.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { REMOVABLE } from "../../../tools/file/document-options.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { markedPdf } from "./support/marked-pdf.ts";
import { bytesOf, textOf } from "./support/pdf-made.ts";

// A number that was freed and is used again has another generation (ISO 32000-1, 7.3.10). The marked document has
// something in every place that a page can own.
const PLAIN = markedPdf(4).bytes;
const REUSED = bytesOf(
  textOf(PLAIN)
    .replaceAll(/\b0 obj\n/g, "3 obj\n")
    .replaceAll(/\b(\d+) 0 R\b/g, "$1 3 R")
    .replaceAll(" 00000 n ", " 00003 n "),
);

const codec = createSharpCodec();

type Tool = (pdf: Bytes) => Promise<{ readonly bytes: Bytes }>;

test.each<[string, Tool]>([
  ["rotate", (pdf) => rotatePdf(pdf, { angle: 90 })],
  ["keep", (pdf) => splitPdf(pdf, { mode: "keep", range: "2-3" })],
  ["keep pages twice", (pdf) => splitPdf(pdf, { mode: "keep", range: "2,2,4" })],
  ["each page", (pdf) => splitPdf(pdf, { mode: "each" })],
  ["split by bookmarks", (pdf) => splitPdf(pdf, { mode: "bookmarks" })],
  ["merge", (pdf) => mergePdf([{ data: pdf }, { data: pdf, range: "1-2" }], { bookmarks: true })],
  ["clean", (pdf) => cleanPdf(pdf)],
  ["clean all", (pdf) => cleanPdf(pdf, { remove: REMOVABLE })],
  ["clean and linearize", (pdf) => cleanPdf(pdf, { remove: ["none"], linearize: true })],
  ["compress", (pdf) => compressPdf(pdf, { codec })],
])("%s gives the same where numbers of objects are used again", async (_, work) => {
  const [plain, reused] = [await work(PLAIN), await work(REUSED)];
  expect(withoutIds(reused.bytes)).toBe(withoutIds(plain.bytes));
});

function withoutIds(bytes: Bytes): string {
  return textOf(bytes).replaceAll(/\/ID ?\[[^\]]*\]/g, "");
}
