// Run by heap.test.ts with little heap: makes one of these files and works on it.
import { deflateSync } from "node:zlib";
import { cleanPdf } from "../../../tools/pdf-clean.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { makePdf, stream, textOf } from "../../tools/pdf/support/pdf-made.ts";

const MILLION = 1_000_000;
const PAGES = "<</Type/Pages/Count 1/Kids[3 0 R]>>";
const PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>";

function withMetadata(text: string): Bytes {
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>",
    2: PAGES,
    3: PAGE,
    4: stream(textOf(deflateSync(text)), "/Type/Metadata/Subtype/XML/Filter/FlateDecode"),
  });
}

/** A page with a link whose address has so many characters of UTF-16. */
function withWideAddress(characters: number): Bytes {
  const address = "FEFF" + "0061".repeat(characters);
  const action = `<</S/URI/URI<${address}>>>`;
  const link = `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A${action}>>`;
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R>>",
    2: PAGES,
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[${link}]>>`,
  });
}

const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  metadata: () => rotatePdf(withMetadata("x".repeat(40 * MILLION)), { angle: 90 }),
  properties: () => rotatePdf(withMetadata(' pdfaid:amd="1"'.repeat(2 * MILLION)), { angle: 90 }),
  address: () => cleanPdf(withWideAddress(12 * MILLION), { remove: ["scripts"] }),
};

await WORK[process.argv[2] ?? ""]?.();
console.log("done");
