import { cleanFileName } from "../../tools/file/file-name.ts";

const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  zip: "application/zip",
  txt: "text/plain",
};

/** The media type for a file name, for files that were not made here. */
export function typeOfName(name: string): string {
  return TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}

/** A name for a result, from the name of its source: `scan.pdf` becomes `scan-rotated.pdf`. */
export function resultName(file: File, { suffix, extension }: { suffix: string; extension: string }): string {
  const stem = file.name.replace(/\.[a-z0-9]{1,5}$/i, "") || "file";
  return cleanFileName(`${stem}${suffix}.${extension}`, { extension });
}
