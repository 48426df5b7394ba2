import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { testWith } from "../../../machine/skips.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../../tools/pdf-unlock.ts";
import { ask, assertClean, clearText, hasQpdf, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, stream, textOf } from "../support/pdf-made.ts";

describe("an object that the cross-reference does not lead to", () => {
  const sound = textOf(pagesPdf(2));
  const entry = (num: number): string =>
    `${String(sound.indexOf(`\n${num} 0 obj`) + 1).padStart(10, "0")} 00000 n `;

  test.each([
    ["has another generation", sound.replace(entry(5), entry(5).replace("00000 n", "00007 n"))],
    ["is called free", sound.replace(entry(5), "0000000000 00001 f ")],
    ["has no place", sound.replace(entry(5), "0000000000 00000 n ")],
    ["is not in the table", sound.replace(/xref\n0 (\d+)\n[^]*?trailer/, (all) => missing(all, 5))],
  ])("is found though it %s, and this is said", async (_, text) => {
    const { bytes, warnings } = await rotatePdf(bytesOf(text), { angle: 90 });
    expect(warnings).toEqual([{ code: "objects_found" }]);
    expect(await pageTexts(bytes)).toEqual(["Page 1", "Page 2"]);
    assertClean(bytes);
  });

  test("stays deleted when an update has deleted it", async () => {
    const start = Number(/startxref\n(\d+)/.exec(sound)![1]);
    const update = `xref\n5 1\n0000000000 00001 f \ntrailer\n<</Size 8/Root 1 0 R/Prev ${start}>>\nstartxref\n${sound.length}\n%%EOF\n`;
    const { bytes, warnings } = await rotatePdf(bytesOf(sound + update), { angle: 90 });
    expect(warnings).toEqual([]);
    expect(textOf(bytes)).not.toContain("(Page 1)");
    expect(textOf(bytes)).toContain("(Page 2)");
  });

  test("stays away when its number was given to another", async () => {
    const text = sound.replace("5 0 R", "5 1 R");
    const { bytes } = await rotatePdf(bytesOf(text), { angle: 90 });
    expect(textOf(bytes)).not.toContain("(Page 1)");
  });
});

/** The same table in two sections, without the entry of one object. */
function missing(table: string, num: number): string {
  const lines = table.split("\n").slice(2, -1);
  const before = lines.slice(0, num);
  const after = lines.slice(num + 1);
  return `xref\n0 ${num}\n${before.join("\n")}\n${num + 1} ${after.length}\n${after.join("\n")}\ntrailer`;
}

describe("a cross-reference stream", () => {
  /** The same two pages with a cross-reference stream, which has one row more than it needs. */
  function indexed(filter: string, change = (rows: Uint8Array): Uint8Array => rows): Bytes {
    const text = textOf(pagesPdf(2)).replace(/xref\n0[^]*/, "");
    const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((num) => {
      const at = text.indexOf(`\n${num} 0 obj`) + 1;
      return at === 0 ? [0, 0, 0, 0] : [1, at >> 8, at & 255, 0];
    });
    const data = textOf(change(Uint8Array.from(rows)));
    const dict = `/Type/XRef/W[1 2 1]/Size 9/Root 1 0 R${filter}`;
    return bytesOf(`${text}9 0 obj\n${stream(data, dict)}\nendobj\nstartxref\n${text.length}\n%%EOF\n`);
  }

  const FLATE = "/Filter/FlateDecode";
  const deflate = (rows: Uint8Array): Uint8Array => Uint8Array.from(deflateSync(rows));

  test.each([
    ["without filters", indexed("")],
    ["with one", indexed(FLATE, deflate)],
    ["with two", indexed("/Filter[/FlateDecode/FlateDecode]", (rows) => deflate(deflate(rows)))],
  ])("%s is read", async (_, file) => {
    expect((await rotatePdf(file, { angle: 90 })).warnings).toEqual([]);
  });

  test.each([
    ["an unknown filter", indexed("/Filter/UnknownDecode")],
    ["a filter for images", indexed("/Filter/DCTDecode")],
    ["more filters than are read", indexed("/Filter[/Crypt/Crypt/Crypt/Crypt/Crypt]")],
    ["data that is not packed", indexed(FLATE)],
    ["data that is cut off", indexed(FLATE, (rows) => deflate(rows).subarray(0, 12))],
    [
      "a wrong checksum",
      indexed(FLATE, (rows) => deflate(rows).map((code, i, all) => (i === all.length - 1 ? code ^ 1 : code))),
    ],
    [
      "a flipped byte",
      indexed(FLATE, (rows) => deflate(rows).map((code, i) => (i === 9 ? code ^ 255 : code))),
    ],
  ])("with %s is made anew, and this is said", async (_, file) => {
    const { bytes, warnings } = await rotatePdf(file, { angle: 90 });
    expect(warnings).toEqual([{ code: "xref_rebuilt" }]);
    expect(await pageTexts(bytes)).toEqual(["Page 1", "Page 2"]);
    assertClean(bytes);
  });
});

