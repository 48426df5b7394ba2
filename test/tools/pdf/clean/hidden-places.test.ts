import { expect, test } from "vitest";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { assertClean, clearText } from "../support/judges.ts";
import { makePdf, refusal, stream } from "../support/pdf-made.ts";
import { processorMs } from "../../../machine/processor.ts";

const FORM = "/Type/XObject/Subtype/Form/BBox[0 0 200 100]";
const LAYERS = "/Properties<</On 7 0 R/Off 8 0 R>>";
const HIDES = "/OC /Off BDC 11.25 0 77 99 re f EMC /OC /On BDC 22.25 0 77 99 re f EMC";

/** A page with two layers, of which the second is hidden. */
function layered({
  catalog = "",
  pages = "",
  page = `/Resources<<${LAYERS}>>`,
  content = "",
  objects = {},
}: {
  catalog?: string;
  pages?: string;
  page?: string;
  content?: string;
  objects?: Readonly<Record<number, string>>;
}) {
  return makePdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[7 0 R 8 0 R]/D<</OFF[8 0 R]>>>>${catalog}>>`,
      2: `<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]${pages}>>`,
      3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R${page}>>`,
      4: stream(content),
      7: "<</Type/OCG/Name(on)>>",
      8: "<</Type/OCG/Name(gone-layer)>>",
      ...objects,
    },
    { version: "1.5" },
  );
}

async function cleaned(file: ReturnType<typeof layered>): Promise<string> {
  const { bytes } = await cleanPdf(file, { remove: ["layers"] });
  assertClean(bytes);
  return clearText(bytes);
}

const glyphFont = `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 11 0 R>>/Resources<<${LAYERS}>>>>`;

const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`;
const FORM_WITH_FONTS = `<</Fields[11 0 R]/DA(/F 0 Tf)/DR<</Font<</F ${font("Courier")}/G ${font("Times-Roman")}/H ${font("Symbol")}>>>>>>`;

test.each<[string, Parameters<typeof layered>[0]]>([
  [
    "a page that only scripts put in",
    {
      catalog: "/Names<</Templates<</Names[(a)10 0 R]>>>>",
      objects: {
        10: `<</Type/Template/MediaBox[0 0 9 9]/Contents 11 0 R/Resources<<${LAYERS}>>>>`,
        11: stream(HIDES),
      },
    },
  ],
  [
    "an appearance that has a name",
    {
      catalog: "/Names<</AP<</Names[(a)10 0 R]>>>>",
      objects: { 10: stream(HIDES, `${FORM}/Resources<<${LAYERS}>>`) },
    },
  ],
  [
    "a field that is on no page",
    {
      catalog: "/AcroForm<</Fields[10 0 R]>>",
      objects: {
        10: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]/AP<</N 11 0 R>>>>",
        11: stream(HIDES, `${FORM}/Resources<<${LAYERS}>>`),
      },
    },
  ],
  [
    "a font of a form that stands in the catalog",
    {
      catalog: "/AcroForm<</Fields[]/DR<</Font<</T 10 0 R>>>>/DA(/T 0 Tf)>>",
      objects: { 10: glyphFont, 11: stream(`9 0 d0 ${HIDES}`) },
    },
  ],
  [
    "a drawing whose resources lack the layers",
    {
      page: `/Resources<<${LAYERS}/XObject<</X 10 0 R>>>>`,
      content: "/X Do",
      objects: { 10: stream(HIDES, `${FORM}/Resources<</Properties<</Other 7 0 R>>>>`) },
    },
  ],
])("what a hidden layer shows goes from %s", async (_, parts) => {
  const text = await cleaned(layered(parts));
  expect(text).not.toContain("11.25");
  expect(text).toContain("22.25");
  expect(text).not.toContain("/OC /");
});

test.each(["10 0 R", FORM_WITH_FONTS])("fonts that fields inherit stay with %s", async (form) => {
  const objects = {
    10: FORM_WITH_FONTS,
    11: "<</FT/Tx/T(a)/DA(/G 9 Tf)/Kids[12 0 R]>>",
    12: "<</Type/Annot/Subtype/Widget/Parent 11 0 R/P 3 0 R/Rect[0 0 9 9]>>",
  };
  const page = `/Annots[12 0 R]/Resources<<${LAYERS}>>`;
  const text = await cleaned(layered({ catalog: `/AcroForm ${form}`, page, objects }));
  for (const name of ["Courier", "Times-Roman"]) expect(text).toContain(name);
  expect(text).not.toContain("Symbol");
});

test("what only hidden content names goes from resources that pages inherit", async () => {
  const text = await cleaned(
    layered({
      page: "",
      pages: `/Resources<<${LAYERS}/XObject<</X 10 0 R/Y 11 0 R>>>>`,
      content: "/OC /Off BDC /X Do EMC /OC /On BDC /Y Do EMC",
      objects: { 10: stream("11.25 0 0 1 re f", FORM), 11: stream("22.25 0 0 1 re f", FORM) },
    }),
  );
  expect(text).not.toMatch(/11\.25|gone-layer/);
  expect(text).toContain("22.25");
});

const shared = (second: string) =>
  layered({
    page: `/Resources<<${LAYERS}/XObject<</X 10 0 R>>>>`,
    content: "/X Do /Y Do",
    objects: {
      2: "<</Type/Pages/Count 2/Kids[3 0 R 5 0 R]/MediaBox[0 0 200 100]>>",
      5: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<${second}/XObject<</X 10 0 R>>>>>>`,
      10: stream(HIDES, FORM),
    },
  });

