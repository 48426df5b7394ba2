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