describe("an object stream", () => {
  /** Page contents are outside; fonts and an outline are in two object streams. */
  function packedPdf(damage: (data: string) => string, filter = "/FlateDecode"): Bytes {
    const pack = (text: string): string => textOf(Uint8Array.from(deflateSync(text)));
    const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
    const text = textOf(
      makePdf({
        1: "<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R>>",
        2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
        3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        4: stream("BT /F1 18 Tf 20 40 Td (Packed words) Tj ET"),
        6: stream(pack(`5 0 ${font}`), "/Type/ObjStm/N 1/First 4/Filter/FlateDecode"),
        7: stream(damage(pack("8 0 <</Type/Outlines/Count 0>>")), `/Type/ObjStm/N 1/First 4/Filter${filter}`),
      }),
    );
    const start = text.lastIndexOf("xref\n0");
    const at = (num: number): string =>
      String.fromCharCode(1, 0, 0, text.indexOf(`\n${num} 0 obj`) + 1, 0).slice(0, 1) +
      wide(text.indexOf(`\n${num} 0 obj`) + 1) +
      "\0";
    const rows = [
      "\0\0\0\0\0\0",
      at(1),
      at(2),
      at(3),
      at(4),
      `\x02${wide(6)}\0`,
      at(6),
      at(7),
      `\x02${wide(7)}\0`,
    ];
    const xref = `9 0 obj\n${stream(rows.map((row) => row.slice(0, 6)).join(""), "/Type/XRef/W[1 4 1]/Size 9/Root 1 0 R")}\nendobj\n`;
    return bytesOf(
      `${text.slice(0, start)}${xref}startxref\n${start}\n%%EOF\n`.replace("%PDF-1.4", "%PDF-1.5"),
    );
  }

  const wide = (number: number): string => String.fromCharCode(0, 0, number >> 8, number & 255);

  test("that is sound gives no warning", async () => {
    expect(
      (
        await rotatePdf(
          packedPdf((data) => data),
          { angle: 90 },
        )
      ).warnings,
    ).toEqual([]);
  });

  test.each([
    ["is broken", packedPdf((data) => `${data.slice(0, 4)}\xff\xff${data.slice(6)}`)],
    ["is cut off", packedPdf((data) => data.slice(0, 8))],
    ["has a filter nobody knows", packedPdf((data) => data, "/UnknownDecode")],
  ])("that %s costs its objects and not the document", async (_, file) => {
    const { bytes, warnings } = await rotatePdf(file, { angle: 90 });
    expect(warnings).toEqual([{ code: "objects_lost" }]);
    expect(await pageTexts(bytes)).toEqual(["Packed words"]);
    assertClean(bytes);
  });
});

