import { encodeBase64 } from "../../wire/base64.ts";
import { utf8 } from "../../wire/bytes.ts";
import { encodingOfMark } from "../../wire/given-text.ts";
import { checkValue, TEXT } from "../file/arguments.ts";
import { cleanFileName } from "../file/file-name.ts";

/** The beginning of the first line in every version. */
const NAME = "age-encryption.org/";
export const VERSION = `${NAME}v1`;
export const ARMOR_BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----";
const BEGIN_LINE = /^[ \t]*-----BEGIN AGE ENCRYPTED FILE-----\r?$/m;
const FOR_PASSPHRASE = `${VERSION}\n-> scrypt `;
/** The beginning of an armored file for a passphrase, in base64 without its last bits. */
const ARMORED_FOR_PASSPHRASE = encodeBase64(utf8(FOR_PASSPHRASE)).slice(
  0,
  Math.floor((FOR_PASSPHRASE.length * 4) / 3),
);
/** Text that may stand before an armor, such as that of a mail. */
const MAX_TEXT_BYTES = 2 ** 14;
/** Bytes that show whether a file is an age file. */
export const AGE_HEAD_BYTES = MAX_TEXT_BYTES + ARMOR_BEGIN.length + 2 + ARMORED_FOR_PASSPHRASE.length;

/** Whether a file begins as an age file of any version, without armor. */
export function isAge(head: Uint8Array): boolean {
  return readLatin1(head, NAME.length) === NAME;
}

/** Whether a file begins as an armored age file, in UTF-8 or UTF-16; text may stand before it. */
export function isArmored(head: Uint8Array): boolean {
  return armorIn(head) !== undefined;
}

/** The text from the line on where an armor begins. */
function armorIn(head: Uint8Array): string | undefined {
  const begin = head.subarray(0, AGE_HEAD_BYTES);
  const text = new TextDecoder(encodingOfMark(begin)).decode(begin);
  const at = text.search(BEGIN_LINE);
  return at < 0 ? undefined : text.slice(at).trimStart();
}

/** What opens a file with this beginning. A passphrase is the only recipient of its file, and so comes first. */
export function opensWith(head: Uint8Array): "password" | "identities" {
  if (isAge(head))
    return readLatin1(head, FOR_PASSPHRASE.length) === FOR_PASSPHRASE ? "password" : "identities";
  const [, line = ""] = armorIn(head)?.split(/\r?\n/) ?? [];
  return line === "" || line.startsWith(ARMORED_FOR_PASSPHRASE) ? "password" : "identities";
}

function readLatin1(head: Uint8Array, length: number): string {
  return new TextDecoder("latin1").decode(head.subarray(0, length));
}

/** The name for an age file: the whole original name, and `.age`. @throws ToolFailure invalid_parameter */
export function ageFileName(filename: string | undefined): string {
  checkValue(filename, "filename", TEXT);
  const name = cleanFileName(filename ?? "", { fallback: "locked", keepsDot: true });
  return cleanFileName(`${name}.age`, { keepsDot: true });
}

/** The name for an opened age file, which contains none. */
export function openedName(filename = ""): string {
  return cleanFileName(filename.replace(/\.age$/i, ""), { fallback: "unlocked.bin", keepsDot: true });
}
