import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { ask, assertClean, pageTexts } from "./support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "./support/pdf-made.ts";

function turns(bytes: Uint8Array): (string | undefined)[] {
  return textOf(bytes)
    .split("endobj")
    .filter((object) => /\/Type ?\/Page\b/.test(object))
    .map((object) => /\/Rotate (\S+?)[\s/>]/.exec(object)?.[1]);
}

describe("rotating a PDF", () => {
  test.each([
    [90, undefined, "90"],
    [180, undefined, "180"],
    [270, undefined, "270"],
    [-90, undefined, "270"],
    [90, "90", "180"],
    [90, "270", "0"],
    [270, "180", "90"],
    [-90, "-90", "180"],
    [90, "-90", "0"],
    [90, "450", "180"],
    [90, "45", "90"],
    [90, "/None", "90"],
    [90, "90.0", "180"],
  ] as const)("by %i turns a page with /Rotate %s to %s", async (angle, before, after) => {
    const { bytes, pages, rotated } = await rotatePdf(pagesPdf(1, { rotate: [before] }), { angle });
    expect({ pages, rotated, turns: turns(bytes) }).toEqual({ pages: 1, rotated: 1, turns: [after] });
  });

  test("adds to what a page inherits and leaves the others to inherit", async () => {
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/Rotate 90/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R>>",
      4: "<</Type/Page/Parent 2 0 R>>",
    });
    const { bytes, rotated } = await rotatePdf(file, { angle: 90, range: "2" });
    expect(rotated).toBe(1);
    expect(turns(bytes)).toEqual([undefined, "180"]);
  });

  test("turns each page of a range once, however often it is named", async () => {
    const { bytes, rotated } = await rotatePdf(pagesPdf(5), { angle: 90, range: "2,2,end-1,4" });
    expect(rotated).toBe(3);
    expect(turns(bytes)).toEqual([undefined, "90", undefined, "90", "90"]);
  });

  test("reads the range before the file", async () => {
    const failure = await refusal(() => rotatePdf(bytesOf("no PDF"), { angle: 90, range: "1,,2" }));
    expect(failure.code).toBe("invalid_range");
  });

  test("refuses a page the document does not have", async () => {
    const failure = await refusal(() => rotatePdf(pagesPdf(3), { angle: 90, range: "4" }));
    expect(failure.code).toBe("page_out_of_range");
    expect(failure.fields).toMatchObject({ page: 4, pages: 3 });
  });

  test("refuses a result over the limit it is given", async () => {
    const failure = await refusal(() => rotatePdf(pagesPdf(9), { angle: 90, maxBytes: 100 }));
    expect(failure.code).toBe("result_too_large");
  });

  test.each([
    ["text", "just a text", "wrong_file_type"],
    ["HTML", "<!DOCTYPE html><html><body>endob</body></html>", "wrong_file_type"],
    ["a PNG", "\x89PNG\r\n\x1a\n", "wrong_file_type"],
    ["a bare header", "%PDF-1.7\n", "damaged_file"],
  ])("refuses %s", async (_, text, code) => {
    expect((await refusal(() => rotatePdf(bytesOf(text), { angle: 90 }))).code).toBe(code);
  });
});

describe("a damaged PDF", () => {
  const whole = textOf(pagesPdf(3));
  test.each([
    ["without startxref", whole.replace(/startxref\n\d+/, "")],
    ["with a wrong startxref", whole.replace(/startxref\n\d+/, "startxref\n7")],
    ["cut off behind its objects", whole.slice(0, whole.indexOf("xref\n"))],
    ["with bytes lost in the middle", whole.replace("Helvetica", "Helv")],
    ["with wrong lengths", whole.replace(/\/Length \d+/g, "/Length 999999")],
    ["with rubbish before the header", `rubbish\n${whole}`],
    ["with a wrong page count", whole.replace("/Count 3", "/Count 99999999")],
  ])("%s is still turned", async (_, text) => {
    const { bytes, pages } = await rotatePdf(bytesOf(text), { angle: 90 });
    expect(pages).toBe(3);
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(["Page 1", "Page 2", "Page 3"]);
  });

  test("is said to be repaired", async () => {
    const { warnings } = await rotatePdf(bytesOf(whole.replace("xref\n0", "xrxx\n0")), { angle: 90 });
    expect(warnings).toContainEqual({ code: "xref_rebuilt" });
  });
});