describe("tokens that cannot stand where they are", () => {
  const owning = (value: string): Bytes =>
    makePdf({
      1: "<</Type/Catalog/Pages 2 0 R/Own 5 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R>>",
      5: value,
    });

  test.each([
    ["a word in a dictionary", "<</A 1 xyz/B 2>>"],
    ["a word in an array", "[1 xyz 2]"],
    ["a word for a value", "<</A xyz>>"],
    ["a word behind a number", "[1xyz]"],
    ["a key without its solidus", "<</A 1 B 2>>"],
    ["a key without a value", "<</A 1/B>>"],
    ["a bracket too many", "<</A 1]/B 2>>"],
    ["a bracket too few", "<</A[1 2/B 3>>"],
    ["a brace", "[1 } 2]"],
    ["a parenthesis too many", "[1 ) 2]"],
    ["a dictionary without an end", "<</A 1"],
    ["a string without an end", "<</A(open>>"],
    ["half a reference", "[0 R]"],
    ["garbage in a stream's dictionary", stream("", "xyz")],
    ["garbage in depth", "[[<</A<</B xyz>>>>]]"],
  ])("are told: %s", async (_, value) => {
    const { warnings } = await rotatePdf(owning(value), { angle: 90 });
    expect(warnings).toEqual([{ code: "objects_lost" }]);
  });

  test.each([
    ["null", "[null<</A null>>]"],
    ["comments", "[1 % xyz )]>>\n2]"],
    ["numbers as some programs write them", "[--1 1.2.3 +.5 4.]"],
    ["names of any kind", "[/A#ZZ/#/]"],
    ["strings of any kind", "[(a(b)c\\))<4 1><4xyz1>()<>]"],
    ["references to nothing", "[9 0 R 0 0 R]"],
    ["an object without a value", ""],
  ])("are not seen in %s", async (_, value) => {
    expect((await rotatePdf(owning(value), { angle: 90 })).warnings).toEqual([]);
  });

  test("are told of the page tree by unlock too, and only where the result has them by others", async () => {
    const file = bytesOf(textOf(owning("<<>>")).replace("/Type/Page/Parent", "/Type/Page/xx xxxxx"));
    expect((await unlockPdf(file)).warnings).toEqual([{ code: "damage_left" }]);
    const { warnings } = await splitPdf(owning("[xyz]"), { mode: "keep", range: "1" });
    expect(warnings).toEqual([]);
  });

  test("are told of objects in object streams", async () => {
    const text = textOf(owning("<<>>")).replace(/\n5 0 obj[^]*/, "");
    const packed = stream("5 0 [1 xyz 2]", "/Type/ObjStm/N 1/First 4");
    const { warnings } = await rotatePdf(
      bytesOf(`${text}\n6 0 obj\n${packed}\nendobj\ntrailer<</Root 1 0 R>>`),
      { angle: 90 },
    );
    expect(warnings).toEqual([{ code: "xref_rebuilt" }, { code: "objects_lost" }]);
  });
});

describe("what other programs would reject is not copied as it is", () => {
  test.each([
    ["a key twice", "<</A 1/A 2>>"],
    ["a key without a value", "<</A 1/B>>"],
    ["a key that is a number", "<</A 1 2/B 3>>"],
    ["two keys that are numbers", "<</A 1 2 3/B 4>>"],
    ["a value without a key", "<</A 1(text)/B 2>>"],
    ["a name with a stray number sign", "<</A#ZZ 1>>"],
    ["letters in a hexadecimal string", "<</A<4xyz1>>>"],
    ["a string without an end", "<</A(open>>"],
    ["a number with two points", "<</A 1.2.3>>"],
    ["an array without an end", "<</A[1 2>>"],
  ])("%s", async (_, value) => {
    const text = textOf(pagesPdf(1, { extra: "/Own 20 0 R" }));
    const file = text.replace("xref\n", `20 0 obj\n${value}\nendobj\nxref\n`).replace(/startxref[^]*/, "");
    const { bytes } = await rotatePdf(bytesOf(file), { angle: 90 });
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual(["Page 1"]);
  });

  testWith("qpdf")("pages without a type or a size get them", async () => {
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Count 1/Kids[3 0 R]>>",
      3: "<</Parent 2 0 R>>",
    });
    const { bytes } = await rotatePdf(file, { angle: 90 });
    const page = ask(bytes, ["qpdf", "--show-object=3", "@"]) + ask(bytes, ["qpdf", "--show-object=2", "@"]);
    expect(page).toMatch(/\/MediaBox \[ 0 0 612 792 \]/);
    expect(page).toMatch(/\/Type \/Page\b/);
  });
});

