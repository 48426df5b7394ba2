import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../../wire/bytes.ts";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, stream, textOf } from "../support/pdf-made.ts";

function imagePdf(data: string, entries: string) {
  const space = entries.includes("/ColorSpace") ? "" : "/BitsPerComponent 8/ColorSpace/DeviceRGB";
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
    4: stream("q 99 0 0 99 0 0 cm /I Do Q"),
    5: stream(data, `/Type/XObject/Subtype/Image/Width 16/Height 8${space}${entries}`),
  });
}

async function cleaned(file: Bytes) {
  const { bytes, removed } = await cleanPdf(file);
  return { bytes, removed, text: textOf(bytes) };
}

const deflated = (text: string) => textOf(deflateSync(bytesOf(text), { level: 9 }));
const inHex = (text: string) => Buffer.from(text, "latin1").toString("hex");
const ofBits = (bits: string) =>
  bits.replace(/.{1,8}/g, (byte) => String.fromCharCode(parseInt(byte.padEnd(8, "0"), 2)));
const SAMPLES = Array.from({ length: 16 * 8 * 3 }, (_, i) => String.fromCharCode((i * 37) & 255)).join("");

/** Codes of nine bits: each two hundred bytes, the table is cleared. */
function inLzw(text: string): string {
  const nine = (code: number) => code.toString(2).padStart(9, "0");
  const codes = [...text].map((each, i) => (i % 200 === 0 ? nine(256) : "") + nine(each.charCodeAt(0)));
  return ofBits(codes.join("") + nine(257));
}

function inAscii85(text: string): string {
  return text.replace(/[^]{1,4}/g, (group) => {
    const number = Buffer.from(group.padEnd(4, "\0"), "latin1").readUInt32BE();
    const digits = [4, 3, 2, 1, 0].map((power) => Math.floor(number / 85 ** power) % 85);
    const written =
      number === 0 && group.length === 4 ? "z" : String.fromCharCode(...digits.map((d) => d + 33));
    return written.slice(0, group.length + 1);
  });
}

const LINE_END = "000000000001";
/** Eight white rows: in group 4 as the row before, in group 3 by their length. */
const FAX = ofBits("1".repeat(8) + LINE_END.repeat(2));
const OLD_FAX = ofBits(`${LINE_END}101010`.repeat(8) + LINE_END.repeat(6));
const MIXED_FAX = ofBits(`${LINE_END}1101010`.repeat(8) + `${LINE_END}1`.repeat(6));
const BITS = "/BitsPerComponent 1/ColorSpace/DeviceGray";
const fax = (k: number) => `${BITS}/Filter/CCITTFaxDecode/DecodeParms<</K ${k}/Columns 16/Rows 8>>`;

const FILTERED: readonly [string, string, string][] = [
  ["Flate", deflated(SAMPLES), "/Filter/FlateDecode"],
  ["Flate without compression", textOf(deflateSync(bytesOf(SAMPLES), { level: 0 })), "/Filter[/FlateDecode]"],
  ["LZW", inLzw(SAMPLES), "/Filter/LZWDecode"],
  ["hexadecimal digits", `${inHex(SAMPLES)}>`, "/Filter/ASCIIHexDecode"],
  ["ASCII 85", `${inAscii85(SAMPLES)}~>`, "/Filter/ASCII85Decode"],
  ["run lengths", `${SAMPLES.replace(/[^]{96}/g, (run) => `\x5f${run}`)}\x80`, "/Filter/RunLengthDecode"],
  ["a facsimile of group 4", FAX, fax(-1)],
  ["a facsimile of group 3", OLD_FAX, fax(0)],
  ["a mixed facsimile of group 3", MIXED_FAX, fax(4)],
  ["Flate in ASCII 85", `${inAscii85(deflated(SAMPLES))}~>`, "/Filter[/ASCII85Decode/FlateDecode]"],
];

describe("what stands behind the end of data", () => {
  test.each(FILTERED)("of %s goes, and nothing else", async (_, data, entries) => {
    const { bytes, text, removed } = await cleaned(imagePdf(`${data}gone-mark`, entries));
    assertClean(bytes);
    expect(text).not.toContain("gone-mark");
    expect(text).toContain(`stream\n${data}\nendstream`);
    expect(removed).toEqual(["metadata"]);
    const sound = await cleaned(imagePdf(`${data}\r\n`, entries));
    expect(sound.removed).toEqual([]);
    expect(sound.text).toContain(`stream\n${data}\r\n\nendstream`);
  });

  test.each([
    [
      "Flate",
      inAscii85(`${deflated(SAMPLES)}gone-mark`),
      "/Filter[/ASCII85Decode/FlateDecode]",
      deflated(SAMPLES),
    ],
    [
      "a facsimile",
      deflated(`${FAX}gone-mark`),
      `${BITS}/Filter[/FlateDecode/CCITTFaxDecode]/DecodeParms[null<</K -1/Columns 16/Rows 8>>]`,
      FAX,
    ],
  ])("of %s inside another filter goes with that filter", async (_, data, entries, left) => {
    const { bytes, text, removed } = await cleaned(imagePdf(data, entries));
    assertClean(bytes);
    expect(text).toContain(`stream\n${left}\nendstream`);
    expect(removed).toEqual(["metadata"]);
  });

  test("of content goes, and of an inline image", async () => {
    const inline = `q 99 0 0 99 0 0 cm BI /W 16 /H 8 /BPC 8 /CS /RGB /F [/A85 /Fl] ID ${inAscii85(`${deflated(SAMPLES)}gone-mark`)}~>\nEI Q`;
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents[4 0 R 5 0 R]>>",
      4: stream(`${deflated("1 0 0 rg 9 9 9 9 re f ")}gone-mark`, "/Filter/FlateDecode"),
      5: stream(inline),
    });
    const { bytes, text, removed } = await cleaned(file);
    assertClean(bytes);
    expect(text).not.toContain("gone-mark");
    expect(text).toContain(`ID ${deflated(SAMPLES)}\nEI`);
    expect(removed).toEqual(["metadata"]);
  });
});

