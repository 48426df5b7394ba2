/** Longer than any text that is compared or hashed. */
const MOST_LENGTH = 65_536;

/** More marks in a row than the Stream-Safe Text Format allows (UAX 15, 13), which holds all that is written. */
const LONG_RUN = /\p{M}{31}/u;

/**
 * A text in NFC (UAX 15), or in another form. Putting marks in order takes time by the square of their number in a row,
 * so a text with long runs of them, or that is longer than any may be, stays as it is.
 */
export function normalized(text: string, form: "NFC" | "NFKC" = "NFC"): string {
  return text.length > MOST_LENGTH || LONG_RUN.test(text) ? text : text.normalize(form);
}
