import { cleanFileName } from "../tools/file-name.ts";

/** A name for a result beside the file it was made from: `scan.pdf` turned is `scan-rotated.pdf`. */
export function nameBeside(file: File, { suffix, extension }: { suffix: string; extension: string }): string {
  const stem = file.name.replace(/\.[a-z0-9]{1,5}$/i, "") || "file";
  return cleanFileName(`${stem}${suffix}.${extension}`, { extension });
}
