import { describe, expect, test } from "vitest";
import { type Removable, REMOVABLE } from "../../../../tools/file/document-options.ts";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { testWith } from "../../../machine/skips.ts";
import { lockPdf } from "../../../../tools/pdf-lock.ts";
import { bytesOf as encoded, picture } from "../../image/support/made.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, pagesPdf, refusal, stream, textOf } from "../support/pdf-made.ts";

/** The name of what each mark is of; no other stream or string has it. */
const MARKS: Readonly<Record<Removable, readonly string[]>> = {
  metadata: [
    "title-mark",
    "xmp-mark",
    "page-xmp-mark",
    "piece-mark",
    "thumb-mark",
    "exif-mark",
    "comment-mark",
  ],
  scripts: ["open-script-mark", "named-script-mark", "link-script-mark", "page-script-mark", "launch-mark"],
  attachments: ["attached-mark", "file-note-mark", "related-mark"],
  annotations: ["remark-mark", "popup-mark", "ink-mark"],
  forms: ["field-name-mark", "field-help-mark", "xfa-mark"],
  bookmarks: ["bookmark-mark"],
  layers: ["hidden-mark", "hidden-form-mark", "layer-name-mark", "hidden-note-mark"],
};
/** Shown by the page, a form field, and a layer that is on. */
const SHOWN = ["page-text", "field-text", "layer-text", "link-uri-mark"];

/** As a camera writes it. */
const JPEG = textOf(await encoded(picture(16, 8).jpeg())).replace(
  /^\xff\xd8/,
  "\xff\xd8\xff\xe1\0\x13Exif\0\0exif-mark..\xff\xfe\0\x10comment-mark..",
);

/** A page with everything that can be taken out, by marks. */
function richPdf() {
  const line = (text: string, y: number) => `BT /F1 9 Tf 9 ${y} Td (${text}) Tj ET`;
  const content = [
    line("page-text", 80),
    `/OC /Off BDC q 1 0 0 1 9 9 cm ${line("hidden-mark", 9)} Q EMC`,
    `/OC /On BDC ${line("layer-text", 60)} EMC`,
    "/Hidden Do /Photo Do",
  ].join("\n");
  const file = "<</Type/Filespec/F(a.txt)/EF<</F 42 0 R>>>>";
  return makePdf(
    {
      1:
        "<</Type/Catalog/Pages 2 0 R/Metadata 40 0 R/OpenAction<</S/JavaScript/JS(open-script-mark)>>/AcroForm 20 0 R" +
        "/Names<</JavaScript<</Names[(n)<</S/JavaScript/JS(named-script-mark)>>]>>/EmbeddedFiles<</Names[(a)43 0 R]>>>>" +
        "/Outlines 30 0 R/PageMode/UseOutlines/OCProperties<</OCGs[32 0 R 33 0 R]/D<</OFF[33 0 R]/Order[32 0 R 33 0 R]>>>>" +
        "/StructTreeRoot 60 0 R/AF[43 0 R]>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
      3:
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Metadata 41 0 R/Thumb 44 0 R/PieceInfo<</X<</Private(piece-mark)>>>>" +
        "/AA<</O<</S/JavaScript/JS(page-script-mark)/Next<</S/GoTo/D[3 0 R/Fit]>>>>>>" +
        "/Annots[10 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R 21 0 R 16 0 R]" +
        "/Resources<</Font<</F1 5 0 R>>/Properties<</On 32 0 R/Off 33 0 R>>/XObject<</Hidden 6 0 R/Photo 7 0 R>>>>>>",
      4: stream(content),
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      6: stream("BT (hidden-form-mark) Tj ET", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/OC 33 0 R"),
      7: stream(
        JPEG,
        "/Type/XObject/Subtype/Image/Width 16/Height 8/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode",
      ),
      10: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/JavaScript/JS(link-script-mark)>>>>",
      11: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/link-uri-mark)/Next<</S/Launch/F(launch-mark)>>>>>>",
      12: "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(remark-mark)/Popup 13 0 R>>",
      13: "<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Contents(popup-mark)/Parent 12 0 R>>",
      14: "<</Type/Annot/Subtype/Ink/Rect[0 0 9 9]/Contents(ink-mark)/InkList[[1 1 2 2]]>>",
      15: `<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/Contents(file-note-mark)/FS ${file}>>`,
      16: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Contents(hidden-note-mark)/OC 33 0 R/Dest[3 0 R/Fit]>>",
      20: "<</Fields[21 0 R]/DA(/F1 9 Tf)/XFA(xfa-mark)>>",
      21: "<</Type/Annot/Subtype/Widget/FT/Tx/T(field-name-mark)/TU(field-help-mark)/V(field-text)/Rect[9 20 109 40]/P 3 0 R/AP<</N 22 0 R>>>>",
      22: stream(
        "BT /F1 9 Tf 1 9 Td (field-text) Tj ET",
        "/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>",
      ),
      30: "<</Type/Outlines/First 31 0 R/Last 31 0 R/Count 1>>",
      31: "<</Title(bookmark-mark)/Parent 30 0 R/Dest[3 0 R/Fit]>>",
      32: "<</Type/OCG/Name(shown)>>",
      33: "<</Type/OCG/Name(layer-name-mark)>>",
      40: stream("xmp-mark", "/Type/Metadata/Subtype/XML"),
      41: stream("page-xmp-mark", "/Type/Metadata/Subtype/XML"),
      42: stream("attached-mark"),
      43: "<</Type/Filespec/F(a.txt)/Desc(related-mark)/EF<</F 42 0 R>>>>",
      44: stream("thumb-mark", "/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray"),
      50: "<</Title(title-mark)/Author(title-mark)>>",
      // Structure elements name annotations, which must not keep them.
      60: "<</Type/StructTreeRoot/K[61 0 R]/ParentTree<</Nums[]>>>>",
      61: "<</Type/StructElem/S/Document/P 60 0 R/K[<</Type/OBJR/Obj 12 0 R>><</Type/OBJR/Obj 21 0 R>><</Type/OBJR/Obj 11 0 R>>]>>",
    },
    { version: "1.7", trailer: "/Info 50 0 R/ID[(old-id-mark)(old-id-mark)]" },
  );
}

