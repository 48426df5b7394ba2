import type { ByteParts } from "../../../wire/byte-parts.ts";
import type { OnProgress } from "../../file/progress.ts";
import { arrayAt, catalogOf, dictAt, type Pdf, resolve } from "../model/document.ts";
import { latin1 } from "../syntax/lexer.ts";
import { NeedsRepair, type Source } from "../reader/source.ts";
import { type Dict, isString, type Value } from "../syntax/values.ts";
import { writePdf } from "./write.ts";

/**
 * Writes the first document with the objects it now leads to; the others only as far as it refers to them.
 * `isWhole` keeps what programs put into the trailer for themselves, such as the document that a PDF was made from;
 * with other pages it would be wrong, and contain what was dropped.
 */
export async function savePdf(
  pdf: Pdf,
  { isWhole = false, onProgress }: { isWhole?: boolean; onProgress?: OnProgress | undefined } = {},
): Promise<ByteParts> {
  const version = pdf.sources
    .map((source) => versionOf(pdf, source))
    .reduce((a, b) => (isLater(a, b) ? a : b));
  const layout = {
    onProgress,
    version: hasObjectStreams(pdf) && !isLater(version, "1.4") ? "1.5" : version,
    useObjectStreams: hasObjectStreams(pdf) || isLater(version, "1.4"),
  };
  const trailer = trailerOf(pdf);
  const own = isWhole ? privateEntries(pdf.main) : [];
  if (own.length > 0) {
    const { budget } = pdf;
    const written = { ...budget.written };
    try {
      return await writePdf(pdf, { ...layout, trailer: new Map([...trailer, ...own]) });
    } catch (error) {
      // Only entries that no reader looks at are unreadable; the document is not damaged.
      if (!(error instanceof NeedsRepair)) throw error;
      budget.written = written;
    }
  }
  return writePdf(pdf, { ...layout, trailer });
}

function hasObjectStreams(pdf: Pdf): boolean {
  return pdf.sources.some(({ objectStreams }) => objectStreams.size > 0);
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

/** Trailer keys of every result. The first /ID stays, because it identifies the document (14.4). */
const KEPT = ["Root", "Info", "ID"];
/** Keys of the old file only: encryption, sections, and the entries of a cross-reference stream. */
const LEFT = [
  ...["Size", "Prev", "XRefStm", "Encrypt", "AuthCode", "Type", "W", "Index", "Length"],
  ...["Filter", "DecodeParms", "DL", "F", "FFilter", "FDecodeParms"],
];

/** An /ID that is not two strings, and an /Info that is no dictionary, make other programs stumble. */
function trailerOf(pdf: Pdf): Dict {
  const { trailer } = pdf.main;
  const kept: Dict = new Map([...trailer].filter(([key]) => KEPT.includes(key)));
  const id = arrayAt(pdf, kept.get("ID"))?.map((each) => resolve(pdf, each));
  if (id?.length !== 2 || !id.every(isString)) kept.delete("ID");
  if (!dictAt(pdf, kept.get("Info"))) kept.delete("Info");
  return kept;
}

/** Private keys; LibreOffice, for example, embeds the source document here. */
function privateEntries({ trailer }: Source): [string, Value][] {
  return [...trailer].filter(([key]) => !KEPT.includes(key) && !LEFT.includes(key));
}
