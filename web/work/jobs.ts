import { jobs } from "../../tools/jobs.ts";
import type { FileHash, HashAlgorithm } from "../../tools/file-hash.ts";
import type { ConvertedImage, ConvertOptions } from "../../tools/image-convert.ts";
import type { CompareOptions, TextComparison } from "../../tools/text-compare.ts";
import { withBytes, type ByteParts, type WithBytes } from "../../wire/byte-parts.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** What a job in a page reads its file from, telling how far it has come. */
export type ReadChunks = (file: File) => AsyncGenerator<Bytes>;

export type PageJobs = ReturnType<typeof createPageJobs>;

/** Everything that the worker of a page may run: the jobs of the server, and some that a browser does in its own way. */
export function createPageJobs(chunksOf: ReadChunks) {
  return {
    mergePdf: onFiles(jobs.mergePdf),
    rotatePdf: onFiles(jobs.rotatePdf),
    splitPdf: onFiles(jobs.splitPdf),
    unlockPdf: onFiles(jobs.unlockPdf),
    compareTexts,
    convertImage,
    async zipFiles(files: readonly File[]): Promise<{ readonly bytes: Bytes }> {
      const { zipFiles } = await import("../../tools/zip.ts");
      const { collectBytes } = await import("../../tools/crypto/chunks.ts");
      return {
        bytes: await collectBytes(
          zipFiles(files.map((file) => ({ name: file.name, source: chunksOf(file) }))),
        ),
      };
    },
    async hashFile(file: File, options: HashOptions): Promise<FileHash> {
      const { createWasmHasher: createHasher } = await import("./hasher.ts");
      const { hashFile } = await import("../../tools/file-hash.ts");
      return hashFile(chunksOf(file), { ...options, createHasher });
    },
    async lockFile(file: File, { password }: { password: string }): Promise<PlainOrLocked> {
      const { lockFile, lockedFileName, lockedSize } = await import("../../tools/file-encrypt.ts");
      const { collectBytes } = await import("../../tools/crypto/chunks.ts");
      const pieces = lockFile(chunksOf(file), { password, filename: file.name });
      const bytes = await collectBytes(pieces, lockedSize(file.size));
      return { bytes, filename: lockedFileName(file.name) };
    },
    async unlockFile(file: File, options: { password: string }): Promise<PlainOrLocked> {
      return (await import("../../tools/file-encrypt.ts")).unlockFile(chunksOf(file), {
        ...options,
        sizeBytes: file.size,
      });
    },
  };
}

interface HashOptions {
  readonly algorithms: readonly HashAlgorithm[];
  readonly expected: string | undefined;
}

interface PlainOrLocked {
  readonly bytes: Bytes;
  readonly filename: string;
}

type Texts = { readonly a: string; readonly b: string };

async function compareTexts(texts: Texts, options: Omit<CompareOptions, "pause">): Promise<TextComparison> {
  return (await import("../../tools/text-compare.ts")).compareTexts(texts, options);
}

type ImageOptions = Omit<ConvertOptions, "codec">;

async function convertImage(file: File, options: ImageOptions): Promise<ConvertedImage> {
  const { convertImage: convert } = await import("../../tools/image-convert.ts");
  const { canvasCodec: codec, warnOfFrames } = await import("./canvas-codec.ts");
  const image = await bytesOf(file);
  const made = await convert(image, { ...options, codec });
  return { ...made, warnings: [...made.warnings, ...warnOfFrames(image, options.format)] };
}

/** The same arguments with files in the place of their bytes. */
type OnFiles<Value> = Value extends Bytes ? File : { [Key in keyof Value]: OnFiles<Value[Key]> };

type PartsJob<Args extends unknown[], Result> = (...args: Args) => Promise<Result>;

/** A job of the server that is given files, which are read in the worker. */
function onFiles<Args extends unknown[], Result extends { readonly bytes: ByteParts }>(
  job: PartsJob<Args, Result>,
): (...args: OnFiles<Args>) => Promise<WithBytes<Result>> {
  // OnFiles changes nothing but what readFiles changes back.
  return async (...args) => withBytes(await job(...((await readFiles(args)) as Args)));
}

async function readFiles(value: unknown): Promise<unknown> {
  if (value instanceof File) return bytesOf(value);
  if (Array.isArray(value)) return Promise.all(value.map(readFiles));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await readFiles(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function bytesOf(file: File): Promise<Bytes> {
  return new Uint8Array(await file.arrayBuffer());
}
