import { mergePdf } from "../pdf-merge.ts";
import { rotatePdf } from "../pdf-rotate.ts";
import { splitPdf } from "../pdf-split.ts";
import type { Bytes } from "../../wire/bytes.ts";

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
  let text = "%PDF-1.7\n";
  let xref = "0000000000 65535 f \n";
  for (const [i, body] of bodies.entries()) {
    xref += `${String(text.length).padStart(10, "0")} 00000 n \n`;
    text += `${i + 1} 0 obj\n${body}\nendobj\n`;
  }
  const size = bodies.length + 1;
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return new TextEncoder().encode(`${text}xref\n0 ${size}\n${xref}${trailer}`);
}
