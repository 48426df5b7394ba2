import { describe, expect, test } from "vitest";
import type { Bytes } from "../../../../wire/bytes.ts";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { bytesOf as encoded, picture } from "../../image/support/made.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, stream, textOf } from "../support/pdf-made.ts";

const JPEG = textOf(await encoded(picture(16, 8).jpeg()));
const BODY = JPEG.slice(2);
const comment = `\xff\xfe\0\x0bgone-mark`;
const exif = `\xff\xe1\0\x11Exif\0\0gone-mark`;

/** The pixels that a decoder finds, by the place of the first scan. */
const scanOf = (jpeg: string) => jpeg.slice(jpeg.indexOf("\xff\xda"), jpeg.indexOf("\xff\xd9"));

function imagePdf(data: string, entries: string) {
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
    3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
    4: stream("q 99 0 0 99 0 0 cm /I Do Q"),
    5: stream(
      data,
      `/Type/XObject/Subtype/Image/Width 16/Height 8/BitsPerComponent 8/ColorSpace/DeviceRGB${entries}`,
    ),
  });
}

async function cleaned(file: Bytes) {
  const { bytes, removed } = await cleanPdf(file);
  return { bytes, removed, text: textOf(bytes) };
}

describe("a JPEG in a PDF is read as metadata=strip reads it", () => {
  test.each([
    ["a segment behind fill bytes", `\xff\xd8\xff\xff\xff${exif.slice(1)}${BODY}`],
    ["a segment behind stray bytes", `\xff\xd8\0\0${comment}${BODY}`],
    [
      "a small copy in a JFIF segment",
      `\xff\xd8\xff\xe0\0\x1bJFIF\0\x01\x01\0\0\x01\0\x01\x03\x01gone-mark12${BODY.replace(/^\xff\xe0[^]{16}/, "")}`,
    ],
    ["a JFXX segment", `\xff\xd8\xff\xe0\0\x12JFXX\0\x10gone-mark!${BODY}`],
    ["a second picture behind its end", `${JPEG}\xff\xd8${comment}${BODY}`],
    ["anything behind its end", `${JPEG}gone-mark`],
    ["a segment between its scans and its end", JPEG.replace(/\xff\xd9$/, `${comment}${exif}\xff\xd9`)],
    ["anything before its beginning", `gone-mark${JPEG}`],
    [
      "what stands behind the color transform",
      `\xff\xd8\xff\xee\0\x17Adobe\0\x64\0\0\0\0\x01gone-mark${BODY}`,
    ],
    ["a segment of one that is cut", `\xff\xd8${exif}${BODY.slice(0, -10)}`],
  ])("%s goes", async (_, jpeg) => {
    const { bytes, text, removed } = await cleaned(imagePdf(jpeg, "/Filter/DCTDecode"));
    if (!jpeg.endsWith(BODY.slice(-30, -10))) assertClean(bytes);
    expect(text).not.toContain("gone-mark");
    expect(removed).toEqual(["metadata"]);
    expect(text).toContain(scanOf(jpeg).slice(0, 30));
  });

  test.each([
    ["sound", JPEG],
    ["with a line break behind it", `${JPEG}\r\n`],
    ["cut", JPEG.slice(0, -20)],
    ["none", "no image"],
  ])("one without metadata stays to the byte: %s", async (_, jpeg) => {
    const { text, removed } = await cleaned(imagePdf(jpeg, "/Filter/DCTDecode"));
    expect(removed).toEqual([]);
    expect(text).toContain(jpeg);
  });
});

describe("a JBIG2 in a PDF", () => {
  const long = (number: number) => String.fromCharCode(number >>> 24, number >>> 16, number >>> 8, number);
  const segment = (number: number, kind: number, data: string) =>
    `${long(number)}${String.fromCharCode(kind)}\0\x01${long(data.length)}${data}`;
  const size = `${long(16)}${long(8)}${long(0)}${long(0)}\0`;
  const page = (more = "") => segment(0, 48, `${size}\0\0${more}`);
  // Eight rows as the one before, and the end of a facsimile of group 4.
  const region = segment(9, 38, `${size}\x01\xff\0\x10\x01`);
  const comment = segment(1, 62, "\x20\0\0\0gone-mark\0\0\0");
  const entries = "/BitsPerComponent 1/Filter/JBIG2Decode";
  const inPdf = (data: string, more = "") =>
    bytesOf(
      textOf(imagePdf(data, entries + more)).replace(
        "/BitsPerComponent 8/ColorSpace/DeviceRGB",
        "/ColorSpace/DeviceGray",
      ),
    );

  test.each([
    ["comments", page() + comment + region, page() + region],
    ["what has no meaning", page() + segment(1, 33, "gone-mark") + region, page() + region],
    ["what stands behind the facts of a page", page("gone-mark") + region, page() + region],
    [
      "what stands behind the end of its page",
      `${page()}${region}${segment(10, 49, "")}gone-mark!!`,
      page() + region + segment(10, 49, ""),
    ],
    ["a rest that is no segment", `${page()}${region}gone-mark`, page() + region],
  ])("loses %s", async (_, data, left) => {
    const { text, removed } = await cleaned(inPdf(data));
    expect(text).toContain(`stream\n${left}\nendstream`);
    expect(removed).toEqual(["metadata"]);
    expect((await cleaned(inPdf(left))).removed).toEqual([]);
  });

  test("loses comments among what several share", async () => {
    const shared = segment(3, 53, "\x42\0\0\0\0\0\0\0\x01");
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>",
      4: stream("/I Do"),
      5: stream(
        page() + region,
        `/Type/XObject/Subtype/Image/Width 16/Height 8/ColorSpace/DeviceGray${entries}/DecodeParms<</JBIG2Globals 6 0 R>>`,
      ),
      6: stream(comment + shared),
    });
    const { text, removed } = await cleaned(file);
    expect(text).toContain(`stream\n${shared}\nendstream`);
    expect(removed).toEqual(["metadata"]);
  });
});