test("a drawing that another page shows with other layers is not taken apart", async () => {
  const file = shared("/Properties<</On 7 0 R/Off 7 0 R>>");
  expect(await refusal(() => cleanPdf(file, { remove: ["layers"] }))).toMatchObject({
    code: "unsupported_feature",
    message: expect.stringMatching(/^A drawing shows in one place what is hidden in another/),
  });
  const text = await cleaned(shared(LAYERS));
  expect(text).not.toContain("11.25");
  expect(text).toContain("22.25");
});

test("alternates of an image on a hidden layer go", async () => {
  const pixels = "/Type/XObject/Subtype/Image/Width 1/Height 5/BitsPerComponent 8/ColorSpace/DeviceGray";
  const text = await cleaned(
    layered({
      page: `/Resources<<${LAYERS}/XObject<</I 10 0 R>>>>`,
      content: "/I Do",
      objects: {
        10: stream("00.25", `${pixels}/Alternates[<</Image 11 0 R/OC 8 0 R>><</Image 12 0 R/OC 7 0 R>>]`),
        11: stream("11.25", pixels),
        12: stream("22.25", pixels),
      },
    }),
  );
  expect(text).not.toContain("11.25");
  expect(text).toContain("22.25");
});

test("glyphs that all pages share are looked at once, and not for each page", async () => {
  const names = Array.from({ length: 2_000 }, (_, i) => `/g${i} ${100 + (i % 10)} 0 R`).join("");
  const fonts = Array.from({ length: 10 }, (_, i) => [
    50 + i,
    `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/g0]>>/CharProcs<<${names}>>>>`,
  ]);
  const named = fonts.map(([num]) => `/F${num} ${num} 0 R`).join("");
  const pages = Array.from({ length: 1_000 }, (_, i) => 1_000 + i);
  const file = layered({
    objects: {
      2: `<</Type/Pages/Count 1001/Kids[3 0 R ${pages.map((num) => `${num} 0 R`).join(" ")}]/MediaBox[0 0 200 100]>>`,
      ...Object.fromEntries(fonts),
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [100 + i, stream("9 0 d0 0 0 9 9 re f")])),
      ...Object.fromEntries(
        pages.map((num) => [
          num,
          `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<${LAYERS}/Font<<${named}>>>>>>`,
        ]),
      ),
    },
  });
  expect(await processorMs(() => cleanPdf(file, { remove: ["layers"] }))).toBeLessThan(1_500);
});
