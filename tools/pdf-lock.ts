import { type WithByteParts, withBytes } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes, utf8 } from "../wire/bytes.ts";
import { equalBytes } from "./crypto/equal-bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import {
  checkFile,
  type OptionKinds,
  PDF_OPTIONS,
  type PdfOptions,
  readOptions,
  required,
  someOf,
  TEXT,
} from "./file/arguments.ts";
import { changeWarnings, readingWarnings } from "./pdf/model/warnings.ts";
import { readMendedPages } from "./pdf/model/pages.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { MAX_AES256_PASSWORD_BYTES, normalizePassword, whyProhibited } from "./pdf/security/encodings.ts";
import { createEncryption, randomBytes } from "./pdf/security/encryption.ts";
import { type AllowOption, ALLOWED, PDF_RIGHTS, permissionsFor } from "./file/document-options.ts";
import { keepClaims } from "./pdf/standards/keep-claims.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";

const OWNER_BYTES = 32;

export interface LockPdfOptions extends PdfOptions {
  /** The password that opens the result. */
  readonly password: string;
  /** Opens it without restrictions; random and unknown when absent. */
  readonly ownerPassword?: string | undefined;
  /** What readers with `password` may do; everything when absent, nothing when empty or `none`. */
  readonly allow?: readonly AllowOption[] | undefined;
  /** The current password, where the document is locked already. */
  readonly openWith?: string | undefined;
}

const OPTIONS: OptionKinds<LockPdfOptions> = {
  ...PDF_OPTIONS,
  password: required(TEXT),
  ownerPassword: TEXT,
  allow: someOf(ALLOWED),
  openWith: TEXT,
};

export type LockedPdf = Omit<PdfResult, "passwordNeeded">;

/**
 * Encrypts a PDF with AES-256 (ISO 32000-2, 7.6.4, revision 6), with its metadata and attachments. Keys, salts and
 * initialization vectors are new each time, so no two results are alike.
 * @throws ToolFailure missing_parameter, invalid_parameter (field `parameter`); password_required, password_wrong about
 *   `openWith`; wrong_file_type, damaged_file, no_pages,
 *   certificate_required, unsupported_feature, too_complex, result_too_large
 */
export async function lockPdf(file: Uint8Array | Blob, options: LockPdfOptions): Promise<LockedPdf> {
  checkFile(file);
  const given = readOptions(options, OPTIONS);
  return withBytes(await lockPdfToParts(await bytesOf(file), given));
}

/** lockPdf for callers that only send the bytes on. */
export async function lockPdfToParts(
  file: Bytes,
  { openWith, maxBytes, onProgress, ...options }: LockPdfOptions,
): Promise<WithByteParts<LockedPdf>> {
  const secrets = readSecrets(options);
  const locking = withPdf([{ file, password: openWith }], {
    maxBytes,
    work: async (pdf) => {
      const { list } = readMendedPages(pdf);
      // PDF/A forbids encryption (ISO 19005-1, 6.1.3; the later parts too).
      const lost = keepClaims(pdf, { isEncrypted: true });
      const bytes = await savePdf(pdf, { isWhole: true, encryption: createEncryption(secrets), onProgress });
      return {
        bytes,
        pages: list.length,
        warnings: [...readingWarnings(pdf.main), ...changeWarnings(pdf), ...lost],
      };
    },
  });
  return locking.catch((error: unknown) => {
    throw aboutOpenWith(error);
  });
}

function readSecrets({ password, ownerPassword, allow = PDF_RIGHTS }: LockPdfOptions) {
  const permissions = readPermissions(allow);
  const user = readPassword(password, "password");
  const owner = ownerPassword ? readPassword(ownerPassword, "ownerPassword") : randomBytes(OWNER_BYTES);
  if (permissions !== permissionsFor(PDF_RIGHTS) && equalBytes(user, owner)) {
    const message =
      '"ownerPassword" is the same as "password"; with it, nothing would be forbidden to anybody';
    throw new ToolFailure("invalid_parameter", message, { parameter: "ownerPassword" });
  }
  return { password: user, ownerPassword: owner, permissions };
}

function readPermissions(allow: readonly AllowOption[]): number {
  const rights = allow.filter((each) => each !== "none");
  const isKnown = allow.every((each) => ALLOWED.includes(each));
  if (isKnown && (rights.length === allow.length || rights.length === 0)) return permissionsFor(rights);
  const message = `"allow" must be a list of ${PDF_RIGHTS.join(", ")}, or none by itself`;
  throw new ToolFailure("invalid_parameter", message, { parameter: "allow", allowed: ALLOWED });
}

/** The bytes of a new password (ISO 32000-2, 7.6.4.3.3). */
function readPassword(password: string, parameter: "password" | "ownerPassword"): Bytes {
  const range = { parameter, minimum: 1, maximum: MAX_AES256_PASSWORD_BYTES, unit: "bytes" };
  const refuse = (code: "missing_parameter" | "invalid_parameter", what: string) =>
    new ToolFailure(code, `"${parameter}" ${what}`, range);
  if (!password) throw refuse("missing_parameter", "is missing: the document is locked with it");
  const prepared = normalizePassword(password);
  const why = whyProhibited(prepared);
  if (why !== undefined) throw refuse("invalid_parameter", why);
  const bytes = utf8(prepared);
  if (bytes.length >= 1 && bytes.length <= MAX_AES256_PASSWORD_BYTES) return bytes;
  const count = `has ${bytes.length} UTF-8 bytes, as readers of PDFs prepare it`;
  throw refuse("invalid_parameter", `${count}; it may have 1 to ${MAX_AES256_PASSWORD_BYTES}`);
}

/** Says which of the two possible passwords an error is about. */
function aboutOpenWith(error: unknown): unknown {
  if (!(error instanceof ToolFailure)) return error;
  const sentence = OPEN_WITH.get(error.code);
  return sentence === undefined ? error : new ToolFailure(error.code, sentence, error.fields);
}

const OPEN_WITH: ReadonlyMap<ToolFailure["code"], string> = new Map([
  ["password_required", 'The document is locked already; send the password that opens it now as "openWith".'],
  ["password_wrong", '"openWith" does not open the document.'],
]);
