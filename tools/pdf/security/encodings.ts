import { type Bytes, utf8 } from "../../../wire/bytes.ts";
import { isNormalizable } from "../../../wire/nfc.ts";
import { encoder, toPdfDoc } from "../syntax/strings.ts";

/** The characters for the bytes 0x80 … 0x9f in Windows-1252; 0 for none. */
const WINDOWS = [
  0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0,
  0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e,
  0x178,
];

const toWindows = encoder([{ first: 0x80, codes: WINDOWS }]);

/** ISO 32000-2, 7.6.4.3.3. */
export const MAX_AES256_PASSWORD_BYTES = 127;

/**
 * The bytes a password may have been turned into, by revision: the standard says PDFDocEncoding up to R 4 and
 * SASLprep UTF-8 from R 5 on; programs did as they liked.
 */
export function pdfPasswordBytes(password: string, { isAes256 }: { isAes256: boolean }): Bytes[] {
  const candidates = isAes256
    ? [utf8(password), utf8(normalizePassword(password)), toPdfDoc(password), toWindows(password)]
    : [toPdfDoc(password), toWindows(password), utf8(password)];
  const most = isAes256 ? MAX_AES256_PASSWORD_BYTES : 32;
  const known = candidates.filter((bytes) => bytes !== undefined);
  const uncut = isAes256 ? known.filter((bytes) => bytes.length > most) : [];
  return [...known.map((bytes) => bytes.subarray(0, most)), ...uncut];
}

const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
const MAPPED_TO_NOTHING =
  /\u00ad|\u034f|\u1806|\u180b|\u180c|\u180d|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;
/**
 * Tables C.1.2 to C.9 of RFC 3454, which no other Unicode property covers, and characters that the runtime's Unicode
 * lacks. The tables are those of Unicode 3.2; later characters, such as emoji, are allowed.
 */
const PROHIBITED =
  /(?! )[\p{Z}\p{Cc}\p{Cn}\p{Co}\p{Cs}\u0340\u0341\u06dd\u070f\u180e\u200e\u200f\u202a-\u202e\u2061-\u2063\u206a-\u206f\u2ff0-\u2ffb\ufff9-\ufffd\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u;
/** Table D.1: letters and punctuation of the blocks in which text runs from right to left. */
const RIGHT_TO_LEFT =
  /(?![\u060c\u066a-\u066c\ufd3e\ufd3f])(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[\p{L}\p{P}\u06fd\u06fe]/u;
const LETTER = /[\p{L}\p{Nl}\p{Mc}]/u;

/** A password as readers compare it: mapped and in Unicode's form KC (RFC 4013, 2.1 and 2.2). */
export function normalizePassword(password: string): string {
  const mapped = password.replace(SPACES, " ").replace(MAPPED_TO_NOTHING, "");
  return isNormalizable(mapped) ? mapped.normalize("NFKC") : mapped;
}

/** Why RFC 4013 (2.3 and 2.4) refuses a password that is normalized, as the rest of a sentence; undefined if it does not. */
export function whyProhibited(password: string): string | undefined {
  if (PROHIBITED.test(password)) {
    return "holds a character that no PDF password may have, such as a control character or half of a surrogate pair";
  }
  const characters = [...password];
  if (!characters.some(isRightToLeft)) return undefined;
  const isMixed = characters.some((each) => LETTER.test(each) && !isRightToLeft(each));
  const [first = "", last = ""] = [characters[0], characters.at(-1)];
  if (!isMixed && isRightToLeft(first) && isRightToLeft(last)) return undefined;
  return "mixes writing directions: with letters that run from right to left it has no others, and begins and ends with one";
}

function isRightToLeft(character: string): boolean {
  return RIGHT_TO_LEFT.test(character);
}
