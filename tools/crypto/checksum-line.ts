import { escapeName } from "../../wire/escaped-name.ts";

/** Which form a line has; GNU's own is digest, two blanks, name. */
export interface LineOptions {
  /** "SHA256 (name) = digest", which says its algorithm. */
  tag?: boolean | undefined;
  /** Ends with NUL in place of a line break, and then no name needs an escape. */
  zero?: boolean | undefined;
}

/**
 * Writes one line of a list of checksums, with its end. A name with a line break would otherwise be a second line, and
 * that a checksum which nobody computed. The form is that of GNU coreutils, "cksum output modes".
 */
export function writeChecksumLine(
  { algorithm, hex, name }: { algorithm: string; hex: string; name: string },
  { tag, zero }: LineOptions = {},
): string {
  const shown = zero ? name : escapeName(name);
  const mark = shown === name ? "" : "\\";
  const end = zero ? "\0" : "\n";
  // As b2sum writes it, and reads it only so.
  const title = algorithm === "blake2b" ? "BLAKE2b" : algorithm.toUpperCase();
  return tag ? `${mark}${title} (${shown}) = ${hex}${end}` : `${mark}${hex}  ${shown}${end}`;
}
