import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { expect, test } from "vitest";
import { type Comparison, compareFile, summaryOf } from "../../bench/corpora/compare.ts";
import { soundNumbers } from "../../bench/corpora/document.ts";
import { findJudges, type Judges } from "../../bench/corpora/facts.ts";
import { comparePicture, PICTURE_CALLS, type PictureCall } from "../../bench/corpora/pictures.ts";
import { PDF_CALLS, type ToolCall } from "../../bench/corpora/tools.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { testWith } from "../machine/skips.ts";
import { nodePath } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { bytesOf, makePdf, pagesPdf, stream, textOf } from "../tools/pdf/support/pdf-made.ts";

const AUTHOR = "Somebody who wrote this";
const judges: Judges = await findJudges(() => undefined);
const testWithAll = testWith("qpdf", "poppler", "mutool");

/** One page with a link, a field, a bookmark, a tag, an attachment and an author. */
const SAMPLE = makePdf(
  {
    1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 3 0 R>>>>>>/Outlines 8 0 R/Names<</EmbeddedFiles<</Names[(a.txt) 10 0 R]>>>>/StructTreeRoot 12 0 R/MarkInfo<</Marked true>>>>",
    2: "<</Type/Pages/Count 1/Kids[4 0 R]/MediaBox[0 0 200 100]>>",
    3: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    4: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R 7 0 R]/StructParents 0/Resources<</Font<</F1 3 0 R>>>>>>",
    5: stream("/P<</MCID 0>>BDC BT /F1 18 Tf 20 40 Td (Hello world) Tj ET EMC"),
    6: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Border[0 0 0]/A<</S/URI/URI(https://example.org/)>>>>",
    7: "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(value)/Rect[100 0 180 20]/P 4 0 R/AP<</N 14 0 R>>>>",
    8: "<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>",
    9: "<</Title(Chapter)/Parent 8 0 R/Dest[4 0 R/Fit]>>",
    10: "<</Type/Filespec/F(a.txt)/EF<</F 11 0 R>>>>",
    11: stream("attached", "/Type/EmbeddedFile"),
    12: "<</Type/StructTreeRoot/K 13 0 R/ParentTree<</Nums[0[13 0 R]]>>>>",
    13: "<</Type/StructElem/S/P/P 12 0 R/Pg 4 0 R/K 0>>",
    14: stream(
      "BT /F1 9 Tf 2 5 Td (value) Tj ET",
      "/Subtype/Form/BBox[0 0 80 20]/Resources<</Font<</F1 3 0 R>>>>",
    ),
    15: `<</Author(${AUTHOR})>>`,
  },
  { trailer: "/Info 15 0 R" },
);

/** The calls as they are, but with a result of the same length in which one text stands for another. */
function planted(name: string, change: (text: string) => string): ToolCall[] {
  const work = async (file: Bytes) => ({ bytes: bytesOf(change(textOf(file))), warnings: [] });
  return PDF_CALLS.filter((call) => call.name === name).map((call) => ({ ...call, work }));
}

async function compare(file: Bytes, calls: readonly ToolCall[]): Promise<Comparison[]> {
  const folder = makeTempFolder();
  const path = join(folder, "original.pdf");
  writeFileSync(path, file);
  return compareFile({ folder, path, file, judges }, calls);
}

testWithAll("finds nothing lost by any call on a file that has one of everything", async () => {
  const compared = await compare(SAMPLE, PDF_CALLS);
  const shown = compared.map(({ call, result, differences }) => ({ call, result, differences }));
  expect(shown.filter(({ result }) => result === "LOST" || result === "refused")).toEqual([]);
  expect(compared.map(({ call }) => call.split(" ")[0])).toEqual(
    expect.arrayContaining([
      ...["pdf-rotate", "pdf-unlock", "pdf-lock", "pdf-merge", "pdf-split", "pdf-compress", "pdf-clean"],
    ]),
  );
});

test("reads numbers that qpdf writes as JSON does not have them, and no texts as such", () => {
  const read = (json: string): unknown => JSON.parse(soundNumbers(json));
  expect(read('{\n  "a": [\n    -0.,\n    12.,\n    0.5\n  ],\n  "b: \\"": 3.\n}')).toEqual({
    a: [-0, 12, 0.5],
    'b: "': 3,
  });
  expect(read('{\n  "a": "u:7.",\n  "b": "u: \\": 7."\n}')).toEqual({ a: "u:7.", b: 'u: ": 7.' });
});

