import "./heic.ts";
import type { ByteParts, ByteStream, WithByteParts } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { LockAgeOptions } from "../age/lock-age.ts";
import type { UnlockFileOptions } from "../crypto/unlock-file.ts";
import { imageExtension, RESULT_STEMS } from "../file/derived-name.ts";
import type { FinishedFile, MadeFile, ResultKind, WantedName } from "../file/finish-file.ts";
import type { ConvertedImage, ConvertOptions } from "../image-convert.ts";
import type { CompressedPdf, CompressPdfOptions } from "../pdf-compress.ts";
import type { MergedPdf, MergeInput, MergeOptions } from "../pdf-merge.ts";

/** Jobs that make a file from files and options. The pages' workers run them too, with File objects. */
export const fileJobs = {
  cleanPdf: lazy(async () => (await import("../pdf-clean.ts")).cleanPdfToParts),
  lockPdf: lazy(async () => (await import("../pdf-lock.ts")).lockPdfToParts),
  mergePdf: lazy(async () => (await import("../pdf-merge.ts")).mergePdfToParts),
  rotatePdf: lazy(async () => (await import("../pdf-rotate.ts")).rotatePdfToParts),
  splitPdf: lazy(async () => (await import("../pdf-split.ts")).splitPdfToParts),
  unlockPdf: lazy(async () => (await import("../pdf-unlock.ts")).unlockPdfToParts),
} as const;

/**
 * Every function that the server's workers may run, by its name. A tool is loaded with its first job. A job that makes
 * a file returns it finished, with its digest and all other facts about it.
 */
export const jobs = {
  cleanPdf: finished(fileJobs.cleanPdf, pdf("pdf-clean")),
  lockPdf: finished(fileJobs.lockPdf, pdf("pdf-lock")),
  mergePdf: finished(fileJobs.mergePdf, pdf("pdf-merge")),
  rotatePdf: finished(fileJobs.rotatePdf, pdf("pdf-rotate")),
  splitPdf: finished(fileJobs.splitPdf, ({ type }) => pdf("pdf-split", type)),
  unlockPdf: finished(fileJobs.unlockPdf, pdf("pdf-unlock")),
  stripMetadata: finished(
    async (image: Bytes) => (await import("../image/strip-metadata.ts")).stripMetadata(image),
    (made) => ({ ...imageKind(made), suffix: `-${RESULT_STEMS["image-convert"]}` }),
  ),
  lockAge,
  unlockFile,
  warmUp: lazy(async () => (await import("../pdf/warm-up.ts")).warmUp),
  compareTexts: lazy(async () => (await import("../text/text-compare-json.ts")).compareToJson),
  makePasswords: lazy(async () => (await import("../password.ts")).passwordsToJson),
  parseFiles: lazy(async () => (await import("../../wire/json/json-files.ts")).parseFiles),
  parseTexts: lazy(async () => (await import("../../wire/json/json-files.ts")).parseTexts),
  parseCalls: lazy(async () => (await import("../../wire/json/json-calls.ts")).parseCalls),
  parseFrame: lazy(async () => (await import("../../wire/json/json-calls.ts")).parseFrame),
} as const;

export type ConvertJobOptions = Omit<ConvertOptions, "codec" | "reserve">;

/** Jobs that need an image engine, which their worker provides. */
export type ImageJobs = {
  convertImage(image: Bytes, options: ConvertJobOptions & WantedName): Promise<FinishedFile<ConvertedImage>>;
  compressPdf(
    file: Bytes,
    options: CompressPdfOptions & WantedName,
  ): Promise<FinishedFile<WithByteParts<CompressedPdf>>>;
  mergePdf(
    files: readonly MergeInput[],
    options: Omit<MergeOptions, "codec" | "reserve"> & WantedName,
  ): Promise<FinishedFile<WithByteParts<MergedPdf>>>;
};

/**
 * Turns a job that returns bytes into one that returns a finished file, of this kind unless the caller wants another
 * name.
 */
export function finished<Input, Options, Made extends MadeFile>(
  job: (input: Input, options: Options) => Promise<Made>,
  kind: ResultKind | ((made: Made) => ResultKind),
): (input: Input, options: Options & WantedName) => Promise<FinishedFile<Made>> {
  return async (input, { filename, sentName, ...options }) => {
    // The rest of the options: the tool refuses unknown ones.
    const made = await job(input, options as unknown as Options);
    const { finishFile, resultName } = await import("../file/finish-file.ts");
    const usual = typeof kind === "function" ? kind(made) : kind;
    const fileCount = Array.isArray(input) ? input.length : 1;
    const name = resultName({ filename, sentName }, usual);
    return finishFile(made, { name, type: usual.type, fileCount });
  };
}

export function pdf(tool: keyof typeof RESULT_STEMS, type = "application/pdf"): ResultKind {
  const stem = RESULT_STEMS[tool];
  return { name: `${stem}.${type === "application/zip" ? "zip" : "pdf"}`, suffix: `-${stem}`, type };
}

export function imageKind({ format }: Pick<ConvertedImage, "format">): ResultKind {
  return { name: `image.${imageExtension(format)}`, suffix: "", type: `image/${format}` };
}

const OCTETS = "application/octet-stream";

async function lockAge(
  file: Bytes,
  { filename, ...options }: Omit<LockAgeOptions, "limiter" | "isOwned"> & Pick<WantedName, "filename">,
) {
  const { agePayloadSize, lockAgeFile } = await import("../age/lock-age.ts");
  const { ageFileName } = await import("../age/age-file.ts");
  const { finishPieces } = await import("../file/finish-file.ts");
  const kind = { name: ageFileName(filename), type: OCTETS };
  return finishPieces(lockAgeFile(file, options), { ...kind, sizeBytes: agePayloadSize(file.length) });
}

async function unlockFile(file: Bytes, options: UnlockFileOptions) {
  const { unlockFile: unlock } = await import("../crypto/unlock-file.ts");
  const { finishFile } = await import("../file/finish-file.ts");
  const { isArmored } = await import("../age/age-file.ts");
  const { takeArmor } = await import("../age/armor.ts");
  const unlocked = await unlock(isArmored(file) ? takeArmor(file) : file, options);
  return finishFile(unlocked, { name: unlocked.filename, type: OCTETS });
}

/** A record of jobs by name. */
export type Jobs = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Jobs that write most bytes of a file as they were: a worker need not send these back. */
export type KeepingJob = "cleanPdf" | "mergePdf" | "rotatePdf" | "splitPdf";

/**
 * The result of a job in another process, which joins its parts; where the bytes of its input are kept and most of the
 * result is there, a stream of them.
 */
export type JobResult<Known extends Jobs, Name extends keyof Known> = WithData<
  Awaited<ReturnType<Known[Name]>>,
  Name extends KeepingJob ? Bytes | ByteStream : Bytes
>;

type WithData<Result, Data> = Result extends { readonly data: ByteParts }
  ? Omit<Result, "data"> & { readonly data: Data }
  : Result;

function lazy<Args extends unknown[], Result>(load: () => Promise<(...args: Args) => Result>) {
  return async (...args: Args): Promise<Awaited<Result>> => await (await load())(...args);
}
