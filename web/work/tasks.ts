import type { FileHash, HashAlgorithm } from "../../tools/file-hash.ts";
import type { ConvertedImage, TargetFormat } from "../../tools/image-convert.ts";
import type { Merged } from "../../tools/pdf-merge.ts";
import type { Rotated, RotateOptions } from "../../tools/pdf-rotate.ts";
import type { SplitOptions, SplitResult } from "../../tools/pdf-split.ts";
import type { Unlocked, UnlockOptions } from "../../tools/pdf-unlock.ts";
import type { CompareOptions, TextComparison } from "../../tools/text-compare.ts";

/** What a worker can be asked for: the same files of tools/ that the server runs. */
export interface Tasks {
  readonly "pdf-merge": (files: readonly MergeTask[]) => Promise<Merged>;
  readonly "pdf-rotate": (file: File, options: RotateOptions) => Promise<Rotated>;
  readonly "pdf-unlock": (file: File, options: UnlockOptions) => Promise<Unlocked>;
  readonly "pdf-split": (file: File, options: SplitOptions) => Promise<SplitResult>;
  readonly "file-hash": (file: File, options: HashTask) => Promise<FileHash>;
  readonly "file-lock": (file: File, options: { password: string }) => Promise<LockedFile>;
  readonly "file-unlock": (file: File, options: { password: string }) => Promise<LockedFile>;
  readonly "image-convert": (file: File, options: ImageTask) => Promise<ConvertedImage>;
  readonly "text-compare": (
    texts: { a: string; b: string },
    options: Omit<CompareOptions, "pause">,
  ) => Promise<TextComparison>;
}

export interface MergeTask {
  readonly file: File;
  readonly range: string | undefined;
  readonly password: string | undefined;
}

export interface HashTask {
  readonly algorithms: readonly HashAlgorithm[];
  readonly expected: string | undefined;
}

export interface ImageTask {
  readonly format: TargetFormat;
  readonly quality: number;
}

export interface LockedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly filename: string;
}

export type TaskName = keyof Tasks;

/** To a worker. */
export interface Asked {
  readonly name: TaskName;
  readonly args: readonly unknown[];
}

/** From a worker, the last one being no progress. */
export type Answered =
  | { readonly progress: number }
  | { readonly result: unknown }
  | { readonly failure: { code: string; message: string; fields: Readonly<Record<string, unknown>> } }
  | { readonly error: { name: string; message: string } };
