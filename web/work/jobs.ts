import { fileJobs } from "../../tools/entries/jobs.ts";
import { ageFileName } from "../../tools/age/age-file.ts";
import type { LockAgeOptions } from "../../tools/age/lock-age.ts";
import type { UnlockFileOptions } from "../../tools/crypto/unlock-file.ts";
import type { StrippedImage } from "../../tools/image/strip-metadata.ts";
import type { FileHash, HashAlgorithm } from "../../tools/file-hash.ts";
import type { ConvertedImage, ConvertOptions } from "../../tools/image-convert.ts";
import type { OnProgress } from "../../tools/file/progress.ts";
import type { CompressedPdf, CompressPdfOptions } from "../../tools/pdf-compress.ts";
import type { MergedPdf, MergeInput, MergeOptions } from "../../tools/pdf-merge.ts";
import type { CompareOptions, TextComparison } from "../../tools/text-compare.ts";
import { entriesOf } from "../app/entries.ts";
import { withBytes, type ByteParts, type WithBytes } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { PackedFailure } from "../../wire/tool-failure.ts";
import { bytesOf } from "./read-chunks.ts";

/** Where a file is among several: the bytes before it, and those of all together. */
export interface FilePosition {
  readonly before: number;
  readonly total: number;
}

export type PageJobs = ReturnType<typeof createPageJobs>;

/** All jobs of a page's worker: those of the server, and some that a browser does differently. */
export function createPageJobs({
  chunksOf,
  onProgress,
}: {
  /** Returns the chunks of a file for a job and reports progress: of this file, or of several. */
  chunksOf: (file: File, position?: FilePosition) => AsyncGenerator<Bytes>;
  onProgress: OnProgress;
}) {
  return {
    ...fileJobsOfPage(onProgress),
    compareTexts,
    convertImage,
    async compressPdf(
      file: File,
      options: Omit<CompressPdfOptions, "onProgress" | "maxBytes">,
    ): Promise<CompressedPdf> {
      const { compressPdf } = await import("../../tools/pdf-compress.ts");
      const { sampleCodec: codec } = await import("./sample-codec.ts");
      return compressPdf(await bytesOf(file), { ...options, codec, onProgress });
    },
    async mergePdf(
      files: FileArguments<readonly MergeInput[]>,
      options: Pick<MergeOptions, "bookmarks" | "evenPages" | "fit">,
    ): Promise<MergedPdf> {
      const { mergePdf } = await import("../../tools/pdf-merge.ts");
      const { canvasCodec: codec } = await import("./canvas-codec.ts");
      const read = files.map(async (file) => ({ ...file, data: await bytesOf(file.data) }));
      return mergePdf(await Promise.all(read), { ...options, codec, onProgress });
    },
    async countPages({ file, password }: { file: File; password: string | undefined }): Promise<number> {
      const bytes = await bytesOf(file);
      const { isImage } = await import("../../tools/file/file-type.ts");
      if (isImage(bytes)) return (await import("../../tools/image/tiff/pages.ts")).countPictures(bytes);
      const { countPages } = await import("../../tools/pdf/count-pages.ts");
      return countPages({ file: bytes, password });
    },
    async countParts({ file, password }: { file: File; password: string | undefined }) {
      const { countParts } = await import("../../tools/pdf/count-pages.ts");
      return countParts({ file: await bytesOf(file), password });
    },
    /** A ZIP that refers to the files where they are: they are read only for their checksums. */
    async zipFiles(files: readonly File[]): Promise<Blob> {
      const { sumFile, ZipWriter } = await import("../../tools/zip/zip.ts");
      const { cleanFileName } = await import("../../tools/file/file-name.ts");
      const { UniqueNames } = await import("../../tools/file/derived-name.ts");
      const zip = new ZipWriter();
      const names = new UniqueNames();
      const parts: BlobPart[] = [];
      for (const [index, file] of files.entries()) {
        const { size } = file;
        const crc = await sumFile({ size, read: () => chunksOf(file, positionOf(files, index)) }, index);
        parts.push(zip.add({ name: names.give(cleanFileName(file.name)), size, crc }), file);
      }
      return new Blob([...parts, zip.end()]);
    },
    async hashFile(
      file: File,
      options: {
        algorithms: readonly HashAlgorithm[];
        expected: string | undefined;
        filename?: string;
      },
    ): Promise<FileHash> {
      const { hashFile } = await import("../../tools/file-hash.ts");
      return hashFile(chunksOf(file), options);
    },
    async lockFile(
      file: File,
      {
        format,
        target,
        ...options
      }: Omit<LockAgeOptions, "limiter"> & ResultTarget & { format?: "age" | undefined },
    ): Promise<WorkerResult> {
      if (format === "age") {
        const { lockAgeFile } = await import("../../tools/age/lock-age.ts");
        return finish(lockAgeFile(chunksOf(file), options), { filename: ageFileName(file.name), target });
      }
      const { lockFile, lockedFileName, lockedSize } = await import("../../tools/file-encrypt.ts");
      const pieces = lockFile(chunksOf(file), { password: options.password, filename: file.name });
      const sizeBytes = lockedSize(file.size);
      return finish(pieces, { filename: lockedFileName(file.name), target, sizeBytes });
    },
    async unlockFile(
      file: File,
      { target, ...options }: Pick<UnlockFileOptions, "password" | "identities"> & ResultTarget,
    ): Promise<WorkerResult> {
      const { unlockToPieces } = await import("../../tools/crypto/unlock-file.ts");
      const { takeArmor } = await import("../../tools/age/armor.ts");
      const { pieces, filename } = await unlockToPieces(takeArmor(chunksOf(file)), {
        ...options,
        filename: file.name,
      });
      return finish(pieces, { filename, target, sizeBytes: file.size });
    },
    async stripMetadata(file: File): Promise<StrippedImage> {
      return (await import("../../tools/image/strip-metadata.ts")).stripMetadata(await bytesOf(file));
    },
    async countGuesses(password: string): Promise<number> {
      return (await import("./count-guesses.ts")).countGuesses(password);
    },
    async keyFilePassword(keyFile: File, password: string): Promise<string> {
      const { keyFilePassword } = await import("../../tools/file-hash.ts");
      return keyFilePassword(chunksOf(keyFile), { password });
    },
  };
}

