import type { Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { detectFileType } from "../../file/file-type.ts";
import { IMAGE_FORMATS } from "../../image/image-info.ts";
import { type Budget, MAX_OBJECT_NUMBER, openBudget } from "../limits.ts";
import { addObject, catalogOf, dictIn, openCache, type Pdf, resolve } from "../model/document.ts";
import { findAes256Key } from "../security/aes256-key.ts";
import { createDecryptor } from "../security/decryptor.ts";
import { pdfPasswordBytes } from "../security/encodings.ts";
import { findMd5Key } from "../security/md5-key.ts";
import { readHandler, type SecurityHandler } from "../security/security-handler.ts";
import { findKeyword } from "../syntax/lexer.ts";
import { isDict, type Value } from "../syntax/values.ts";
import { looksLikePdf } from "./looks-like-pdf.ts";
import { rebuildXref, enterObjectStreams } from "./rebuild-xref.ts";
import { NeedsRepair, type PdfSource, type Decryptor } from "./source.ts";
import { readXrefChain } from "./xref-chain.ts";

const HEADER_WITHIN = 1024;

/** By bit of /P (ISO 32000-1, table 22); the last ones count from revision 3 on. */
const RIGHTS = [
  [3, "print"],
  [4, "modify"],
  [5, "copy"],
  [6, "annotate"],
  [9, "fill_forms"],
  [10, "accessibility"],
  [11, "assemble"],
  [12, "print_high_quality"],
] as const;

/** A file to open. */
export interface PdfInput {
  readonly file: Bytes;
  readonly password?: string | undefined;
}

/**
 * Opens files and does `work` on them. If the cross-reference of a file proves wrong, the work starts again with
 * a rebuilt one.
 * @throws ToolFailure wrong_file_type, damaged_file, password_required, password_wrong, certificate_required,
 *   unsupported_feature, too_complex; with the field `file`, the index, when `isList`
 */
export async function withPdf<T>(
  inputs: readonly PdfInput[],
  {
    maxBytes,
    isList = false,
    work,
  }: { maxBytes?: number | undefined; isList?: boolean; work: (pdf: Pdf) => Promise<T> },
): Promise<T> {
  const broken = new Set<number>();
  for (;;) {
    const pdf = openAll(inputs, { maxBytes, isList, broken });
    try {
      return await work(pdf);
    } catch (error) {
      const index = error instanceof NeedsRepair ? pdf.sources.indexOf(error.source) : -1;
      if (index < 0 || broken.has(index)) throw error;
      // After a second broken file all cross-references are rebuilt, so that work restarts at most twice.
      if (broken.size > 0) inputs.forEach((_, each) => broken.add(each));
      broken.add(index);
    }
  }
}

function openAll(
  inputs: readonly PdfInput[],
  options: { isList: boolean; maxBytes: number | undefined; broken: ReadonlySet<number> },
): Pdf {
  const { maxBytes, isList, broken } = options;
  const sizeBytes = inputs.reduce((sum, { file }) => sum + file.length, 0);
  const budget = openBudget(sizeBytes, maxBytes);
  const sources: PdfSource[] = [];
  inputs.forEach((input, file) => {
    const isBroken = broken.has(file);
    const open = () => openSource(input, { budget, firstNum: file * MAX_OBJECT_NUMBER, isBroken, isList });
    const source = isList ? aboutFile({ file, count: inputs.length }, open) : open();
    sources.push(source);
  });
  const pdf = newPdf(sources, budget, inputs.length * MAX_OBJECT_NUMBER + 1);
  // A catalog written directly into the trailer becomes an indirect object.
  for (const { trailer } of sources) {
    const root = trailer.get("Root");
    if (isDict(root)) trailer.set("Root", addObject(pdf, root));
  }
  return pdf;
}

/** Adds to a ToolFailure which of several files it is about. */
export function aboutFile<T>(place: { file: number; count: number }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureAbout(error, place);
  }
}

/** The failure of one of several files. */
export function failureAbout(error: unknown, { file, count }: { file: number; count: number }): unknown {
  if (!(error instanceof ToolFailure)) return error;
  const label = count === 1 ? "" : `File ${file + 1} of ${count}: `;
  return new ToolFailure(error.code, label + error.message, { ...error.fields, file });
}

interface OpenOptions {
  readonly budget: Budget;
  readonly firstNum: number;
  readonly isBroken: boolean;
  /** Whether an image would be valid here too. */
  readonly isList: boolean;
}

function openSource(
  { file, password }: PdfInput,
  { budget, firstNum, isBroken, isList }: OpenOptions,
): PdfSource {
  const start = findKeyword(file, { word: "%PDF-", to: Math.min(file.length, HEADER_WITHIN) });
  if (start < 0 && !looksLikePdf(file)) throw notPdf(file, isList);
  const source = emptySource(file.subarray(Math.max(0, start)), budget, firstNum);
  if (!isBroken && readXrefChain(source) && findPageTree(source, password)) return source;
  const objectStreams = rebuildXref(source);
  if (findPageTree(source, password, objectStreams)) return source;
  if (start < 0) throw notPdf(file, isList);
  // The pages may exist all the same.
  if (!catalogOf(viewOf(source))) source.trailer.set("Root", new Map([["Type", "Catalog"]]));
  return source;
}

