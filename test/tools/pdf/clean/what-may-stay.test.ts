import { describe, expect, test } from "vitest";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { bytesOf, makePdf, stream, textOf } from "../support/pdf-made.ts";

/** A page with text, whose objects and entries are those given. */
function pageWith({
  catalog = "",
  page = "",
  content = "BT /F1 18 Tf 20 40 Td (page) Tj ET",
  font = "",
  properties = "",
  objects = {},
}: {
  catalog?: string;
  page?: string;
  content?: string;
  font?: string;
  properties?: string;
  objects?: Readonly<Record<number, string>>;
}) {
  return makePdf({
    1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
    3:
      `<</Type/Page/Parent 2 0 R/Contents 4 0 R${page}` +
      `/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>/Properties<<${properties}>>>>>>`,
    4: stream(content),
    5: `<</Type/Font/Subtype/Type1/BaseFont/Helvetica${font}>>`,
    6: stream("0 0 9 9 re f", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
    ...objects,
  });
}

/** The result in clear, which looks as before. */
async function cleaned(file: ReturnType<typeof pageWith>, remove?: Parameters<typeof cleanPdf>[1]) {
  const { bytes, removed } = await cleanPdf(file, remove);
  assertClean(bytes);
  expect((await pageTexts(bytes))[0]).toBe("page");
  return { text: clearText(bytes), removed };
}

test.each([
  ["by a name that is a string", "<</S/GoTo/D(here)>>", {}],
  ["by a name", "<</S/GoTo/D/here>>", {}],
  ["as an object", "7 0 R", { 7: "<</S/GoTo/D(here)>>" }],
])("a link into the document stays with where it leads: %s", async (_, action, objects) => {
  const file = pageWith({
    catalog: "/Names<</Dests<</Names[(here)[3 0 R/Fit]]>>>>/Dests<</here[3 0 R/Fit]>>",
    page: `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A ${action}>>]`,
    objects,
  });
  const { text, removed } = await cleaned(file);
  expect(text).toMatch(/\/D (\(here\)|\/here)\s+\/S \/GoTo/);
  expect(removed).toEqual([]);
});

test.each([
  ["as an appearance and as that of a state", "/AP<</N<</On 7 0 R>>/D 7 0 R>>/AS/On"],
  ["as an appearance and as content", "/AP<</N 7 0 R>>"],
])("a drawing that is used twice loses its metadata: %s", async (_, appearance) => {
  const { text, removed } = await cleaned(
    pageWith({
      page: `/Annots[<</Type/Annot/Subtype/Square/Rect[0 0 9 9]${appearance}>>]`,
      content: "BT /F1 18 Tf 20 40 Td (page) Tj ET /X Do",
      objects: {
        6: stream("/Y Do", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Y 7 0 R>>>>"),
        7: stream(
          "0 0 9 9 re f",
          "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Metadata 8 0 R/PieceInfo<</A 8 0 R>>",
        ),
        8: stream("gone-mark"),
      },
    }),
  );
  expect(text).not.toContain("gone-mark");
  expect(removed).toEqual(["metadata"]);
});

describe("metadata is what the standard does not name for a reader", () => {
  test.each<[string, Parameters<typeof pageWith>[0]]>([
    ["of a program in the catalog", { catalog: "/ACME_Doc<</User(gone-mark)>>" }],
    ["of developers", { catalog: "/Extensions<</ACME<</URL(gone-mark)/BaseVersion/1.7>>>>" }],
    ["of web capture", { catalog: "/SpiderInfo<</V 1/C[<</URL(gone-mark)>>]>>", page: "/ID(gone-mark)" }],
    ["of a page", { page: "/LastModified(gone-mark)/PieceInfo<</X<</Private(gone-mark)>>>>/Own(gone-mark)" }],
    ["of a font", { font: "/ACME_Font[(gone-mark)]" }],
    [
      "of marked content",
      {
        properties: "/MC0<</Author(gone-mark)/MCID 0>>",
        content: "/Span /MC0 BDC BT /F1 18 Tf 20 40 Td (page) Tj ET EMC",
      },
    ],
    [
      "in comments between operands",
      {
        content:
          "BT /F1 % gone-mark (\r18 Tf 20 40 Td [(page) % gone-mark\n] TJ ET " +
          "BI /W 1 % gone-mark\n/H 1/BPC 8/CS/G ID x EI",
      },
    ],
    [
      "of an included figure",
      {
        content: "BT /F1 18 Tf 20 40 Td (page) Tj ET /X Do",
        objects: {
          6: stream(
            "0 0 9 9 re f",
            "/Subtype/Form/BBox[0 0 9 9]/PTEX.FileName(gone-mark)/PTEX.InfoDict 7 0 R/OPI<</2.0<</F(gone-mark)>>>>",
          ),
          7: "<</Author(gone-mark)>>",
        },
      },
    ],
    [
      "of an article",
      {
        catalog: "/Threads[7 0 R]",
        page: "/B[8 0 R]",
        objects: {
          7: "<</F 8 0 R/I<</Title(gone-mark)/Author(gone-mark)>>>>",
          8: "<</T 7 0 R/P 3 0 R/N 8 0 R/V 8 0 R/R[0 0 9 9]>>",
        },
      },
    ],
    [
      "of a structure element, its root and its attributes",
      {
        catalog: "/StructTreeRoot 7 0 R/MarkInfo<</Marked true/Own(gone-mark)>>",
        objects: {
          7: "<</Type/StructTreeRoot/K 8 0 R/Own(gone-mark)>>",
          8: "<</Type/StructElem/S/P/P 7 0 R/Info 9 0 R/A[<</O/Layout/Placement/Block/Own(gone-mark)>>]>>",
          9: "<</Title(gone-mark)/Producer(gone-mark)>>",
        },
      },
    ],
    [
      "of layers and who made them",
      {
        catalog: "/OCProperties<</OCGs[7 0 R]/D<</Creator(gone-mark)/Order[7 0 R]>>>>",
        objects: {
          7: "<</Type/OCG/Name(stays)/Usage<</CreatorInfo<</Creator(gone-mark)/Subtype/Artwork>>>>>>",
        },
      },
    ],
    [
      "of bookmarks, links and what they lead to",
      {
        catalog: "/Outlines 7 0 R/Dests<</here<</D[3 0 R/Fit]/Own(gone-mark)>>>>",
        page: "/Annots[9 0 R]",
        objects: {
          7: "<</First 8 0 R/Last 8 0 R/Count 1/Own(gone-mark)>>",
          8: "<</Title(stays)/Parent 7 0 R/A<</S/GoTo/D/here/Own(gone-mark)>>/Own(gone-mark)>>",
          9: "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest/here/Own<</Of(gone-mark)>>>>",
        },
      },
    ],
    [
      "in place of a number",
      { page: "/Rotate 7 0 R/Tabs<</Of(gone-mark)>>", objects: { 7: "<</Of(gone-mark)>>" } },
    ],
  ])("%s", async (_, parts) => {
    const file = pageWith(parts);
    const { text, removed } = await cleaned(file);
    expect(text).not.toContain("gone-mark");
    expect(removed).toEqual(["metadata"]);
    expect((await cleaned(file, { remove: ["scripts"] })).text).toContain("gone-mark");
  });

  test("what is named by the document's author stays, whatever it is called", async () => {
    const { text, removed } = await cleaned(
      pageWith({
        catalog: "/Dests<</Info[3 0 R/Fit]/JS[3 0 R/Fit]>>/StructTreeRoot 7 0 R",
        content: "/Span /Metadata BDC BT /F1 18 Tf 20 40 Td (page) Tj ET EMC",
        properties: "/Metadata<</MCID 0/Lang(de)>>",
        objects: {
          7: "<</Type/StructTreeRoot/K[8 0 R]/RoleMap<</Author/P>>/ClassMap<</Producer<</O/Layout/TextAlign/Center>>>>>>",
          8: "<</S/Author/P 7 0 R/C/Producer/Pg 3 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>>]>>",
        },
      }),
    );
    for (const name of ["/Info", "/JS", "/Metadata", "/Author", "/Producer", "/TextAlign"])
      expect(text).toContain(name);
    expect(removed).toEqual([]);
  });

  test("resources that no content names go, whatever stands there, and the others stay", async () => {
    const hidden = "/XObject 7 0 R/Font(gone-mark)/Own<</A(gone-mark)>>/Stream 8 0 R";
    const inherited = `<</Font<</F1 5 0 R${hidden}>>/XObject<</Gone 7 0 R>>/ColorSpace<</C/gone-mark>>>>`;
    const objects = {
      2: `<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]/Resources${inherited}>>`,
      3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
      7: stream(
        "gone-mark",
        "/Type/XObject/Subtype/Image/Width 3/Height 3/ColorSpace/DeviceGray/BitsPerComponent 8",
      ),
      8: stream("gone-mark"),
    };
    const { text, removed } = await cleaned(pageWith({ objects }));
    expect(text).not.toContain("gone-mark");
    expect(text).not.toContain("/XObject");
    expect(removed).toEqual(["metadata"]);
  });

  test("an object that stands in two places keeps what it has in each", async () => {
    const { text } = await cleaned(
      pageWith({
        catalog: "/ViewerPreferences 7 0 R",
        page: "/Trans 7 0 R",
        objects: { 7: "<</S/Wipe/HideToolbar true/Own(gone-mark)>>" },
      }),
    );
    expect(text).toContain("/Wipe");
    expect(text).toContain("/HideToolbar true");
    expect(text).not.toContain("gone-mark");
  });

  test("a page that is not in the tree, and to which only a destination points, is not written", async () => {
    const { text } = await cleaned(
      pageWith({
        catalog: "/Dests<</lost[7 0 R/Fit]/here[3 0 R/Fit]>>",
        objects: { 7: "<</Type/Page/Parent 2 0 R/Contents 8 0 R>>", 8: stream("% gone-mark") },
      }),
    );
    expect(text).toContain("/lost");
    expect(text).not.toContain("gone-mark");
  });
});

describe("scripts are all actions but those that lead through the document", () => {
  const through = (num: number) => `${num} 0 R`;

  test.each<[string, string, Readonly<Record<number, string>>]>([
    ["whose type is a reference", `<</S 7 0 R/F(gone-mark)>>`, { 7: "/Launch" }],
    ["of a program", "<</S/ACME:Run/Command(gone-mark)>>", {}],
    ["of a menu", "<</S/Named/N/gone-mark>>", {}],
    [
      "in a link that browsers read as a script",
      "<</S/URI/URI(\\011java\\nscript:alert\\('gone-mark'\\))>>",
      {},
    ],
    [
      "written elsewhere",
      through(7),
      { 7: "<</Type 8 0 R/S 9 0 R/JS(gone-mark)>>", 8: "/Action", 9: "/JavaScript" },
    ],
    ["without a type", "<</JS(gone-mark)>>", {}],
  ])("an action %s", async (_, action, objects) => {
    for (const parts of [
      { catalog: `/OpenAction ${action}` },
      { page: `/AA<</O ${action}>>` },
      {
        page: `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D[3 0 R/Fit]/Next[${action}]>>>>]`,
      },
    ]) {
      const { text, removed } = await cleaned(pageWith({ ...parts, objects }));
      expect(text).not.toContain("gone-mark");
      expect(removed).toEqual(["scripts"]);
    }
  });

  test("behind very many others", async () => {
    const count = 3000;
    const objects: Record<number, string> = {};
    for (let i = 0; i < count; i++) objects[7 + i] = `<</S/GoTo/D[3 0 R/Fit]/Next ${8 + i} 0 R>>`;
    objects[7 + count] = "<</S/Launch/F(gone-mark)>>";
    const { text } = await cleaned(pageWith({ catalog: "/OpenAction 7 0 R", objects }));
    expect(text).not.toContain("gone-mark");
  });

  test("what leads to a web page, a destination or the next page stays", async () => {
    const actions = ["/S/URI/URI(https://example.org/)", "/S/GoTo/D[3 0 R/Fit]", "/S/Named/N/NextPage"];
    const annots = actions.map((each) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${each}>>>>`).join("");
    const { text, removed } = await cleaned(pageWith({ page: `/Annots[${annots}]` }));
    expect(text).toMatch(/example\.org[\s\S]*NextPage|NextPage[\s\S]*example\.org/);
    expect(removed).toEqual([]);
  });
});

test("what signatures are checked by goes with the fields", async () => {
  const { text } = await cleaned(
    pageWith({
      catalog:
        "/DSS<</Certs[7 0 R]>>/Perms<</DocMDP 8 0 R>>/Legal<</Attestation(gone-mark)>>/AcroForm<</Fields[]>>",
      objects: { 7: stream("gone-mark"), 8: "<</Type/Sig/Name(gone-mark)>>" },
    }),
    { remove: ["forms"] },
  );
  expect(text).not.toContain("gone-mark");
});

test("a widget that no form leads to goes with the fields, and is drawn", async () => {
  const file = pageWith({
    content: "",
    page: "/Annots[7 0 R]",
    objects: {
      7: "<</Type/Annot/Subtype 8 0 R/FT/Tx/T(gone-mark)/V(page)/Rect[0 0 100 20]/AP<</N 9 0 R>>>>",
      8: "/Widget",
      9: stream("BT /F1 18 Tf 2 2 Td (page) Tj ET", "/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>"),
    },
  });
  const { text } = await cleaned(bytesOf(textOf(file)), { remove: ["forms"] });
  expect(text).not.toContain("gone-mark");
});