test("of a broken object stream what comes before the break is kept", async () => {
  const fonts = Array.from({ length: 60 }, (_, i) => `<</Type/Font/Subtype/Type1/BaseFont/FONT${i * 7919}>>`);
  const starts = fonts.map((_, i) => fonts.slice(0, i).join("").length);
  const head = fonts.map((_, i) => `${i + 20} ${starts[i]}`).join(" ") + " ";
  const data = Uint8Array.from(deflateSync(head + fonts.join("")));
  data.fill(0xff, Math.floor(data.length * 0.8));
  const text = textOf(
    makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
      3: `<</Type/Page/Parent 2 0 R/Resources<</Font<<${fonts.map((_, i) => `/F${i} ${i + 20} 0 R`).join("")}>>>>>>`,
      6: stream(textOf(data), `/Type/ObjStm/N 60/First ${head.length}/Filter/FlateDecode`),
    }),
  );
  const { bytes, warnings } = await rotatePdf(bytesOf(text.replace(/startxref[^]*/, "")), { angle: 90 });
  expect(warnings).toContainEqual({ code: "objects_lost" });
  const plain = clearText(bytes);
  if (hasQpdf) expect(new Set(plain.match(/FONT\d+/g)).size).toBeGreaterThan(20);
});

test.each(["endstream", "endstream\nendobj"])("content whose %s is damaged ends there", async (end) => {
  const text = textOf(pagesPdf(1)).replace(end, "xxx".padEnd(end.length));
  const { bytes } = await rotatePdf(bytesOf(text.replace(/xref\n0/, "xref\n9")), { angle: 90 });
  expect(textOf(bytes)).not.toMatch(/Tj ET[^]*trailer[^]*endstream/);
  expect(await pageTexts(bytes)).toEqual(["Page 1"]);
});

test("an update that was cut is taken as far as it goes, and this is said", async () => {
  const old = textOf(pagesPdf(2));
  const at = /(\d+) 0 obj\n<<[^>]*>>\nstream\n[^]*?\(Page 2\)/.exec(old)!;
  const num = Number(at[1]);
  const content = "BT /F1 9 Tf (Page two) Tj ET";
  const update = `${num} 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n9 0 obj\n<</A`;
  const { bytes, warnings } = await rotatePdf(bytesOf(old + update), { angle: 90 });
  expect(textOf(bytes)).toContain("(Page two)");
  expect(warnings).toEqual([{ code: "xref_rebuilt" }]);
});

test("a vertical tab separates as other white space does", async () => {
  const text = textOf(pagesPdf(2)).replace("1 0 obj\n", "1 0 obj\v");
  const { pages, warnings } = await rotatePdf(bytesOf(text), { angle: 90 });
  expect({ pages, warnings }).toEqual({ pages: 2, warnings: [] });
});

test("words in content do not end it where its length is wrong", async () => {
  const text = textOf(pagesPdf(1)).replace("(Page 1)", "(xref endobj)");
  const { bytes } = await rotatePdf(bytesOf(text), { angle: 90 });
  expect(await pageTexts(bytes)).toEqual(["xref endobj"]);
});

