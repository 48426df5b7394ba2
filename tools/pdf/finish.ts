import type { Pieces } from "../pieces.ts";
import { catalogOf, type Pdf } from "./document.ts";
import { latin1 } from "./lexer.ts";
import type { Source } from "./source.ts";
import { isKept, isPrivate } from "./trailer.ts";
import { type Dict, type Value } from "./values.ts";
import { writePdf } from "./write.ts";

/**
 * Writes the first document with the objects it now leads to; the others only as far as it refers to them.
 * `isWhole` keeps what programs put into the trailer for themselves, such as the document that a PDF was made from;
 * of a document with other pages that would be an untruth, and hold what was dropped.
 */
export function finishPdf(pdf: Pdf, { isWhole = false } = {}): Promise<Pieces> {
  const version = pdf.sources
    .map((source) => versionOf(pdf, source))
    .reduce((a, b) => (isLater(a, b) ? a : b));
  const isCompact = pdf.sources.some(({ packs }) => packs.size > 0) || isLater(version, "1.4");
  return writePdf(pdf, {
    trailer: trailerOf(pdf.main, { isWhole: isWhole && pdf.keepsPrivate }),
    version: hasPacks(pdf) && !isLater(version, "1.4") ? "1.5" : version,
    isCompact,
  });
}

function hasPacks(pdf: Pdf): boolean {
  return pdf.sources.some(({ packs }) => packs.size > 0);
}

/** The version of the header or, if later, of the catalog (ISO 32000-1, 7.5.2). */
function versionOf(pdf: Pdf, source: Source): string {
  const header =
    /^%PDF-([1-9]\.[0-9])/.exec(latin1(source.bytes, { to: Math.min(16, source.bytes.length) }))?.[1] ??
    "1.4";
  const own = catalogOf(pdf, source)?.get("Version");
  return typeof own === "string" && /^[1-9]\.[0-9]$/.test(own) && isLater(own, header) ? own : header;
}

function isLater(a: string, b: string): boolean {
  return Number(a) > Number(b);
}

function trailerOf({ trailer }: Source, { isWhole }: { isWhole: boolean }): Dict {
  const entries = [...trailer].filter(([key]) => isKept(key) || (isWhole && isPrivate(key)));
  return new Map<string, Value>(entries);
}