const marksIn = (text: string) =>
  Object.values(MARKS)
    .flat()
    .filter((mark) => text.includes(mark));

describe("what is named goes, and what is not named stays", () => {
  test.each(REMOVABLE)("%s", async (kind) => {
    const { bytes, removed } = await cleanPdf(richPdf(), { remove: [kind] });
    assertClean(bytes);
    expect(removed).toEqual([kind]);
    const left = Object.entries(MARKS).flatMap(([other, marks]) => (other === kind ? [] : marks));
    // An XML form has scripts, and a file on a page hangs on an annotation.
    const alsoGone = { scripts: ["xfa-mark"], annotations: ["file-note-mark"] }[kind as string] ?? [];
    const expected = left.filter((mark) => !alsoGone.includes(mark));
    expect(marksIn(clearText(bytes)).sort()).toEqual([...expected].sort());
    const text = (await pageTexts(bytes)).join() + clearText(bytes);
    for (const shown of SHOWN) expect(text).toContain(shown);
  });
});

test("nothing of all kinds can be found any more, and the page looks the same", async () => {
  const { bytes, removed, pages } = await cleanPdf(richPdf(), { remove: REMOVABLE });
  assertClean(bytes);
  expect({ removed, pages }).toEqual({ removed: [...REMOVABLE], pages: 1 });
  expect(marksIn(clearText(bytes))).toEqual([]);
  expect(clearText(bytes)).not.toContain("old-id-mark");
  const text = (await pageTexts(bytes)).join();
  for (const shown of ["page-text", "field-text", "layer-text"]) expect(text).toContain(shown);
  expect(text).not.toContain("hidden");
});

test("without a word of it metadata, scripts and attachments go", async () => {
  const { bytes, removed } = await cleanPdf(richPdf());
  expect(removed).toEqual(["metadata", "scripts", "attachments"]);
  const gone = [...MARKS.metadata, ...MARKS.scripts, ...MARKS.attachments, "xfa-mark"];
  expect(marksIn(clearText(bytes)).filter((mark) => gone.includes(mark))).toEqual([]);
});

