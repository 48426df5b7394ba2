import { addObject, arrayAt, catalogOf, dictIn, type Pdf, resolve } from "../model/document.ts";
import { changeCatalog } from "../model/pages.ts";
import { randomBytes } from "../security/encryption.ts";
import { hexString } from "../syntax/strings.ts";
import { type Dict, isRef, makeDict, type Value } from "../syntax/values.ts";

/** The version from which on a file may have AES-256 by extension; revision 6 is a part of PDF 2.0 itself. */
export const LEAST_ENCRYPTED_VERSION = "1.7";
const ID_BYTES = 16;

/** Says in the catalog that a file of that version has the encryption of PDF 2.0, as Acrobat and qpdf do. */
export function declareAes256(pdf: Pdf): void {
  const extensions = dictIn(pdf, { dict: catalogOf(pdf), key: "Extensions" }) ?? new Map();
  const adobe = makeDict({ BaseVersion: LEAST_ENCRYPTED_VERSION, ExtensionLevel: 8 });
  changeCatalog(pdf, { Extensions: new Map([...extensions, ["ADBE", adobe]]) });
}

/**
 * The trailer of an encrypted file. Its own strings are never encrypted (ISO 32000-2, 7.6.2), so what is not a
 * reference becomes an object of its own; only the /ID must stay (7.5.5).
 */
export function encryptedTrailer(pdf: Pdf, { trailer, dict }: { trailer: Dict; dict: Dict }): Dict {
  const toObject = (value: Value) => (isRef(value) ? value : addObject(pdf, value));
  const entries = [...trailer].map(([key, value]) => [key, toObject(value)] as const);
  const id = arrayAt(pdf, trailer.get("ID"))?.map((each) => resolve(pdf, each) ?? null);
  return new Map<string, Value>([
    ...entries,
    ["ID", id ?? Array<Value>(2).fill(hexString(randomBytes(ID_BYTES)))],
    ["Encrypt", addObject(pdf, dict)],
  ]);
}
