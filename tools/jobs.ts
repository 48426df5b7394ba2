import "./heic.ts";
import type { Bytes } from "../wire/bytes.ts";
import type { WithByteParts, WithBytes } from "../wire/byte-parts.ts";
import type { ConvertedImage, ConvertOptions } from "./image-convert.ts";
import type { CompressedPdf, CompressPdfOptions } from "./pdf-compress.ts";
import type { Merged, MergeInput, MergeOptions } from "./pdf-merge.ts";

/** Jobs that make a file of files and options. The workers of the pages run them too, and give them files. */
export const fileJobs = {
  cleanPdf: lazy(async () => (await import("./pdf-clean.ts")).cleanPdfToParts),
  lockPdf: lazy(async () => (await import("./pdf-lock.ts")).lockPdfToParts),
  mergePdf: lazy(async () => (await import("./pdf-merge.ts")).mergePdfToParts),
  rotatePdf: lazy(async () => (await import("./pdf-rotate.ts")).rotatePdfToParts),
  splitPdf: lazy(async () => (await import("./pdf-split.ts")).splitPdfToParts),
  unlockPdf: lazy(async () => (await import("./pdf-unlock.ts")).unlockPdfToParts),
} as const;

/**
 * Every function that the server's workers may run, under the name by which it is asked for. A tool is loaded with
 * its first job.
 */
export const jobs = {
  ...fileJobs,
  warmUp: lazy(async () => (await import("./pdf/warm-up.ts")).warmUp),
  lockAge: lazy(async () => (await import("./age/lock-age.ts")).lockAge),
  stripMetadata: lazy(async () => (await import("./image/strip-metadata.ts")).stripMetadata),
  unlockFile: lazy(async () => (await import("./crypto/unlock-file.ts")).unlockFile),
  compareTexts: lazy(async () => (await import("./text/text-compare-json.ts")).compareToJson),
  makePasswords: lazy(async () => (await import("./passwords/password-json.ts")).passwordsToJson),
  parseFiles: lazy(async () => (await import("../wire/json/json-files.ts")).parseFiles),
  parseTexts: lazy(async () => (await import("../wire/json/json-files.ts")).parseTexts),
  parseCalls: lazy(async () => (await import("../wire/json/json-calls.ts")).parseCalls),
  parseFrame: lazy(async () => (await import("../wire/json/json-calls.ts")).parseFrame),
} as const;

/** Jobs that need an engine for images, which whoever runs them brings along. */
export type ImageJobs = {
  convertImage(image: Bytes, options: Omit<ConvertOptions, "codec" | "reserve">): Promise<ConvertedImage>;
  compressPdf(file: Bytes, options: CompressPdfOptions): Promise<WithByteParts<CompressedPdf>>;
  mergePdf(
    files: readonly MergeInput[],
    options: Omit<MergeOptions, "codec" | "reserve">,
  ): Promise<WithByteParts<Merged>>;
};

/** A record of jobs by name. */
export type Jobs = Readonly<Record<string, (...args: never[]) => unknown>>;

/** What a job answers once its result has crossed to another process. */
export type JobResult<Job extends Jobs[string]> = WithBytes<Awaited<ReturnType<Job>>>;

function lazy<Args extends unknown[], Result>(load: () => Promise<(...args: Args) => Result>) {
  return async (...args: Args): Promise<Awaited<Result>> => await (await load())(...args);
}
