import { describe, expect, test } from "vitest";
import type { RemoveChoice } from "../../../../tools/file/document-options.ts";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { assertClean, clearText, pageTexts } from "../support/judges.ts";
import { makePdf, refusal, stream } from "../support/pdf-made.ts";

const line = (text: string) => `BT /F1 9 Tf 9 9 Td (${text}) Tj ET`;
const TEXTS = "/Alt(gone-alt)/ActualText(gone-actual)/E(gone-long)";

/** A tagged page with a layer that is off, and elements for what is given. */
function taggedPdf({
  content = line("shown"),
  elements,
  catalog = "",
  page = "",
  resources = "",
  objects = {},
}: {
  content?: string;
  /** By number, in the order in which the root has them. */
  elements: Readonly<Record<number, string>>;
  catalog?: string;
  page?: string;
  resources?: string;
  objects?: Readonly<Record<number, string>>;
}) {
  const refs = Object.keys(elements).map((num) => `${num} 0 R`);
  return makePdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>/OCProperties<</OCGs[7 0 R 8 0 R]/D<</OFF[8 0 R]>>>>${catalog}>>`,
      2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
      3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/StructParents 0${page}/Resources<</Font<</F1 5 0 R>>/Properties<</On 7 0 R/Off 8 0 R>>${resources}>>>>`,
      4: stream(content),
      5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      6: `<</Type/StructTreeRoot/K[${refs.join(" ")}]/ParentTree<</Nums[0[${refs.join(" ")}]1 ${refs[0]}]>>/IDTree<</Names[(gone-id)${refs[0]}(kept-id)${refs.at(-1)}]>>>>`,
      7: "<</Type 9 0 R/Name(on)>>",
      8: "<</Type 9 0 R/Name(gone-layer)>>",
      9: "/OCG",
      ...elements,
      ...objects,
    },
    { version: "1.5" },
  );
}

async function cleaned(file: Parameters<typeof cleanPdf>[0], remove: readonly RemoveChoice[]) {
  const { bytes } = await cleanPdf(file, { remove });
  assertClean(bytes);
  return { text: clearText(bytes), shown: (await pageTexts(bytes)).join() };
}

const element = (kids: string, more = "") => `<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K ${kids}${more}>>`;

describe("tags of what a layer hid", () => {
  test("go with all that they say of it, and others keep their places", async () => {
    const file = taggedPdf({
      content: `/OC /Off BDC /P <</MCID 0>> BDC ${line("gone-text")} EMC EMC /P <</MCID 1>> BDC ${line("shown")} EMC`,
      elements: {
        10: element("0", `${TEXTS}/T(gone-title)/ID(gone-id)`),
        11: element("1", "/ActualText(kept-actual)/ID(kept-id)/Ref[10 0 R]"),
      },
    });
    const { text, shown } = await cleaned(file, ["layers"]);
    expect(text).not.toContain("gone");
    expect(text).toContain("kept-actual");
    expect(text).toContain("kept-id");
    expect(text).toMatch(/\[\s*null\s*\d+ 0 R\s*\]/);
    expect(shown).toContain("shown");
  });

  test("lose the texts that stand for all of it where a part is shown", async () => {
    const file = taggedPdf({
      content: `/P <</MCID 0${TEXTS}>> BDC ${line("shown")} /OC /Off BDC ${line("gone-text")} EMC EMC`,
      elements: { 10: element("11 0 R", TEXTS), 12: element("[]", "/Alt(kept-alt)") },
      objects: { 11: `<</S/Span/P 10 0 R/Pg 3 0 R/K 0${TEXTS}/T(kept-title)>>` },
    });
    const { text } = await cleaned(file, ["layers"]);
    expect(text).not.toMatch(/gone-(?!id)/);
    expect(text).toContain("kept-title");
    expect(text).toContain("kept-alt");
  });

  test.each([
    ["a drawing on the layer", "/D Do", "/OC 8 0 R"],
    ["a drawing that only hidden content shows", "/OC /Off BDC /D Do EMC", ""],
  ])("go where they are in %s", async (_, content, more) => {
    const file = taggedPdf({
      content,
      resources: "/XObject<</D 13 0 R>>",
      elements: { 10: element("<</Type/MCR/Stm 13 0 R/Pg 3 0 R/MCID 0>>", TEXTS), 11: element("[]") },
      objects: {
        13: stream(
          `/P <</MCID 0>> BDC ${line("gone-text")} EMC`,
          `/Type/XObject/Subtype/Form/BBox[0 0 99 99]${more}`,
        ),
      },
    });
    expect((await cleaned(file, ["layers"])).text).not.toContain("gone-");
  });

  test("of a drawing that hides a part, those around it lose their texts", async () => {
    const file = taggedPdf({
      content: `/P <</MCID 0>> BDC /D Do EMC`,
      resources: "/XObject<</D 13 0 R>>",
      elements: { 10: element("0", TEXTS), 11: element("[]") },
      objects: {
        13: stream(
          `${line("shown")} /E Do`,
          "/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F1 5 0 R>>/XObject<</E 14 0 R>>>>",
        ),
        14: stream(line("gone-text"), "/Type/XObject/Subtype/Form/BBox[0 0 99 99]/OC 8 0 R"),
      },
    });
    const { text, shown } = await cleaned(file, ["layers"]);
    expect(text).not.toMatch(/gone-(?!id)/);
    expect(shown).toContain("shown");
  });
});