test("a hybrid file gives the objects its table calls free", async () => {
  const { bytes, pages, warnings } = await rotatePdf(hybridPdf(), { angle: 90 });
  expect({ pages, warnings }).toEqual({ pages: 1, warnings: [] });
  expect(await pageTexts(bytes)).toEqual(["Hidden words"]);
  expect(textOf(bytes)).toContain("/BaseFont/Helvetica");
});

/** The font is in an object stream that only the cross-reference stream beside the table knows. */
function hybridPdf(): Bytes {
  const packed = "5 0 <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
  const plain = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    4: stream("BT /F1 18 Tf 20 40 Td (Hidden words) Tj ET"),
    6: stream(packed, "/Type/ObjStm/N 1/First 4"),
  });
  const text = textOf(plain);
  const start = text.lastIndexOf("xref\n0");
  const entry = `7 0 obj\n${stream("\x02\x06\x00", "/Type/XRef/W[1 1 1]/Size 8/Index[5 1]")}\nendobj\n`;
  const table = text
    .slice(start)
    .replace(/\/Root/, `/XRefStm ${start}/Root`)
    .replace(/startxref\n\d+/, `startxref\n${start + entry.length}`);
  return bytesOf(text.slice(0, start) + entry + table);
}

testWith("qpdf")(
  "qpdf finds nothing wrong and the same pages, from any kind of cross-reference",
  async () => {
    const plain = pagesPdf(7);
    const packed = await rotatePdf(plain, { angle: 90 });
    assertClean(packed.bytes);
    for (const bytes of [plain, bytesOf(textOf(plain).replace("%PDF-1.4", "%PDF-1.6"))]) {
      const { bytes: once } = await rotatePdf(bytes, { angle: 90 });
      const { bytes: twice } = await rotatePdf(once, { angle: -90 });
      assertClean(once);
      assertClean(twice);
      expect(ask(twice, ["qpdf", "--show-npages", "@"]).trim()).toBe("7");
    }
  },
);

describe("what a program put into the trailer for itself", () => {
  const page = "<</Type/Page/Parent 2 0 R>>";
  const objects = {
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
    3: page,
    4: page,
    5: stream("the document this was made from"),
  };
  const trailer = "/AdditionalStreams[/application#2fodt 5 0 R]/Prev 7/DL 3/F 1/W[1]";
  const hybrid = (version: string) => makePdf(objects, { trailer, version });

  test.each(["1.4", "1.7"])("stays in a PDF %s that is whole", async (version) => {
    const { bytes } = await rotatePdf(hybrid(version), { angle: 90 });
    expect(textOf(bytes)).toContain("made from");
    expect(textOf(bytes)).toMatch(/\/AdditionalStreams \[ \/application#2fodt \d+ 0 R \]/);
    expect(textOf(bytes)).not.toMatch(/\/Prev|\/DL/);
    expect((await rotatePdf(bytes, { angle: 90 })).pages).toBe(2);
    assertClean(bytes);
  });

  test("is let go where it cannot be read, and nothing else is read anew for that", async () => {
    const sound = makePdf(objects, { trailer: "/Foo 5 0 R" });
    const place = textOf(sound).indexOf("5 0 obj");
    const entry = String(place).padStart(10, "0");
    const { bytes, warnings } = await rotatePdf(
      bytesOf(textOf(sound).replace(entry, String(place + 9).padStart(10, "0"))),
      { angle: 90 },
    );
    expect(warnings).toEqual([]);
    expect(textOf(bytes)).not.toMatch(/made from|Foo/);
  });

  test("goes with a page", async () => {
    const { bytes } = await splitPdf(hybrid("1.4"), { mode: "keep", range: "1" });
    expect(textOf(bytes)).not.toMatch(/made from|AdditionalStreams/);
  });
});
