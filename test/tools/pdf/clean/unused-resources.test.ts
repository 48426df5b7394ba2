import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type CleanOptions, cleanPdf } from "../../../../tools/pdf-clean.ts";
import type { Bytes } from "../../../../wire/bytes.ts";
import { assertClean, clearText } from "../support/judges.ts";
import { makePdf, stream } from "../support/pdf-made.ts";

const FORM = "/Type/XObject/Subtype/Form/BBox[0 0 99 20]";

/** A page with a text in /F1, beside which only what is given may need /Other. */
function onePage(made: Made): Bytes {
  const { catalog = "", node = "", page = "", content = "BT /F1 9 Tf (page) Tj ET", objects = {} } = made;
  return makePdf({
    1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    2: `<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]${node}>>`,
    3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R${page}>>`,
    4: stream(content),
    5: "<</Font<</F1 6 0 R/Other 7 0 R>>>>",
    6: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    7: "<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
    ...objects,
  });
}

async function cleaned(made: Made, remove?: CleanOptions["remove"]): Promise<string> {
  const { bytes } = await cleanPdf(onePage(made), remove && { remove });
  assertClean(bytes);
  return clearText(bytes);
}

interface Made {
  readonly catalog?: string;
  readonly node?: string;
  readonly page?: string;
  readonly content?: string;
  readonly objects?: Readonly<Record<number, string>>;
}

test("what pages inherit comes without the metadata in it", async () => {
  const state = "/ExtGState<</G<</ca .5/Own(own-mark)>>>>";
  const font = "/F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/PTEX.Own(own-mark)>>";
  const node = `/Resources<</Font<<${font}/Other 7 0 R>>${state}>>`;
  const text = await cleaned({ node, content: "/G gs BT /F1 9 Tf (page) Tj ET" });
  expect(text).toContain("/ca .5");
  expect(text).not.toContain("/Courier");
  expect(text).not.toContain("own-mark");
});

test.each<CleanOptions>([{}, { linearize: true }, { remove: ["layers"] }])(
  "what all pages inherit stays one dictionary with %j",
  async (options) => {
    const fonts = Array.from({ length: 50 }, (_, i) => `/Font${i} 6 0 R`).join("");
    const nums = Array.from({ length: 200 }, (_, i) => i + 8);
    const kids = nums.map((num) => `${num} 0 R`).join(" ");
    const names = Array.from({ length: 50 }, (_, i) => `/Font${i} 9 Tf`).join(" ");
    const content = `BT ${names} (page) Tj ET`;
    const page = "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>";
    const objects = {
      2: `<</Type/Pages/Count 200/Kids[${kids}]/MediaBox[0 0 200 100]/Resources<</Font<<${fonts}/Other 7 0 R>>>>>>`,
      ...Object.fromEntries(nums.map((num) => [num, page])),
    };
    const catalog = "/OCProperties<</OCGs[]/D<<>>>>";
    const file = onePage({ catalog, content, objects });
    const { bytes } = await cleanPdf(file, options);
    assertClean(bytes);
    const text = clearText(bytes);
    expect(text.split("/Font49").length).toBe(3);
    expect(text).not.toContain("/Courier");
  },
);

test.each([
  ["a named appearance", { catalog: "/Names<</AP<</Names[(a)8 0 R]>>>>" }],
  ["a field on no page", { catalog: "/AcroForm<</Fields[9 0 R]/DR 5 0 R>>" }],
])("%s keeps what it shares with pages", async (_, made) => {
  const objects = {
    8: stream("BT /Other 9 Tf (a) Tj ET", `${FORM}/Resources 5 0 R`),
    9: "<</FT/Tx/T(a)/AP<</N 8 0 R>>>>",
  };
  expect(await cleaned({ ...made, page: "/Resources 5 0 R", objects })).toContain("/Courier");
});

test("an XML form that stays keeps the fonts of its form", async () => {
  const made = {
    catalog: "/AcroForm<</Fields[]/XFA 8 0 R/DR 5 0 R>>",
    page: "/Resources<</Font<</F1 6 0 R>>>>",
    objects: { 8: stream("<xdp/>") },
  };
  expect(await cleaned(made, ["metadata"])).toContain("/Courier");
  expect(await cleaned(made)).not.toContain("/Courier");
});

test.each([
  ["itself", "/DA(/Other 9 Tf)", ""],
  ["in the field above it", "", "/DA(/Other 9 Tf)"],
])(
  "an empty field keeps the font that it names %s, also where only its appearance has it",
  async (_, own, above) => {
    const text = await cleaned({
      catalog: "/AcroForm<</Fields[9 0 R]>>",
      page: "/Annots[10 0 R]/Resources<</Font<</F1 6 0 R>>>>",
      objects: {
        8: stream("/Tx BMC EMC", `${FORM}/Resources 5 0 R`),
        9: `<</FT/Tx/T(a)/Kids[10 0 R]${above}>>`,
        10: `<</Type/Annot/Subtype/Widget/Parent 9 0 R/Rect[0 0 99 20]/AP<</N 8 0 R>>${own}>>`,
      },
    });
    expect(text).toContain("/Courier");
    expect(text).not.toContain("/F1 6 0 R/Other");
  },
);

test("content that may be read once may be read for its names too", async () => {
  const spaces = deflateSync(new Uint8Array(50_000_000).fill(0x20)).toString("latin1");
  const content = stream(spaces, "/Filter/FlateDecode");
  const page = "/Resources<</Font<</Other 7 0 R>>>>";
  const contents = { 4: "[8 0 R 9 0 R 10 0 R]", 8: content, 9: content, 10: content };
  const { bytes } = await cleanPdf(onePage({ page, objects: contents }));
  expect(bytes.length).toBeLessThan(1_000_000);
});

describe.each([[["metadata"]], [["layers"]]] as const)("with %j", (remove) => {
  const font = "/Resources<</Font<</F1 6 0 R>>>>";
  const layers = "/OCProperties<</OCGs[]/D<<>>>>";

  test.each([
    ["they have resources of their own", { page: font }],
    [
      "a node nearer to them has others",
      {
        objects: {
          2: "<</Type/Pages/Count 1/Kids[8 0 R]/MediaBox[0 0 200 100]/Resources<</Font<</Other 7 0 R>>>>>>",
          3: "<</Type/Page/Parent 8 0 R/Contents 4 0 R>>",
          8: `<</Type/Pages/Parent 2 0 R/Count 1/Kids[3 0 R]${font}>>`,
        },
      },
    ],
  ])("what pages do not inherit because %s goes", async (_, made: Made) => {
    const node = "/Resources<</Font<</Other 7 0 R>>>>";
    expect(await cleaned({ catalog: layers, node, ...made }, remove)).not.toContain("/Courier");
  });
});

test("what an appearance finds on its page looks up its names in the appearance first", async () => {
  const font = "/Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97";
  const text = await cleaned({
    page: "/Annots[8 0 R]/Resources<</Font<</F1 6 0 R/Glyphs 10 0 R>>>>",
    objects: {
      8: "<</Type/Annot/Subtype/Stamp/Rect[0 0 99 20]/AP<</N 9 0 R>>>>",
      9: stream("BT /Glyphs 9 Tf (a) Tj ET", `${FORM}/Resources 5 0 R`),
      10: `<<${font}/Widths[9]/CharProcs<</a 11 0 R>>/Encoding<</Differences[97/a]>>>>`,
      11: stream("9 0 d0 BT /Other 9 Tf (a) Tj ET"),
    },
  });
  expect(text).toContain("/Courier");
});