const box = (type: string, content: string) =>
  `${String.fromCharCode(0, 0, 0, content.length + 8)}${type}${content}`;
const longBox = (type: string, content: string) =>
  `\0\0\0\x01${type}\0\0\0\0\0\0\0${String.fromCharCode(content.length + 16)}${content}`;

describe("a JPEG 2000 in a PDF", () => {
  const codestream = `\xff\x4f\xff\x64\0\x0d\0\x01gone-mark\xff\x90\0\x0a\0\0\0\0\0\x19\0\x01\xff\x64\0\x0d\0\x01gone-mark\xff\x93stays\xff\xd9`;
  const ended = "\xff\x4f\xff\x90\0\x0a\0\0\0\0\0\x13\0\x01\xff\x93stays\xff\xd9";
  const head =
    box("jP  ", "\r\n\x87\n") +
    box("ftyp", "jp2 ") +
    box("jp2h", box("ihdr", "stays-head") + box("xml ", "gone-mark"));

  test.each([
    ["describing boxes", head + box("uuid", "gone-mark") + box("jp2c", "\xff\x4f\xff\xd9")],
    ["boxes with a long length", head + longBox("xml ", "gone-mark") + longBox("jp2c", codestream)],
    [
      "labels and what is unknown",
      head + box("lbl ", "gone-mark") + box("acme", "gone-mark") + box("jp2c", codestream),
    ],
    ["comments of a codestream alone", codestream],
    ["segments that decoders skip", codestream.replaceAll("\xff\x64", "\xff\x6f")],
    ["what stands behind a codestream", `${ended}gone-mark`],
    ["what stands behind a codestream in its box", head + box("jp2c", `${ended}gone-mark`)],
  ])("loses %s", async (_, data) => {
    const { text, removed } = await cleaned(imagePdf(data, "/Filter/JPXDecode"));
    expect(text).not.toContain("gone-mark");
    expect(removed).toEqual(["metadata"]);
    expect(text.includes("stays") || !data.includes(codestream)).toBe(true);
    expect(text).toContain(data.startsWith("\xff") ? "\xff\x93stays" : "stays-head");
  });
});

describe("metadata in content", () => {
  const withContent = (content: string) =>
    makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
      4: stream(content),
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    });
  const text = "BT /F1 9 Tf 9 9 Td (page <<x>>) Tj ET";
  const hex = Buffer.from(`\xff\xd8${exif}${BODY}`, "latin1").toString("hex");

  test.each([
    ["of marked content", `/Span <</Author(gone-mark)/Lang(en)>> BDC ${text} EMC`],
    ["of a marked point", `/Here <</Author(gone-mark)>> DP ${text}`],
    ["in an inline image", `BI /W 16 /H 8 /BPC 8 /CS /RGB /F /DCT ID \xff\xd8${exif}${BODY}\nEI ${text}`],
    [
      "in an inline image with two filters",
      `BI /W 16 /H 8 /BPC 8 /CS /RGB /F [/AHx /DCT] ID ${hex}> EI ${text}`,
    ],
    ["in a comment of the content", `% gone-mark\n${text} % gone-mark (`],
    ["beside an inline image", `BI /W 1 /H 1 /BPC 8 /CS /G /Author (gone-mark) ID x EI ${text}`],
  ])("%s goes", async (_, content) => {
    const { bytes, removed } = await cleaned(withContent(content));
    assertClean(bytes);
    expect(clearText(bytes)).not.toContain("gone-mark");
    expect(removed).toEqual(["metadata"]);
    expect((await pageTexts(bytes))[0]).toBe("page <<x>>");
  });

  test.each([
    ["inside its property list", ["/Span <</Author(gone-mark)", `>> BDC ${text} EMC`]],
    ["behind an entry that stays", ["/Span <</Lang(en)", `/Author(gone-mark)>> BDC ${text} EMC`]],
    ["before its property list", ["/Span", `<</Author(gone-mark)>> BDC ${text} EMC`]],
    ["before its operator", ["/Span <</Author(gone-mark)>>", `BDC ${text} EMC`]],
    ["in an inline image", ["BI /W 1 /H 1 /BPC 8 /CS /G /Author (gone-mark)", `ID x EI ${text}`]],
  ])("goes where the contents of a page are divided %s", async (_, [first = "", second = ""]) => {
    const { bytes, removed } = await cleaned(
      makePdf({
        1: "<</Type/Catalog/Pages 2 0 R>>",
        2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 99 99]>>",
        3: "<</Type/Page/Parent 2 0 R/Contents[4 0 R 6 0 R]/Resources<</Font<</F1 5 0 R>>>>>>",
        4: stream(first),
        5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        6: stream(second),
      }),
    );
    assertClean(bytes);
    expect(clearText(bytes)).not.toContain("gone-mark");
    expect(removed).toEqual(["metadata"]);
    expect((await pageTexts(bytes))[0]).toBe("page <<x>>");
  });

  test("is all that goes", async () => {
    const content = `/Span <</Lang(en)/MCID 0/ActualText(100%)>> BDC ${text} EMC BI /W 1 /H 1 /BPC 8 /CS /G ID x EI`;
    const { removed, text: result } = await cleaned(bytesOf(textOf(withContent(content))));
    expect(removed).toEqual([]);
    expect(result).toContain(content);
  });
});