test("what a layer hides of a button's icon goes as it does of its appearance", async () => {
  const icon = `BT /F1 9 Tf (shown-icon) Tj ET /OC /Off BDC ${line("gone-text")} EMC`;
  const file = taggedPdf({
    elements: { 10: element("[]") },
    catalog: "/AcroForm<</Fields[13 0 R]>>",
    page: "/Annots[13 0 R]",
    objects: {
      13: "<</Type/Annot/Subtype/Widget/FT/Btn/Ff 65536/T(b)/Rect[0 0 9 9]/MK<</I 14 0 R>>>>",
      14: stream(
        icon,
        "/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F1 5 0 R>>/Properties<</Off 8 0 R>>>>",
      ),
    },
  });
  const { text } = await cleaned(file, ["layers"]);
  expect(text).toContain("shown-icon");
  expect(text).not.toMatch(/gone-(?!id)/);
});

test.each<[RemoveChoice, string]>([
  ["forms", "/Subtype/Widget/FT/Tx/T(gone-name)/TU(gone-help)"],
  ["annotations", "/Subtype/Text/Contents(gone-remark)"],
  ["attachments", "/Subtype/FileAttachment/FS<</F(gone-file)/EF<<>>>>"],
  ["attachments", "/Subtype/Link/Contents(gone-link)/A<</S/GoToE/T<</R/C/N(gone-file)>>>>"],
  ["layers", "/Subtype/Link/Contents(gone-link)/A<</S/SetOCGState/State[/ON 8 0 R]>>"],
])("tags of %s go with them: %s", async (kind, entries) => {
  const file = taggedPdf({
    page: "/Annots[13 0 R]",
    elements: {
      10: element("[<</Type 14 0 R/Obj 13 0 R>>]", TEXTS),
      11: element("[]", "/Alt(kept-alt)"),
    },
    objects: { 13: `<</Type/Annot/Rect[0 0 9 9]/StructParent 1${entries}>>`, 14: "/OBJR" },
  });
  const { text } = await cleaned(file, [kind]);
  expect(text.replace("gone-layer", "")).not.toContain("gone-");
  expect(text).toContain("kept-alt");
});

const EMBEDDED = "<</Type/Filespec/F(gone-name)/UF(gone-name)/EF<</F 20 0 R>>>>";

test.each<[RemoveChoice, string]>([
  ["attachments", `/Subtype/Screen/A<</S/Rendition/OP 0/AN 13 0 R/R<</S/MR/C<</S/MCD/D ${EMBEDDED}>>>>>>`],
  ["attachments", `/Subtype/Movie/Movie<</F ${EMBEDDED}>>`],
  ["attachments", "/Subtype/Sound/Sound 21 0 R"],
  ["attachments", `/Subtype/RichMedia/RichMediaContent<</Assets<</Names[(gone-name)${EMBEDDED}]>>>>`],
  ["scripts", "/Subtype/Movie/Movie<</F(gone-name)>>"],
  [
    "scripts",
    "/Subtype/Screen/A<</S/Rendition/OP 0/AN 13 0 R/R<</S/MR/C<</S/MCD/D<</FS/URL/F(gone-name)>>>>>>>>",
  ],
  ["scripts", "/Subtype/Stamp/AP<</N 22 0 R>>"],
])("names of files that media play go with %s: %s", async (kind, entries) => {
  const file = taggedPdf({
    page: "/Annots[13 0 R]",
    elements: { 10: element("[]") },
    objects: {
      13: `<</Type/Annot/Rect[0 0 9 9]/Contents(kept-contents)${entries}>>`,
      20: stream("gone-data", "/Type/EmbeddedFile"),
      21: stream("", `/Type/Sound/R 8000/F ${EMBEDDED}`),
      22: stream("", "/Subtype/Form/BBox[0 0 9 9]/Ref<</Page 0/F(gone-name)>>"),
    },
  });
  const { text } = await cleaned(file, [kind]);
  expect(text).not.toMatch(/gone-(name|data)/);
  expect(text).toContain("kept-contents");
});

