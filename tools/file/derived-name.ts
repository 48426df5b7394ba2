import { addToStem, cleanFileName } from "./file-name.ts";

/** How each tool calls its results: `scan-rotated.pdf` after `scan.pdf`, `rotated.pdf` where no name is known. */
export const RESULT_STEMS = {
  "pdf-clean": "cleaned",
  "pdf-compress": "compressed",
  "pdf-lock": "locked",
  "pdf-merge": "merged",
  "pdf-rotate": "rotated",
  "pdf-split": "pages",
  "pdf-unlock": "unlocked",
  /** Where it leaves the format as it is. */
  "image-convert": "stripped",
} as const;

/** The extension of images in a format. */
export function imageExtension(format: string): string {
  return format === "jpeg" ? "jpg" : format;
}

/**
 * Gives each name once. Names that differ only in case are the same file on many systems. Repeated names get a
 * number, as in `a-2.txt`.
 */
export class UniqueNames {
  readonly #taken: Set<string>;
  /** The next number for each name: trying all of them again would take hours for 70,000 equal names. */
  readonly #next = new Map<string, number>();

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken);
  }

  give(name: string): string {
    const same = name.toLowerCase();
    let next = this.#next.get(same) ?? 2;
    let unique = name;
    for (; this.#taken.has(unique.toLowerCase()); next++) unique = addToStem(name, `-${next}`);
    this.#taken.add(unique.toLowerCase());
    this.#next.set(same, next);
    return unique;
  }
}

/**
 * A clean name for a result, from the name of its source: `scan.pdf` with "-rotated" becomes `scan-rotated.pdf`. The
 * suffix is kept even after a name of 255 bytes.
 */
export function nameAfter(
  source: string,
  { suffix, extension, fallback = "file" }: { suffix: string; extension: string; fallback?: string },
): string {
  const stem = cleanFileName(source, { fallback }).replace(/(?<=.)\.[a-z0-9]{1,5}$/i, "");
  return addToStem(cleanFileName(`${stem}.${extension}`, { extension }), suffix);
}
