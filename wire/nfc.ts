/** Longer than any text that is compared or hashed. */
const MOST_LENGTH = 65_536;

/**
 * Whether a text may be put in a form of Unicode (UAX 15). Putting marks in order takes time by the square of their
 * number in a row: one with more of them than the Stream-Safe Text Format allows (section 13), which holds all that is
 * written, stays as it is, as does one that is longer than any may be.
 */
export function isNormalizable(text: string): boolean {
  return text.length <= MOST_LENGTH && !/\p{M}{31}/u.test(text);
}

/** A text in NFC, where it may be put in that form. */
export function normalized(text: string): string {
  return isNormalizable(text) ? text.normalize() : text;
}