test("bookmarks that lead only to what goes, go with it", async () => {
  const attached = "/A<</S/GoToE/T<</R/C/N(gone-file)>>>>";
  const file = taggedPdf({
    catalog: "/Outlines 20 0 R",
    elements: { 10: element("[]") },
    objects: {
      20: "<</First 21 0 R/Last 24 0 R/Count 4>>",
      21: `<</Title(gone-first)/Parent 20 0 R/Next 22 0 R${attached}>>`,
      22: `<</Title(gone-heading)/Parent 20 0 R/Prev 21 0 R/Next 23 0 R/First 25 0 R/Last 25 0 R/Count 1>>`,
      23: `<</Title(kept-above)/Parent 20 0 R/Prev 22 0 R/Next 24 0 R/First 26 0 R/Last 26 0 R/Count -1${attached}>>`,
      24: "<</Title(kept-last)/Parent 20 0 R/Prev 23 0 R/Dest[3 0 R/Fit]>>",
      25: `<</Title(gone-below)/Parent 22 0 R${attached}>>`,
      26: "<</Title(kept-below)/Parent 23 0 R/Dest[3 0 R/Fit]>>",
    },
  });
  const { text } = await cleaned(file, ["attachments"]);
  expect(text).not.toMatch(/gone-(first|heading|below|file)/);
  for (const kept of ["kept-above", "kept-below", "kept-last"]) expect(text).toContain(kept);
  expect(text).toMatch(/\/Count 2\b/);
});

describe("layers that are hidden by their usage", () => {
  const layered = ({ config = "", usage = "", listed = "7 0 R" }) =>
    taggedPdf({
      content: `/OC /On BDC ${line("gone-text")} EMC ${line("shown")}`,
      catalog: `/OCProperties<</OCGs[${listed}]/D<<${config}>>>>`,
      elements: { 10: element("[]") },
      objects: { 7: `<</Type/OCG/Name(gone-layer)/Usage<<${usage}>>>>` },
    });
  const AS = (categories: string) => `/AS[<</Event/View/OCGs[7 0 R]/Category[${categories}]>>]`;

  test.each([
    ["on viewing", { config: AS("/View"), usage: "/View<</ViewState/OFF>>" }],
    ["in readers that ask no configuration", { usage: "/View<</ViewState/OFF>>" }],
    ["and off by default", { config: `/BaseState/OFF${AS("/View")}`, usage: "/View<</ViewState/OFF>>" }],
  ])("%s go", async (_, layers) => {
    const { text, shown } = await cleaned(layered(layers), ["layers"]);
    expect(text).not.toMatch(/gone-(?!id)/);
    expect(shown).toBe("shown");
  });

  test.each([
    ["in some sizes", { config: AS("/Zoom"), usage: "/Zoom<</min 2>>" }],
    ["to some people", { config: AS("/User/View"), usage: "/User<</Name(x)>>" }],
    ["for another intent", { config: "/OFF[7 0 R]/Intent/Design" }],
    ["for no intent", { config: "/OFF[7 0 R]/Intent[]" }],
    ["in a layer for another intent", { config: "/OFF[7 0 R]", usage: ">>/Intent/Design/Own<<" }],
    ["in readers that want it listed", { config: "/OFF[7 0 R]", listed: "" }],
    ["on viewing only", { config: `/OFF[7 0 R]${AS("/View")}`, usage: "/View<</ViewState/ON>>" }],
  ])("and shown %s are refused", async (_, layers) => {
    expect(await refusal(() => cleanPdf(layered(layers), { remove: ["layers"] }))).toMatchObject({
      code: "unsupported_feature",
      fields: { parameter: "remove" },
    });
    await cleanPdf(layered(layers), { remove: ["forms"] });
  });
});