test("earlier revisions and objects that nothing leads to are never in the result", async () => {
  const sound = textOf(pagesPdf(1, { extra: "/Old(first-revision)" }));
  const start = Number(/startxref\n(\d+)/.exec(sound)![1]);
  const update =
    `1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n99 0 obj\n(orphan)\nendobj\n` +
    `xref\n1 1\n${String(sound.length).padStart(10, "0")} 00000 n \ntrailer\n<</Size 100/Root 1 0 R/Prev ${start}>>\n` +
    `startxref\n${sound.length + 67}\n%%EOF\n`;
  const { bytes, removed, repaired } = await cleanPdf(bytesOf(sound + update), { remove: ["none"] });
  expect(removed).toEqual([]);
  expect(clearText(bytes)).not.toMatch(/first-revision|orphan/);
  expect(typeof repaired).toBe("boolean");
  assertClean(bytes);
});

test("a damaged document is repaired, and this is said", async () => {
  const damaged = bytesOf(textOf(pagesPdf(2)).replace("startxref\n", "startxref\n9"));
  const { bytes, repaired, warnings } = await cleanPdf(damaged, { remove: [] });
  expect({ repaired, warnings }).toEqual({ repaired: true, warnings: [{ code: "xref_rebuilt" }] });
  assertClean(bytes);
  expect(await cleanPdf(bytes)).toMatchObject({ repaired: false, removed: [], warnings: [] });
});

test("a password opens it, and is gone with the rest", async () => {
  const locked = await lockPdf(pagesPdf(1), { password: "correct horse" });
  expect(await refusal(() => cleanPdf(locked.bytes))).toMatchObject({ code: "password_required" });
  const { bytes, passwordNeeded } = await cleanPdf(locked.bytes, { password: "correct horse" });
  expect(passwordNeeded).toBe(true);
  expect(await pageTexts(bytes)).toEqual(["Page 1"]);
});

test("a claim of PDF/A goes with the metadata that makes it, and this is said", async () => {
  const file = makePdf(
    {
      1: "<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R>>",
      4: stream("<pdfaid:part>2</pdfaid:part>", "/Type/Metadata/Subtype/XML"),
    },
    { trailer: "/ID[(a)(b)]" },
  );
  const { warnings } = await cleanPdf(file);
  expect(warnings).toEqual([{ code: "standard_lost", standard: "PDF/A-2", clause: "6.6.4" }]);
  expect((await cleanPdf(file, { remove: ["bookmarks"] })).warnings).toEqual([]);
});

test.each([[["none", "forms"]], [["everything"]], [["metadata", ""]]])(
  "refuses to remove %j",
  async (remove) => {
    expect(await refusal(() => cleanPdf(pagesPdf(1), { remove: remove as Removable[] }))).toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "remove" },
    });
  },
);

test("a link that is a script goes with them, and others stay", async () => {
  const link = (uri: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(${uri})>>>>`;
  const file = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
    3: "<</Type/Page/Parent 2 0 R/Annots[4 0 R 5 0 R]>>",
    4: link(" JavaScript:alert(1)"),
    5: link("https://example.org/javascript:"),
  });
  const { bytes, removed } = await cleanPdf(file);
  expect(removed).toEqual(["scripts"]);
  expect(clearText(bytes)).toContain("https://example.org/javascript:");
  expect(clearText(bytes)).not.toContain("alert");
});

test("what leads to another file or machine goes with scripts, and links to the web stay", async () => {
  const link = (action: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${action}>>>>`;
  const gone = [
    "/S/GoToR/F(gone-a.pdf)/D[0/Fit]",
    "/S/Thread/F(gone-b.pdf)/D 0",
    "/S/URI/URI(file:///gone-c)",
    "/S/URI/URI( SMB://gone-d/share)",
    "/S/URI/URI(ms-msdt:/gone-e)",
    "/S/URI/URI(C:\\\\gone-f.exe)",
    "/S/URI/URI(\\\\\\\\gone-g\\\\share)",
    "/S/URI/URI(\\\\/gone-i/share)",
    "/S/URI/URI(/\\\\gone-j/share)",
  ];
  const kept = [
    "https://stays.example/a",
    "mailto:stays@example.org",
    "tel:+49",
    "stays.html#b",
    "//stays.example",
  ];
  const links = [...gone, ...kept.map((uri) => `/S/URI/URI(${uri})`), "/S/Thread/D 0"].map(link);
  const file = makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/GoToR/F(\\\\\\\\gone-h\\\\x.pdf)/D[0/Fit]>>>>",
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
    3: `<</Type/Page/Parent 2 0 R/Annots[${links.join("")}]>>`,
  });
  const { bytes, removed } = await cleanPdf(file, { remove: ["scripts"] });
  expect(removed).toEqual(["scripts"]);
  expect(clearText(bytes)).not.toContain("gone-");
  for (const uri of kept) expect(clearText(bytes)).toContain(uri);
  const all = clearText((await cleanPdf(file, { remove: ["bookmarks"] })).bytes);
  expect(all.match(/gone-/g)).toHaveLength(gone.length + 1);
});

