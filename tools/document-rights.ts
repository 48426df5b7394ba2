/** What a document may allow, with the bits of /P that say so (ISO 32000-2, table 22). */
const RIGHTS = {
  print: [3, 12],
  copy: [5],
  edit: [4],
  annotate: [6],
  fill: [9],
  assemble: [11],
} as const;

export type PdfRight = keyof typeof RIGHTS;

/** All of them; the keys of a literal are those of its type. */
export const PDF_RIGHTS = Object.keys(RIGHTS) as PdfRight[];

/** What may be allowed in a document, or nothing of it; `none` stands alone. */
export const ALLOWED = [...PDF_RIGHTS, "none"] as const;

export type Allowed = (typeof ALLOWED)[number];

/** Bits 7, 8 and 13 to 32, which are always set, and 10: reading aloud may no longer be forbidden. */
const ALWAYS = 0xfffff2c0;

/** The value of /P that allows these and nothing else. */
export function permissionsFor(rights: readonly PdfRight[]): number {
  return rights
    .flatMap((right) => RIGHTS[right])
    .reduce((value, bit) => value | (1 << (bit - 1)), ALWAYS | 0);
}