testWithAll.each([
  ["text", /Hello world/, "Hello", /^LOST: (over 20 % )?LESS text in poppler/],
  ["a link", /\/A<<\/S\/URI.*?>>/, "", /^LOST: links: 1 of 1 missing/],
  ["a field", /\/T\(name\)/, "", /^LOST: fields: 1 of 1 missing/],
  ["a value", /\/V\(value\)/, "", /^LOST: values: 1 of 1 missing/],
  ["a bookmark", /\/Outlines 8 0 R/, "", /^LOST: bookmarks: 1 of 1 missing/],
  ["an attachment", /\/Names\[\(a\.txt\) 10 0 R\]/, "/Names[]", /^LOST: attachments: 1 of 1 missing/],
  ["a tag", /\/K 13 0 R/, "", /^LOST: tags: \d of \d missing/],
  ["pixels", /18 Tf/, "9 Tf", /^LOST: page looks 0\.\d+ in poppler and MuPDF/],
  ["the syntax", /startxref\n\d+/, "startxref\n9", /^LOST: qpdf --check: warned of/],
] as const)("tells of a result that has lost %s", async (_, found, instead, told) => {
  const [compared] = await compare(
    SAMPLE,
    planted("pdf-split all pages", (text) =>
      // Of the same length, so that all else is where it was.
      text.replace(found, (all) => instead.padEnd(all.length)),
    ),
  );
  expect(compared?.result).toBe("LOST");
  expect(compared?.differences).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
});

testWithAll("tells what is left of what was to go", async () => {
  const [compared] = await compare(
    SAMPLE,
    planted("pdf-clean", (text) => `${text}\n`),
  );
  expect(compared?.differences).toEqual([
    `LOST: metadata left: /Author, /Info, a text of ${AUTHOR.length} letters`,
    "LOST: attachments left: /EF, /EmbeddedFiles, /Type /EmbeddedFile",
  ]);
});

testWithAll("counts what a warning tells of as a difference, and no loss", async () => {
  const [call] = planted("pdf-split all pages", (text) => text.replace("/K 13 0 R", " ".repeat(9)));
  const telling = async (file: Bytes) => ({
    ...(await call!.work(file)),
    warnings: [{ code: "tags_not_repeated" }],
  });
  const compared = await compare(SAMPLE, [{ ...call!, work: telling }]);
  expect(compared[0]?.result).toBe("differs");
  expect(summaryOf(compared)[1]).toMatch(/^pdf-split all pages +0 +1 +0 +0 +1\.000$/);
});

testWithAll("tells of a picture that came out as another, and of metadata in it", async () => {
  const folder = makeTempFolder();
  const path = join(folder, "original.png");
  const [file, other] = await Promise.all([picture(200), picture(40)]);
  writeFileSync(path, file);
  const [strip] = PICTURE_CALLS.filter(({ name }) => name.endsWith("strip"));
  const made = async () => ({ bytes: other, warnings: [] });
  const planned: PictureCall[] = [strip!, { ...strip!, work: made }];
  const [sound, lost] = await comparePicture({ folder, path, file, judges }, planned);
  expect(sound?.result).toBe("same");
  expect(lost?.differences).toEqual([
    "LOST: metadata left: xmp",
    expect.stringMatching(/^LOST: looks 0\.\d+ in MuPDF$/),
  ]);
});

/** Gray, of this level, with a drawing and XMP. */
async function picture(level: number): Promise<Bytes> {
  const data = Uint8Array.from({ length: 64 * 64 }, (_, i) => (i % 64 < 32 ? level : i % 255));
  const raw = sharp(data, { raw: { width: 64, height: 64, channels: 1 } });
  return new Uint8Array(await raw.png().withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>").toBuffer());
}

test("runs over a folder, says once which programs are missing, and ends with 0 where nothing is lost", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "pages.pdf"), pagesPdf(2));
  writeFileSync(join(folder, "picture.png"), await picture(200));
  const { status, stdout } = runCorpora([folder], { PATH: folder });
  const lines = stdout.split("\n");
  expect(lines.filter((line) => line.includes("is not here")).map((line) => line.split(" ")[0])).toEqual([
    "qpdf",
    "poppler",
    "mutool",
  ]);
  expect(lines).toContain("files 0 to 2 of 2");
  expect(lines.filter((line) => /^(pdf|image)-/.test(line)).length).toBeGreaterThan(10);
  expect(status).toBe(0);
});

test("ends with 2 and its usage without a folder", () => {
  const { status, stderr } = runCorpora([], {});
  expect([status, stderr]).toEqual([2, expect.stringContaining("npm run corpora -- FOLDER")]);
});

function runCorpora(args: readonly string[], env: Readonly<Record<string, string>>) {
  const program = fileURLToPath(new URL("../../bench/corpora.ts", import.meta.url));
  const all = { ...process.env, ...env };
  return spawnSync(nodePath(), ["--no-warnings", program, ...args], { encoding: "utf8", env: all });
}
