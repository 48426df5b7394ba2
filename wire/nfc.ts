/** More than any text has that is compared or hashed: 1,024 characters of a base and three marks. */
const MOST_LENGTH = 4096;

/**
 * A text in NFC (UAX 15), or in another form. Putting marks in order takes time by the square of their number, so a text
 * that is longer than any may be stays as it is, to be refused by its length.
 */
export function normalized(text: string, form: "NFC" | "NFKC" = "NFC"): string {
  return text.length > MOST_LENGTH ? text : text.normalize(form);
}