function emptySource(bytes: Bytes, budget: Budget, firstNum: number): PdfSource {
  return {
    bytes,
    firstNum,
    budget,
    entries: new Map(),
    objectStreams: new Map(),
    trailer: new Map(),
    decryptor: undefined,
    encryption: undefined,
    repairs: {
      isRebuilt: false,
      found: 0,
      hasLostObjects: false,
      garbage: 0,
      lostPages: 0,
      hasSearchedPages: false,
      scanned: undefined,
    },
    streamEnds: undefined,
  };
}

/** Sets up decryption and looks for the page tree; false if there is none. */
function findPageTree(
  source: PdfSource,
  password: string | undefined,
  objectStreams: readonly { num: number; at: number }[] = [],
): boolean {
  try {
    openEncryption(source, password);
    enterObjectStreams(source, objectStreams);
    const pdf = viewOf(source);
    return dictIn(pdf, catalogOf(pdf), "Pages") !== undefined;
  } catch (error) {
    if (error instanceof NeedsRepair) return false;
    throw error;
  }
}

/** Sets up the security handler; before that, strings and streams are read without decryption. */
function openEncryption(source: PdfSource, password: string | undefined): void {
  const pdf = viewOf(source);
  source.decryptor = undefined;
  const encrypt = resolve(pdf, source.trailer.get("Encrypt"));
  if (!isDict(encrypt)) return;
  const find = (value: Value | undefined): Value | undefined => resolve(pdf, value);
  const handler = readHandler(encrypt, source.trailer.get("ID"), find);
  const { decryptor, passwordNeeded } = authenticate(handler, password);
  source.objectStreams.clear();
  source.decryptor = decryptor;
  source.encryption = { passwordNeeded, restrictions: restrictionsOf(handler) };
}

function newPdf(sources: readonly PdfSource[], budget: Budget, next: number): Pdf {
  // There is at least one file.
  return { sources, main: sources[0]!, budget, changed: new Map(), cache: openCache(), numbers: { next } };
}

function viewOf(source: PdfSource): Pdf {
  return newPdf([source], source.budget, 0);
}

function notPdf(file: Bytes, isList: boolean): ToolFailure {
  const detected = detectFileType(file);
  const found = detected === "unknown" ? "" : ` but ${detected.toUpperCase()}`;
  const isEmpty = detected === "empty";
  const message = isList
    ? `The file is ${isEmpty ? "empty; PDFs are joined, and" : `neither a PDF nor an image${found};`} JPEG, PNG, WebP, GIF, AVIF, HEIC, TIFF, BMP and ICO can be pages.`
    : `The file is ${isEmpty ? "empty" : `not a PDF${found}`}; a PDF begins with %PDF-.`;
  const expected = isList ? ["pdf", ...IMAGE_FORMATS] : ["pdf"];
  return new ToolFailure("wrong_file_type", message, { expected, detected });
}

/** The failure for a PDF whose pages cannot be found. */
export function damaged(): ToolFailure {
  return new ToolFailure(
    "damaged_file",
    "The PDF is damaged: its pages cannot be found; send an intact copy.",
  );
}

/**
 * Unlocks an encrypted file: without a password if that works, else with the given one.
 * @throws ToolFailure password_required, password_wrong
 */
function authenticate(
  handler: SecurityHandler,
  password: string | undefined,
): { decryptor: Decryptor; passwordNeeded: boolean } {
  const emptyKey = findKey(handler, new Uint8Array(0));
  if (emptyKey) return { decryptor: createDecryptor(handler, emptyKey), passwordNeeded: false };
  if (password === undefined || password === "") {
    throw new ToolFailure(
      "password_required",
      'The document opens only with a password; send it as "password".',
      { passwordNeeded: true },
    );
  }
  for (const bytes of pdfPasswordBytes(password, handler)) {
    const key = findKey(handler, bytes);
    if (key) return { decryptor: createDecryptor(handler, key), passwordNeeded: true };
  }
  throw new ToolFailure("password_wrong", "The password sent does not open the document.", {
    passwordNeeded: true,
  });
}

function findKey(handler: SecurityHandler, password: Uint8Array): Uint8Array | undefined {
  return handler.isAes256 ? findAes256Key(handler, password) : findMd5Key(handler, password);
}

/** The permissions that the document withholds, such as `print` and `copy`. */
function restrictionsOf({ permissions, revision }: SecurityHandler): string[] {
  const known = RIGHTS.filter(([bit]) => revision >= 3 || bit <= 6);
  return known.filter(([bit]) => (permissions & (1 << (bit - 1))) === 0).map(([, name]) => name);
}
