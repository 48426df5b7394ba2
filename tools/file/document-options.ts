// Options of the PDF tools, separate from the engines, so that the server and the pages can check them without loading
// those.

/** What can be removed from a document. */
export const REMOVABLE = [
  "metadata",
  "scripts",
  "attachments",
  "annotations",
  "forms",
  "bookmarks",
  "layers",
] as const;

export type Removable = (typeof REMOVABLE)[number];

export const REMOVED_BY_DEFAULT = ["metadata", "scripts", "attachments"] as const satisfies Removable[];

/** What a caller may name; `none` stands alone: the document is only rewritten. */
export const REMOVE = [...REMOVABLE, "none"] as const;

export type RemoveChoice = (typeof REMOVE)[number];

/** The quality of compressed images, and their resolution. */
export const QUALITY_RANGE = { minimum: 1, maximum: 100 } as const;
export const DPI_RANGE = { minimum: 36, maximum: 600 } as const;
export const DEFAULT_QUALITY = 75;
export const DEFAULT_DPI = 150;

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

/** What may be allowed in a document; `none` stands alone. */
export const ALLOWED = [...PDF_RIGHTS, "none"] as const;

export type AllowOption = (typeof ALLOWED)[number];

/** Bits 7, 8 and 13 to 32, which are always set, and 10: reading aloud may no longer be forbidden. */
const ALWAYS = 0xfffff2c0;

/** The value of /P that allows these and nothing else. */
export function permissionsFor(rights: readonly PdfRight[]): number {
  return rights
    .flatMap((right) => RIGHTS[right])
    .reduce((value, bit) => value | (1 << (bit - 1)), ALWAYS | 0);
}

/**
 * The pages that images become: as large as the image at its resolution, or a sheet that it fills as far as possible.
 */
export const IMAGE_FITS = ["image", "a4", "letter"] as const;

export type ImageFit = (typeof IMAGE_FITS)[number];
