import { jobs } from "../../tools/jobs.ts";
import type { FileHash, HashAlgorithm } from "../../tools/file-hash.ts";
import type { ConvertedImage, ConvertOptions } from "../../tools/image-convert.ts";
import type { OnProgress } from "../../tools/file/progress.ts";
import type { CompareOptions, TextComparison } from "../../tools/text-compare.ts";
import { withBytes, type ByteParts, type WithBytes } from "../../wire/byte-parts.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** What a job in a page reads a file from, telling how far it has come: with this file, or with all of several. */
type ReadChunks = (file: File, place?: PlaceOfFile) => AsyncGenerator<Bytes>;

/** How many bytes come before a file, and how many there are of all files together. */
export interface PlaceOfFile {
  readonly before: number;
  readonly total: number;
}

export type PageJobs = ReturnType<typeof createPageJobs>;

/** Everything that the worker of a page may run: the jobs of the server, and some that a browser does in its own way. */
export function createPageJobs({ chunksOf, onProgress }: { chunksOf: ReadChunks; onProgress: OnProgress }) {
  return {
    mergePdf: onFiles(jobs.mergePdf, onProgress),
    rotatePdf: onFiles(jobs.rotatePdf, onProgress),
    splitPdf: onFiles(jobs.splitPdf, onProgress),
    unlockPdf: onFiles(jobs.unlockPdf, onProgress),
    compareTexts,
    convertImage,
    async countPages({ file, password }: { file: File; password: string | undefined }): Promise<number> {
      const { countPages } = await import("../../tools/pdf/count-pages.ts");
      return countPages({ file: await bytesOf(file), password });
    },
    async zipFiles(files: readonly File[]): Promise<{ readonly bytes: Bytes }> {
      const { zipFiles } = await import("../../tools/zip/zip.ts");
      const { collectBytes } = await import("../../tools/crypto/chunks.ts");
      const zipped = zipFiles(
        files.map((file, i) => ({ name: file.name, source: chunksOf(file, partOf(files, i)) })),
      );
      return { bytes: await collectBytes(zipped) };
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
      return (await import("../../tools/crypto/unlock-file.ts")).unlockFile(chunksOf(file), {
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

function partOf(files: readonly File[], place: number): PlaceOfFile {
  const sum = (some: readonly File[]) => some.reduce((bytes, { size }) => bytes + size, 0);
  return { before: sum(files.slice(0, place)), total: sum(files) };
}

type Texts = { readonly a: string; readonly b: string };

async function compareTexts(texts: Texts, options: CompareOptions): Promise<TextComparison> {
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

/** A job of the server that is given files, which are read in the worker, and says there how far it is. */
function onFiles<Input, Options extends object, Result extends { readonly bytes: ByteParts }>(
  job: (input: Input, options: Options) => Promise<Result>,
  onProgress: OnProgress,
): (input: OnFiles<Input>, options: Omit<Options, "onProgress">) => Promise<WithBytes<Result>> {
  return async (input, options) => {
    // OnFiles changes nothing but what readFiles changes back; onProgress is what was left out.
    const [given, reporting] = [(await readFiles(input)) as Input, { ...options, onProgress } as Options];
    return withBytes(await job(given, reporting));
  };
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
