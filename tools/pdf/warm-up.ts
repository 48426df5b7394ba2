import { mergePdf } from "../pdf-merge.ts";
import { rotatePdf } from "../pdf-rotate.ts";
import { splitPdf } from "../pdf-split.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { writePlainPdf } from "./writer/serialize.ts";

const PAGES = 150;
const LINE = "BT /F1 12 Tf 72 720 Td (A line of text) Tj ET";

/** Loads what the PDF tools have in common and runs it on a small document, so that the first caller need not wait for it. */
export async function warmUp(): Promise<void> {
  // Its result has object streams, which are read in another way than the sample.
  const { bytes } = await rotatePdf(sampleDocument(), { angle: 90 });
  await splitPdf(bytes, { mode: "keep", range: "1-z" });
  await mergePdf([{ data: bytes }]);
}

/** Pages of text with a link each. */
function sampleDocument(): Bytes {
  const pages = Array.from({ length: PAGES }, (_, i) => 4 + 3 * i);
  const kids = pages.map((num) => `${num} 0 R`).join(" ");
  const bodies = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${PAGES}/Kids[${kids}]/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...pages.flatMap((num) => [
      `<</Type/Page/Parent 2 0 R/Contents ${num + 1} 0 R/Annots[${num + 2} 0 R]>>`,
      `<</Length ${LINE.length}>>\nstream\n${LINE}\nendstream`,
      `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/P ${num} 0 R/Dest[${num} 0 R/Fit]>>`,
    ]),
  ];
  return writePlainPdf(bodies);
}