describe("what stands behind the last row of an image", () => {
  const rows = SAMPLES.replace(/[^]{48}/g, (row) => `\0${row}`);
  const parameters = "/DecodeParms<</Predictor 15/Colors 3/Columns 16>>";
  test.each([
    ["as it is", `${SAMPLES}gone-mark`, "", SAMPLES],
    ["deflated", deflated(`${SAMPLES}gone-mark`), "/Filter/FlateDecode", deflated(SAMPLES)],
    ["with a predictor", deflated(`${rows}\0gone-mark`), `/Filter/FlateDecode${parameters}`, deflated(rows)],
    ["in hexadecimal digits", inHex(`${SAMPLES}gone-mark`), "/Filter/ASCIIHexDecode", deflated(SAMPLES)],
    ["in ASCII 85", `${inAscii85(`${SAMPLES}gone-mark`)}~>`, "/Filter/ASCII85Decode", deflated(SAMPLES)],
    ["in LZW", inLzw(`${SAMPLES}gone-mark`), "/Filter/LZWDecode", deflated(SAMPLES)],
  ])("goes, %s", async (_, data, entries, left) => {
    const { bytes, removed } = await cleaned(imagePdf(data, entries));
    assertClean(bytes);
    expect(removed).toEqual(["metadata"]);
    expect(clearText(bytes)).not.toContain("gone-mark");
    expect(textOf(bytes)).toContain(`stream\n${left}\nendstream`);
  });

  test("is white space in some files, and stays", async () => {
    const { removed } = await cleaned(imagePdf(deflated(`${SAMPLES}\n`), "/Filter/FlateDecode"));
    expect(removed).toEqual([]);
  });
});

describe("what programs do not run", () => {
  const font = "/Type/Font/Subtype/Type1/BaseFont/Helvetica";
  const profile = `\0\0\0\x84${"\0".repeat(32)}acsp${"\0".repeat(92)}`;
  const palette = "\0\0\0\x84".repeat(192);
  const withObjects = (six: string, seven: string, space: string) =>
    makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
      3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/ColorSpace<</C ${space}>>>>>>`,
      4: stream("/C cs BT /F1 9 Tf 9 9 Td (xx) Tj ET"),
      5: `<<${font}/ToUnicode 6 0 R>>`,
      6: six,
      7: seven,
    });
  const cmap = (comment: string) =>
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Y%${comment} def\n/Z (50% \\) off) def 1 begincodespacerange <00><ff> endcodespacerange 1 beginbfchar <78> <0041> %${comment}\nendbfchar endcmap end end`;
  const tint = "[/Separation/X/DeviceRGB 7 0 R]";
  const program = "/FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1]";
  const table = "/FunctionType 0/Domain[0 1]/Range[0 1 0 1 0 1]/Size[2]/BitsPerSample 8";

  test.each([
    ["comments of a code map", stream(cmap("gone-mark")), "null", "null"],
    [
      "comments of a code map that is packed",
      stream(deflated(cmap("gone-mark")), "/Filter/FlateDecode"),
      "null",
      "null",
    ],
    ["comments of a function", stream(cmap("")), stream("{%gone-mark\ndup 0 exch}", program), tint],
    ["what stands behind a table", stream(cmap("")), stream("012345gone-mark", table), tint],
    [
      "what stands behind a profile",
      stream(cmap("")),
      stream(`${profile}gone-mark`, "/N 3"),
      "[/ICCBased 7 0 R]",
    ],
  ])("goes: %s", async (_, six, seven, space) => {
    const { bytes, removed } = await cleaned(withObjects(six, seven, space));
    assertClean(bytes);
    expect(clearText(bytes)).not.toContain("gone-mark");
    expect(clearText(bytes)).toContain("(50% \\) off)");
    expect(removed).toEqual(["metadata"]);
    expect((await pageTexts(bytes))[0]).toBe("AA");
  });

  test("is not a palette that looks like a profile", async () => {
    const plain = cmap("").replaceAll(/%(?= def|\n)/g, "");
    const file = withObjects(stream(plain), stream(palette), "[/Indexed/DeviceRGB 255 7 0 R]");
    const { text, removed } = await cleaned(file);
    expect(removed).toEqual([]);
    expect(text).toContain(palette);
  });
});