/** Where the result is written, if not into memory. */
interface ResultTarget {
  readonly target?: FileSystemFileHandle | undefined;
}

/** A result in memory, or one that is already written. */
type WorkerResult = { readonly filename: string } & ({ readonly bytes: Bytes } | { readonly file: File });

async function finish(
  pieces: AsyncIterable<Bytes>,
  { filename, target, sizeBytes }: ResultTarget & { filename: string; sizeBytes?: number },
): Promise<WorkerResult> {
  if (target) {
    const { writeToTarget } = await import("./save-target.ts");
    return { filename, file: await writeToTarget(target, pieces) };
  }
  const { collectBytes } = await import("../../tools/crypto/chunks.ts");
  return { filename, bytes: await collectBytes(pieces, sizeBytes) };
}

function positionOf(files: readonly File[], index: number): FilePosition {
  const sum = (some: readonly File[]) => some.reduce((bytes, { size }) => bytes + size, 0);
  return { before: sum(files.slice(0, index)), total: sum(files) };
}

async function compareTexts(
  texts: { a: string; b: string },
  options: CompareOptions,
): Promise<TextComparison> {
  return (await import("../../tools/text-compare.ts")).compareTexts(texts, options);
}

async function convertImage(file: File, options: Omit<ConvertOptions, "codec">): Promise<ConvertedImage> {
  const { convertImage: convert } = await import("../../tools/image-convert.ts");
  const { canvasCodec: codec, warnOfFrames } = await import("./canvas-codec.ts");
  const image = await bytesOf(file);
  const made = await convert(image, { ...options, codec });
  return { ...made, warnings: [...made.warnings, ...warnOfFrames(image, options.format)] };
}

/** The same arguments with files in place of their bytes. */
type FileArguments<Value> = Value extends Bytes ? File : { [Key in keyof Value]: FileArguments<Value[Key]> };

type FileJobs = {
  [Name in keyof typeof fileJobs]: (typeof fileJobs)[Name] extends (
    input: infer Input,
    options: infer Options,
  ) => Promise<infer Result>
    ? (input: FileArguments<Input>, options: Omit<Options, "onProgress">) => Promise<WithBytes<Result>>
    : never;
};

type FileJob = (input: unknown, options: object) => Promise<{ readonly bytes: ByteParts }>;

/** The server's file jobs, which here get files, read them in the worker, and report progress. */
function fileJobsOfPage(onProgress: OnProgress): FileJobs {
  const adapt = (job: FileJob) => async (input: unknown, options: object) =>
    withBytes(await job(await readFiles(input), { ...options, onProgress }));
  // The types differ only by files in place of bytes, which readFiles reads, and by onProgress, which is added.
  const entries = entriesOf(fileJobs).map(([name, job]) => [name, adapt(job as FileJob)]);
  return Object.fromEntries(entries) as FileJobs;
}

async function readFiles(value: unknown): Promise<unknown> {
  if (value instanceof File) return bytesOf(value);
  if (Array.isArray(value)) return Promise.all(value.map(readFiles));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await readFiles(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Sent to a worker. */
export interface JobRequest {
  readonly name: keyof PageJobs;
  readonly args: readonly unknown[];
}

/** Sent by a worker; the last reply is not a progress. */
export type JobReply =
  | { readonly progress: number }
  | { readonly result: unknown }
  | { readonly failure: PackedFailure }
  /** The name of a file that cannot be read. */
  | { readonly unreadable: string }
  | { readonly error: { name: string; message: string } };
