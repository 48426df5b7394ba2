// slow
import { expect, test } from "vitest";
import { createSharpCodec } from "../../../../adapters/workers/image-sharp.ts";
import { compressPdf } from "../../../../tools/pdf-compress.ts";
import { clearText } from "../support/judges.ts";
import { stream } from "../support/pdf-made.ts";
import { imagePdf, photograph, rawImage } from "./support/image-pdf.ts";

const codec = createSharpCodec();
const [W, H] = [400, 300];
const RGB = photograph(W, H, 3);

/** What is drawn with an image of 400 x 300 pixels, and how wide it then is at 150 dpi; an inch wide needs 200 for its height. */
const DRAWN: Readonly<Record<string, readonly [drawing: Parameters<typeof imagePdf>[1], width: number]>> = {
  "in an inch": [{}, 200],
  "turned by 45 degrees": [{ content: "q 50.9 50.9 -50.9 50.9 90 10 cm /I Do Q" }, 200],
  mirrored: [{ content: "q -72 0 0 -72 90 90 cm /I Do Q" }, 200],
  "in two steps": [{ content: "q 2 0 0 2 0 0 cm 36 0 0 36 0 0 cm /I Do Q" }, 200],
  "at several sizes, of which the largest counts": [
    { content: "q 9 0 0 9 0 0 cm /I Do Q q 72 0 0 72 0 0 cm /I Do Q q 18 0 0 18 0 0 cm /I Do Q" },
    200,
  ],
  "behind an inline image": [
    { content: "BI /W 2 /H 2 /BPC 8 /CS /G ID q\x01EI\nEI q 72 0 0 72 0 0 cm /I Do Q" },
    200,
  ],
  "after a state that was put back": [{ content: "q 9 0 0 9 0 0 cm Q q 72 0 0 72 0 0 cm /I Do Q" }, 200],
  "in units of half an inch": [{ page: "/UserUnit 0.5" }, 100],
  "in a form": [
    {
      content: "q 2 0 0 2 0 0 cm /Fo Do Q",
      objects: {
        10: stream("72 0 0 72 0 0 cm /I Do", "/Subtype/Form/BBox[0 0 72 72]/Matrix[.5 0 0 .5 0 0]"),
      },
    },
    200,
  ],
  "in a pattern": [
    {
      content: "9 0 0 9 0 0 cm /Pattern cs /P scn 0 0 20 20 re f",
      resources: "/Pattern<</P 11 0 R>>",
      objects: {
        11: stream(
          "36 0 0 36 0 0 cm /I Do",
          "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 36 36]/XStep 36/YStep 36/Matrix[2 0 0 2 0 0]/Resources<</XObject<</I 5 0 R>>>>",
        ),
      },
    },
    200,
  ],
  "as a glyph": [
    {
      content: "BT /T 24 Tf 3 0 0 3 0 0 Tm (a) Tj ET",
      resources: "/Font<</F 6 0 R/T 11 0 R>>",
      objects: {
        11: "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 12 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<</XObject<</I 5 0 R>>>>>>",
        12: stream("1 0 d0 /I Do"),
      },
    },
    200,
  ],
  "as a glyph whose font a graphics state sets": [
    {
      content: "BT /G gs (a) Tj ET q 9 0 0 9 0 0 cm /I Do Q",
      resources: "/XObject<</I 5 0 R>>/ExtGState<</G<</Font[11 0 R 180]>>>>",
      objects: {
        11: "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 12 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<</XObject<</I 5 0 R>>>>>>",
        12: stream("1 0 d0 /I Do"),
      },
    },
    W,
  ],
  "by an annotation": [
    {
      content: "",
      page: "/Annots[11 0 R]",
      objects: {
        11: "<</Subtype/Stamp/Rect[0 0 72 72]/AP<</N 12 0 R>>>>",
        12: stream("/I Do", "/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</I 5 0 R>>>>"),
      },
    },
    200,
  ],
  "in content that cannot be read": [{ content: "q 72 0 0 72 0 0 cm /I Do [", resources: "" }, W],
  nowhere: [{ content: "" }, W],
};

test.each(Object.entries(DRAWN))(
  "knows how large an image is that is drawn %s",
  async (_, [drawing, width]) => {
    const samples = rawImage(RGB, { width: W, height: H, space: "/DeviceRGB" });
    const { bytes } = await compressPdf(imagePdf(samples, drawing), { codec });
    expect(clearText(bytes)).toMatch(new RegExp(`/Width ${width}\\b`));
  },
);

test.each([
  [224, 300],
  [225, 300],
  [226, 200],
])(
  "makes images smaller that have more than one and a half times the resolution: %i dpi",
  async (dpi, width) => {
    const side = (72 * 300) / dpi;
    const square = rawImage(photograph(300, 300, 3), { width: 300, height: 300, space: "/DeviceRGB" });
    const file = imagePdf(square, { content: `q ${side} 0 0 ${side} 0 0 cm /I Do Q` });
    expect(clearText((await compressPdf(file, { codec })).bytes)).toMatch(new RegExp(`/Width ${width}\\b`));
  },
);
