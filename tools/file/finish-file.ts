import { ByteParts } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { type DescribedWarning, describeWarnings, type ToolWarning } from "../../wire/tool-warning.ts";
import { collectBytes } from "../crypto/chunks.ts";
import { FileDigest } from "../hash/file-digest.ts";
import { nameAfter } from "./derived-name.ts";
import { cleanFileName } from "./file-name.ts";

/** The name of a file, and its media type. */
interface FileKind {
  readonly name: string;
  readonly type: string;
}

/** The kind of a result: the name it usually has, and what is added to that of the file it is made from. */
export interface ResultKind extends FileKind {
  readonly suffix: string;
}

/** The facts that a server reports about every file. */
export interface FileDescription extends FileKind {
  readonly size: number;
  readonly sha256: string;
  readonly warnings: DescribedWarning[];
}

/** Each member of a union without these fields, instead of only what all have in common. */
export type Without<Union, Field extends PropertyKey> = Union extends unknown ? Omit<Union, Field> : never;

/** A file with all facts about it, and its tool's own. */
export type FinishedFile<Made> = Without<Made, "bytes" | "type" | "warnings"> &
  FileDescription & { readonly data: ByteParts };

/** The result of a tool. */
export interface MadeFile {
  readonly bytes: Bytes | ByteParts;
  readonly warnings?: readonly ToolWarning[];
}

/** Adds the facts where a file is made, so that nobody who sends it on has to read its bytes. */
export function finishFile<Made extends MadeFile>(
  { bytes, warnings = [], ...facts }: Made,
  { name, type, fileCount }: FileKind & { readonly fileCount?: number },
): FinishedFile<Made> {
  const data = bytes instanceof ByteParts ? bytes : new ByteParts([bytes]);
  const digest = new FileDigest();
  for (const part of data.parts) digest.update(part);
  const described = { name, type, size: data.length, data, sha256: digest.text() };
  // All other fields are the result's own.
  return {
    ...facts,
    ...described,
    warnings: describeWarnings(warnings, fileCount),
  } as unknown as FinishedFile<Made>;
}

/** Adds the facts to a file that is made piece by piece. Nobody else may use its pieces, and its tool adds nothing. */
export async function finishPieces(
  pieces: AsyncIterable<Bytes>,
  { name, type, sizeBytes }: FileKind & { readonly sizeBytes: number | undefined },
): Promise<FileDescription & { readonly data: Bytes }> {
  const digest = new FileDigest();
  async function* digested() {
    for await (const piece of pieces) {
      digest.update(piece);
      yield piece;
    }
  }
  const data = await collectBytes(digested(), sizeBytes);
  return { name, type, size: data.length, data, sha256: digest.text(), warnings: [] };
}

/** What a caller has said about the name of a result. */
export interface WantedName {
  /** What the result is to be called. */
  readonly filename?: string | undefined;
  /** The name that the file came with. */
  readonly sentName?: string | undefined;
}

/**
 * The name that a caller asks for, made safe and with the extension of the usual one; where none is asked for, that of
 * the file with the suffix; where that came without a name, the usual one.
 */
export function resultName(
  { filename, sentName }: WantedName,
  { name: fallback, suffix }: ResultKind,
): string {
  const extension = fallback.slice(fallback.lastIndexOf(".") + 1);
  if (filename) return cleanFileName(filename, { extension, fallback });
  return sentName ? nameAfter(sentName, { suffix, extension }) : fallback;
}
