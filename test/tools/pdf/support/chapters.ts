import type { Bytes } from "../../../../wire/bytes.ts";
import { makePdf, stream } from "./pdf-made.ts";

/** Six pages with chapters: the first page belongs to none, one chapter leads to its page by a kid alone. */
export function chapters(): Bytes {
  const page = (n: number): Record<number, string> => ({
    [10 * n]: `<</Type/Page/Parent 2 0 R/Contents ${10 * n + 1} 0 R>>`,
    [10 * n + 1]: stream(`BT /F1 18 Tf 20 40 Td (Page ${n}) Tj ET`),
  });
  return makePdf({
    1: "<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R>>",
    2: "<</Type/Pages/Count 6/Kids[10 0 R 20 0 R 30 0 R 40 0 R 50 0 R 60 0 R]/MediaBox[0 0 200 100]/Resources 3 0 R>>",
    3: "<</Font<</F1 4 0 R>>>>",
    4: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    5: "<</First 6 0 R/Last 71 0 R/Count 5>>",
    6: "<</Title(One: a/b)/Parent 5 0 R/Next 7 0 R/Dest[20 0 R/Fit]>>",
    7: "<</Title(Two \\205 2)/Parent 5 0 R/Prev 6 0 R/Next 8 0 R/First 9 0 R/Last 9 0 R/Count 1>>",
    8: "<</Title(A site)/Parent 5 0 R/Prev 7 0 R/Next 70 0 R/A<</S/URI/URI(https://example.org)>>>>",
    9: "<</Title(Two, one)/Parent 7 0 R/A<</S/GoTo/D[40 0 R/Fit]>>>>",
    70: "<</Title<feff00dc00620065>/Parent 5 0 R/Prev 8 0 R/Next 71 0 R/Dest[60 0 R/Fit]>>",
    71: "<</Title(of the same page)/Parent 5 0 R/Prev 70 0 R/Dest[60 0 R/Fit]>>",
    ...page(1),
    ...page(2),
    ...page(3),
    ...page(4),
    ...page(5),
    ...page(6),
  });
}
