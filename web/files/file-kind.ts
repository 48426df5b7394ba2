import { AGE_HEAD_BYTES, isAge, isArmored } from "../../tools/age/age-file.ts";
import { MAGIC } from "../../tools/crypto/locked-file.ts";
import { isImage } from "../../tools/file/file-type.ts";
import { looksLikePdf } from "../../tools/pdf/reader/looks-like-pdf.ts";
import { bytesOf } from "../work/read-chunks.ts";

/** The kind of files that a tool takes, where it does not take every file. */
export type FileKind = "pdf" | "image" | "page" | "text";

/** What a file is, as far as it matters for choosing a tool. */
export type ContentKind = "pdf" | "image" | "locked" | "text" | "other";

const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 1024;

/** Whether a file is of a kind, by its content, as the tool itself will check; a page is a PDF or an image. */
export async function isOfKind(file: File, kind: FileKind): Promise<boolean> {
  const head = await headOf(file);
  if (kind === "text") return isText(head);
  if (kind !== "pdf" && isImage(head)) return true;
  return kind !== "image" && isPdf(file, head);
}

/**
 * What a file is, by its content.
 * @throws DOMException where the file is gone or cannot be read
 */
export async function contentKindOf(file: File): Promise<ContentKind> {
  const head = await headOf(file);
  if (isImage(head)) return "image";
  if (await isPdf(file, head)) return "pdf";
  if (isLocked(file.name, head)) return "locked";
  return isText(head) ? "text" : "other";
}

/** Whether a file is meant to be decrypted: one that is named as encrypted is, even if it is damaged. */
export function isLocked(name: string, head: Uint8Array): boolean {
  return name.endsWith(".locked") || isEncrypted(head);
}

/** Whether a file was encrypted, here or by another program that writes age files. */
export function isEncrypted(head: Uint8Array): boolean {
  const start = head.subarray(0, AGE_HEAD_BYTES);
  return MAGIC.every((byte, i) => start[i] === byte) || isAge(start) || isArmored(start);
}

async function isPdf(file: File, head: Uint8Array): Promise<boolean> {
  return looksLikePdf(head) || looksLikePdf(await bytesOf(file.slice(-TAIL_BYTES)));
}

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // The head may end in the middle of a character.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function headOf(file: File): Promise<Uint8Array> {
  return bytesOf(file.slice(0, HEAD_BYTES));
}