describe("a field that is drawn onto its page", () => {
  const form = (more: { field?: string; catalog?: string; page?: string }) =>
    makePdf(
      {
        1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DR<</Font<</Helv 6 0 R>>>>>>${more.catalog ?? ""}>>`,
        2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
        3: `<</Type/Page/Parent 2 0 R/Annots[4 0 R]${more.page ?? ""}>>`,
        4: `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(b)/Rect[10 10 110 30]/AP<</N 5 0 R>>${more.field ?? ""}>>`,
        5: stream("BT /Helv 9 Tf 1 9 Td (filled in) Tj ET", "/BBox[0 0 100 20]"),
        6: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        7: "<</Type/OCG/Name(off)>>",
      },
      { version: "1.5" },
    );
  const textAfter = async (file: ReturnType<typeof form>) => {
    const { bytes, warnings } = await cleanPdf(file, { remove: ["forms"] });
    assertClean(bytes);
    expect(warnings).toEqual([]);
    return (await pageTexts(bytes)).join().trim();
  };

  test("keeps the fonts of the form", async () => {
    expect(await textAfter(form({}))).toBe("filled in");
  });

  // pdf.js reads the text of hidden layers too.
  testWith("poppler")("stays on its layer, and hidden ones are not drawn", async () => {
    const catalog = "/OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>";
    expect(await textAfter(form({ catalog, field: "/OC 7 0 R" }))).toBe("");
    expect(await textAfter(form({ field: "/F 2" }))).toBe("");
  });

  test("stands where it stood on a page that moves what comes after it", async () => {
    const file = form({ page: "/Contents 8 0 R" });
    const moved = bytesOf(
      textOf(file).replace(
        "7 0 obj",
        "8 0 obj\n<</Length 19>>\nstream\n1 0 0 1 5000 5000 cm\nendstream\nendobj\n7 0 obj",
      ),
    );
    const { bytes } = await cleanPdf(moved, { remove: ["forms"] });
    expect((await pageTexts(bytes)).join().trim()).toBe("filled in");
  });
});

describe("layers without a list of them", () => {
  const layer = "Internal draft";
  const file = (state: string, properties = `<</Type/OCMD/OCGs[6 0 R]${state}>>`) =>
    makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 1/Kids[4 0 R]/MediaBox[0 0 200 100]>>",
      3: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      4: `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>/Properties<</L ${properties}>>>>>>`,
      5: stream("/OC /L BDC BT /F1 18 Tf 20 40 Td (shown) Tj ET EMC"),
      6: `<</Type/OCG/Name(${layer})/Usage<</View<</ViewState/OFF>>>>>>`,
    });

  test.each([
    ["by themselves", file("", "6 0 R")],
    ["with a policy that would hide them", file("/P/AllOff")],
    ["with an expression that would hide them", file("/VE[/Not 6 0 R]")],
  ])("go, and what is on them stays: %s", async (_, original) => {
    const { bytes, removed } = await cleanPdf(original, { remove: ["layers"] });
    assertClean(bytes);
    expect(removed).toEqual(["layers"]);
    expect((await pageTexts(bytes)).join().trim()).toBe("shown");
    expect(clearText(bytes)).not.toContain(layer);
    const again = await cleanPdf(bytes, { remove: ["layers"] });
    expect(again.removed).toEqual([]);
  });
});
