import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { pageDict, readPages } from "../../../tools/pdf/model/pages.ts";
import type { ActionContext } from "../../../tools/pdf/navigation/actions.ts";
import { pruneSteps } from "../../../tools/pdf/navigation/presentation.ts";
import { withPdf } from "../../../tools/pdf/reader/open.ts";
import { textOf as textOfString } from "../../../tools/pdf/syntax/strings.ts";
import { isString } from "../../../tools/pdf/syntax/values.ts";
import { makePdf, stream, textOf } from "./support/pdf-made.ts";

describe("a part of a PDF", () => {
  test("does not copy what all pages share but one uses", async () => {
    const photo = "x".repeat(50_000);
    const objects: Record<number, string> = {
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 9/Kids[11 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 19 0 R]/MediaBox[0 0 9 9]/Resources 3 0 R>>",
      3: `<</XObject<<${Array.from({ length: 9 }, (_, i) => `/Im${i + 1} ${31 + i} 0 R`).join("")}>>>>`,
    };
    for (let i = 1; i <= 9; i++) {
      objects[10 + i] = `<</Type/Page/Parent 2 0 R/Contents ${20 + i} 0 R>>`;
      objects[20 + i] = stream(`/Im${i} Do`);
      objects[30 + i] = stream(
        photo,
        "/Type/XObject/Subtype/Image/Width 500/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray",
      );
    }
    const whole = makePdf(objects);
    const { bytes } = await splitPdf(whole, { mode: "each" });
    expect(bytes.length).toBeLessThan(whole.length * 1.1);
  });

  test("finds the drawings used inside a drawing that has no resources of its own", async () => {
    const inner = zlibSync(new TextEncoder().encode("/Im2 Do"));
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]/Resources<</XObject<</Fm1 6 0 R/Im2 7 0 R/Im3 8 0 R>>>>>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R>>",
      4: "<</Type/Page/Parent 2 0 R>>",
      5: stream("/Fm1 Do"),
      6: stream(textOf(inner), "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode"),
      7: stream(
        "NEEDED",
        "/Type/XObject/Subtype/Image/Width 1/Height 6/BitsPerComponent 8/ColorSpace/DeviceGray",
      ),
      8: stream(
        "FOREIGN",
        "/Type/XObject/Subtype/Image/Width 1/Height 7/BitsPerComponent 8/ColorSpace/DeviceGray",
      ),
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1" });
    expect(textOf(bytes)).toContain("NEEDED");
    expect(textOf(bytes)).not.toContain("FOREIGN");
  });

  test("finds in the page's resources what a drawing of many pages names and does not have", async () => {
    const image = (name: string): string =>
      stream(name, "/Type/XObject/Subtype/Image/Width 1/Height 7/BitsPerComponent 8/ColorSpace/DeviceGray");
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</XObject<</Fm 7 0 R/Im 11 0 R>>>>>>",
      4: "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</XObject<</Fm 7 0 R/Im 12 0 R/Of 13 0 R>>>>>>",
      5: "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</XObject<</Fm 7 0 R/Im 14 0 R>>>>>>",
      6: stream("/Fm Do"),
      7: stream("/In Do", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</In 8 0 R>>>>"),
      8: stream("/Im Do", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>"),
      ...{ 11: image("NEEDED1"), 12: image("NEEDED2"), 13: image("FOREIGN"), 14: image("NEEDED3") },
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1,2" });
    expect(textOf(bytes).match(/NEEDED.|FOREIGN/g)).toEqual(["NEEDED1", "NEEDED2"]);
  });

  test("keeps of each page what an inline image of a shared glyph may name, and no more", async () => {
    const space = (name: string): string => stream(name, "/N 1");
    const page = (space: number, other: number): string =>
      `<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</Font<</F 7 0 R>>/ColorSpace<</CS [/ICCBased ${space} 0 R]/Of [/ICCBased ${other} 0 R]>>>>>>`;
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
      3: page(11, 12),
      4: page(13, 14),
      6: stream("BT /F 9 Tf (a) Tj ET"),
      7: "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 8 0 R>>/Resources<</ProcSet[/PDF]>>>>",
      8: stream("9 0 d0 BI /W 1 /H 1 /BPC 8 /CS /CS ID x EI"),
      11: space("FIRST"),
      12: space("FOREIGN"),
      13: space("SECOND"),
      14: space("FOREIGN"),
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1-2" });
    expect(textOf(bytes)).toContain("FIRST");
    expect(textOf(bytes)).toContain("SECOND");
    expect(textOf(bytes)).not.toContain("FOREIGN");
  });

  test("keeps the default color spaces of pages and drawings, which content uses without naming them", async () => {
    const space = (num: number): string =>
      `/ColorSpace<</DefaultRGB [/ICCBased ${num} 0 R]/Of [/ICCBased 9 0 R]>>`;
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
      3: `<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<</XObject<</Fm 5 0 R>>${space(7)}>>>>`,
      4: "<</Type/Page/Parent 2 0 R/Contents 6 0 R>>",
      5: stream("1 0 0 rg 0 0 9 9 re f", `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<${space(8)}>>`),
      6: stream("/Fm Do"),
      7: stream("FIRST", "/N 3"),
      8: stream("SECOND", "/N 3"),
      9: stream("FOREIGN", "/N 3"),
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1" });
    expect(textOf(bytes)).toContain("FIRST");
    expect(textOf(bytes)).toContain("SECOND");
    expect(textOf(bytes)).not.toContain("FOREIGN");
  });

  test("keeps of each drawing what a glyph names that only the resources of drawings have", async () => {
    const form = (num: number): string =>
      stream(
        "BT /F 9 Tf (a) Tj ET",
        `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 9 0 R>>/XObject<</X ${num} 0 R>>>>`,
      );
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</XObject<</M 6 0 R>>>>>>",
      4: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</XObject<</M 7 0 R>>>>>>",
      5: stream("/M Do"),
      6: form(11),
      7: form(12),
      8: stream("9 0 d0 /X Do"),
      9: "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 8 0 R>>>>",
      11: stream("% FIRST", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
      12: stream("% SECOND", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1-2" });
    expect(textOf(bytes).match(/FIRST|SECOND/g)).toEqual(["FIRST", "SECOND"]);
  });

  test("keeps of each page what a shared drawing may name that cannot be read", async () => {
    const cut = textOf(zlibSync(new TextEncoder().encode("/X Do"))).slice(0, -5);
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</XObject<</M 6 0 R/X 7 0 R>>>>>>",
      4: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</XObject<</M 6 0 R/X 8 0 R>>>>>>",
      5: stream("/M Do"),
      6: stream(
        cut,
        "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</ProcSet[/PDF]>>/Filter/FlateDecode",
      ),
      7: stream("% FIRST", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
      8: stream("% SECOND", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1-2" });
    expect(textOf(bytes).match(/FIRST|SECOND/g)).toEqual(["FIRST", "SECOND"]);
  });

  test("keeps what a shared drawing names on a page, also where an earlier one has the drawing's resources", async () => {
    const file = makePdf({
      1: "<</Type/Catalog/Pages 2 0 R>>",
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources 7 0 R>>",
      4: "<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</XObject<</M 6 0 R/X 8 0 R>>>>>>",
      5: stream("/M Do"),
      6: stream("/X Do", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 7 0 R"),
      7: "<</XObject<</M 6 0 R>>>>",
      8: stream("% NEEDED", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
    });
    const { bytes } = await splitPdf(file, { mode: "keep", range: "1-2" });
    expect(textOf(bytes)).toContain("NEEDED");
  });
});

test("a presentation step that several pages lead to is read once", async () => {
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /PresSteps 5 0 R >>";
  const data = makePdf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
    ...{ 3: page, 4: page },
    5: "<< /Type /NavNode /Next 6 0 R /NA << /S /GoTo /D (a) >> >>",
    6: "<< /Type /NavNode /Prev 5 0 R /PA << /S /GoTo /D (b) >> >>",
  });
  const changed: string[] = [];
  await withPdf([{ file: data }], {
    work: async (pdf) => {
      const context: ActionContext = {
        pdf,
        changeDestination: (dest) => {
          if (isString(dest)) changed.push(textOfString(dest));
          return dest;
        },
        isKept: () => true,
        changeFieldName: (name) => name,
        changeFileName: (name) => name,
        findMovie: () => undefined,
        isLayerKept: () => true,
      };
      for (const each of readPages(pdf).list) pruneSteps(pageDict(pdf, each), context);
    },
  });
  expect(changed).toEqual(["a", "b"]);
});