describe("contents that are written into their page", () => {
  const hello = "BT /F1 18 Tf 20 40 Td (Hello) Tj ET";
  const world = "BT /F1 18 Tf 20 20 Td (World) Tj ET";
  const packed = textOf(Uint8Array.from(deflateSync(hello)));

  function holding(contents: string, more: Readonly<Record<number, string>> = {}): Bytes {
    return makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</F1 5 0 R>>>>>>",
      3: `<</Type/Page/Contents ${contents}/Parent 2 0 R/Rotate 0>>`,
      4: "<</Type/Page/Parent 2 0 R/Contents 6 0 R>>",
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      6: stream(world),
      ...more,
    });
  }

  test.each([
    ["as a stream", holding(stream(hello)), "Hello"],
    ["as a stream with a filter", holding(stream(packed, "/Filter/FlateDecode")), "Hello"],
    ["as an array of streams", holding(`[${stream(hello)} ${stream(world)}]`), "Hello\n\nWorld"],
    ["as an array of streams and references", holding(`[${stream(hello)} 6 0 R]`), "Hello\n\nWorld"],
    ["as an array elsewhere", holding("7 0 R", { 7: `[${stream(hello)}]` }), "Hello"],
  ])("%s are read", async (_, file, words) => {
    const results = [
      await rotatePdf(file, { angle: 90 }),
      await splitPdf(file, { mode: "keep", range: "1-2" }),
      await mergePdf([{ data: file }]),
    ];
    for (const { bytes, warnings } of results) {
      expect(warnings).toEqual([{ code: "objects_lost" }]);
      expect((await pageTexts(bytes)).map((text) => text.replace(/\s+/g, " "))).toEqual([
        words.replace(/\s+/g, " "),
        "World",
      ]);
      assertClean(bytes);
    }
  });

  test("are not made up where the end of a stream's dictionary is missing", async () => {
    const length = `/Length ${packed.length}`;
    const unclosed = `<<${length}/Filter/FlateDecode/DecodeParms<<${length}>>\nstream\n${packed}\nendstream`;
    const file = holding("7 0 R", { 7: unclosed });
    const { bytes } = await rotatePdf(file, { angle: 90 });
    expect((await pageTexts(bytes))[0]).toBe("Hello");
  });
});

test.each(["[5 0 R 3 0 R 99 0 R]", "5 0 R", "3 0 R", "99 0 R"])(
  "of the contents %s only streams are left where the file was damaged",
  async (contents) => {
    const sound = textOf(pagesPdf(1)).replace("startxref", "startxxxx");
    const text = sound.replace("/Contents 5 0 R", `/Contents ${contents}`);
    const { bytes } = await rotatePdf(bytesOf(text), { angle: 90 });
    assertClean(bytes);
    expect(await pageTexts(bytes)).toEqual([contents.includes("5 0 R") ? "Page 1" : ""]);
  },
);

test("a catalog with a misspelt type is found where the trailer is lost", async () => {
  const text = textOf(pagesPdf(1))
    .replace("/Type/Catalog", "/Type/Catalgg")
    .replace(/xref\n0[^]*/, "");
  const { bytes } = await rotatePdf(bytesOf(text), { angle: 90 });
  expect(await pageTexts(bytes)).toEqual(["Page 1"]);
});

describe("a reference to what the file does not have", () => {
  const lacking = (extra: string) => pagesPdf(2, { extra });

  test.each(["8 0 R", "9 0 R", "10 0 R", "33554432 0 R", "9999999999 0 R"])(
    "%s meets no new object",
    async (ref) => {
      const { bytes } = await splitPdf(lacking(`/AcroForm<</Fields[${ref}]>>/Outlines ${ref}`), {
        mode: "keep",
        range: "2,1",
      });
      assertClean(bytes);
      expect(await pageTexts(bytes)).toEqual(["Page 2", "Page 1"]);
    },
  );

  test.each(["8 0 R", "9 0 R", "13 0 R"])("%s meets no object of the next file of a merge", async (ref) => {
    const { bytes } = await mergePdf([{ data: lacking(`/Own ${ref}`) }, { data: pagesPdf(3) }]);
    expect(textOf(bytes)).toMatch(/\/Own ?null/);
  });
});
