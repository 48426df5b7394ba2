import type { ByteParts } from "../../../wire/byte-pieces.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { OnProgress } from "../../file/progress.ts";
import { arrayAt, catalogOf, dictAt, type Pdf, resolve, addObject, dictIn } from "../model/document.ts";
import { changeCatalog } from "../model/catalog.ts";
import { NeedsRepair, type PdfSource } from "../reader/source.ts";
import { type Encryption, randomBytes, createEncryptor } from "../security/encryption.ts";
import { claimsPdfA1 } from "../standards/claims.ts";
import { latin1 } from "../syntax/lexer.ts";
import { hexString } from "../syntax/strings.ts";
import { type Dict, isString, type Value, isRef, makeDict } from "../syntax/values.ts";
import { writeLinearized } from "./linearize/linearize.ts";
import { type Layout, writePdf } from "./write.ts";

/** The lowest version that allows AES-256 by an extension; revision 6 belongs to PDF 2.0. */
const LEAST_ENCRYPTED_VERSION = "1.7";
const ID_BYTES = 16;

/** What every function that changes one PDF returns. */
export interface PdfResult {
  readonly bytes: Bytes;
  /** Pages of the original document. */
  readonly pages: number;
  readonly passwordNeeded: boolean;
  readonly warnings: ToolWarning[];
}

interface SaveOptions {
  /** Keeps private entries of programs in the trailer. */
  readonly isWhole?: boolean;
  /** Uses object streams wherever the document may have them, for the smallest file. */
  readonly isPacked?: boolean;
  /** Linearizes the result; no page may inherit attributes. */
  readonly isLinearized?: boolean;
  /** Locks the result. */
  readonly encryption?: Encryption | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Writes the first document with the objects it refers to now; the others only as far as it refers to them. `isWhole`
 * keeps private entries of programs in the trailer, such as the document that a PDF was made from; with other pages it
 * would be wrong, and would contain what was dropped.
 */
export async function savePdf(
  pdf: Pdf,
  { isWhole = false, isPacked = false, isLinearized = false, encryption, onProgress }: SaveOptions = {},
): Promise<ByteParts> {
  if (isLinearized) return writeLinearized(pdf, resultTrailer(pdf), resultVersion(pdf));
  const encryptor = encryption && createEncryptor(encryption);
  const layout = { ...layoutOf(pdf, { encryption, isPacked }), encryptor, onProgress };
  const makeTrailer = (entries: Dict) =>
    encryptor ? encryptedTrailer(pdf, entries, encryptor.dict) : entries;
  const trailer = resultTrailer(pdf);
  const own = isWhole ? privateEntries(pdf.main) : [];
  if (own.length > 0) {
    const { budget } = pdf;
    const written = { ...budget.written };
    try {
      return await writePdf(pdf, { ...layout, trailer: makeTrailer(new Map([...trailer, ...own])) });
    } catch (error) {
      // Only entries that no reader uses are unreadable; the document is not damaged.
      if (!(error instanceof NeedsRepair)) throw error;
      budget.written = written;
    }
  }
  return writePdf(pdf, { ...layout, trailer: makeTrailer(trailer) });
}

function layoutOf(
  pdf: Pdf,
  { encryption, isPacked }: Pick<SaveOptions, "encryption" | "isPacked">,
): Pick<Layout, "version" | "useObjectStreams"> {
  if (!encryption) {
    const useObjectStreams = isPacked ? !claimsPdfA1(pdf) : usesObjectStreams(pdf);
    return { version: versionWith(pdf, useObjectStreams), useObjectStreams };
  }
  const version = latestVersion(pdf);
  if (isLater(version, LEAST_ENCRYPTED_VERSION)) return { version, useObjectStreams: true };
  declareAes256(pdf);
  return { version: LEAST_ENCRYPTED_VERSION, useObjectStreams: true };
}

/** The version that a result states, such as "1.7". */
export function resultVersion(pdf: Pdf): string {
  return versionWith(pdf, usesObjectStreams(pdf));
}

function versionWith(pdf: Pdf, useObjectStreams: boolean): string {
  const version = latestVersion(pdf);
  return useObjectStreams && !isLater(version, "1.4") ? "1.5" : version;
}

/** PDF/A-1 is PDF 1.4, which has no object streams (ISO 19005-1, 6.1.4). */
function usesObjectStreams(pdf: Pdf): boolean {
  const hasObjectStreams = pdf.sources.some(({ objectStreams }) => objectStreams.size > 0);
  return !claimsPdfA1(pdf) && (hasObjectStreams || isLater(latestVersion(pdf), "1.4"));
}

function latestVersion(pdf: Pdf): string {
  return pdf.sources.map((source) => versionOf(pdf, source)).reduce((a, b) => (isLater(a, b) ? a : b));
}

/** The version in the header or, if later, in the catalog (ISO 32000-1, 7.5.2). */
function versionOf(pdf: Pdf, source: PdfSource): string {
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
/** Keys that describe the old file only: encryption, sections, and entries of a cross-reference stream. */
const LEFT = [
  ...["Size", "Prev", "XRefStm", "Encrypt", "AuthCode", "Type", "W", "Index", "Length"],
  ...["Filter", "DecodeParms", "DL", "F", "FFilter", "FDecodeParms"],
];

/**
 * The trailer of a result. An /ID that is not two strings, or an /Info that is not a dictionary, would break other
 * programs.
 */
export function resultTrailer(pdf: Pdf): Dict {
  const { trailer } = pdf.main;
  const kept: Dict = new Map([...trailer].filter(([key]) => KEPT.includes(key)));
  const id = arrayAt(pdf, kept.get("ID"))?.map((each) => resolve(pdf, each));
  if (id?.length !== 2 || !id.every(isString)) kept.delete("ID");
  if (!dictAt(pdf, kept.get("Info"))) kept.delete("Info");
  return kept;
}

/** Private entries; LibreOffice, for example, embeds the source document there. */
function privateEntries({ trailer }: PdfSource): [string, Value][] {
  return [...trailer].filter(([key]) => !KEPT.includes(key) && !LEFT.includes(key));
}

/** States in the catalog that a file of that version uses the encryption of PDF 2.0, as Acrobat and qpdf do. */
function declareAes256(pdf: Pdf): void {
  const extensions = dictIn(pdf, catalogOf(pdf), "Extensions") ?? new Map();
  const adobe = makeDict({ BaseVersion: LEAST_ENCRYPTED_VERSION, ExtensionLevel: 8 });
  changeCatalog(pdf, { Extensions: new Map([...extensions, ["ADBE", adobe]]) });
}

/**
 * The trailer of an encrypted file. Its own strings are never encrypted (ISO 32000-2, 7.6.2), so everything inline
 * becomes an indirect object; only the /ID must stay inline (7.5.5).
 */
function encryptedTrailer(pdf: Pdf, trailer: Dict, dict: Dict): Dict {
  const toObject = (value: Value) => (isRef(value) ? value : addObject(pdf, value));
  const entries = [...trailer].map(([key, value]) => [key, toObject(value)] as const);
  const id = arrayAt(pdf, trailer.get("ID"))?.map((each) => resolve(pdf, each) ?? null);
  return new Map<string, Value>([
    ...entries,
    ["ID", id ?? Array<Value>(2).fill(hexString(randomBytes(ID_BYTES)))],
    ["Encrypt", addObject(pdf, dict)],
  ]);
}
