const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
const MAPPED_TO_NOTHING =
  /\u00ad|\u034f|\u1806|\u180b|\u180c|\u180d|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;
/**
 * Tables C.1.2 to C.9 of RFC 3454, which no other property of Unicode sums up, and what the runtime's Unicode does not
 * know. The tables are those of Unicode 3.2; whoever chose a later character, such as an emoji, may keep it.
 */
const PROHIBITED =
  /(?! )[\p{Z}\p{Cc}\p{Cn}\p{Co}\p{Cs}\u0340\u0341\u06dd\u070f\u180e\u200e\u200f\u202a-\u202e\u2061-\u2063\u206a-\u206f\u2ff0-\u2ffb\ufff9-\ufffd\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/u;
/** Table D.1: letters and punctuation of the blocks in which text runs from right to left. */
const RIGHT_TO_LEFT =
  /(?![\u060c\u066a-\u066c\ufd3e\ufd3f])(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[\p{L}\p{P}\u06fd\u06fe]/u;
const LETTER = /[\p{L}\p{Nl}\p{Mc}]/u;

/** A password as readers compare it: mapped and in Unicode's form KC (RFC 4013, 2.1 and 2.2). */
export function normalizePassword(password: string): string {
  return password.replace(SPACES, " ").replace(MAPPED_TO_NOTHING, "").normalize("NFKC");
}

/** Why RFC 4013 (2.3 and 2.4) refuses a password that is normalized, as the rest of a sentence; undefined if it does not. */
export function whyProhibited(normalized: string): string | undefined {
  if (PROHIBITED.test(normalized)) {
    return "holds a character that no PDF password may have, such as a control character or half of a surrogate pair";
  }
  const characters = [...normalized];
  if (!characters.some(isRightToLeft)) return undefined;
  const isMixed = characters.some((each) => LETTER.test(each) && !isRightToLeft(each));
  const [first = "", last = ""] = [characters[0], characters.at(-1)];
  if (!isMixed && isRightToLeft(first) && isRightToLeft(last)) return undefined;
  return "mixes writing directions: with letters that run from right to left it has no others, and begins and ends with one";
}

function isRightToLeft(character: string): boolean {
  return RIGHT_TO_LEFT.test(character);
}
