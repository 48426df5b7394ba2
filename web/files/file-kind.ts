import { isImage } from "../../tools/file/file-type.ts";
import { looksLikePdf } from "../../tools/pdf/reader/looks-like-pdf.ts";

/** What a tool takes, where it does not take every file. */
export type FileKind = "pdf" | "image" | "page";

const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 1024;

/** Tells by content whether a file is of a kind, as the tool itself will; a page is a PDF or an image. */
export async function isOfKind(file: File, kind: FileKind): Promise<boolean> {
  const head = await bytesOf(file.slice(0, HEAD_BYTES));
  if (kind !== "pdf" && isImage(head)) return true;
  return kind !== "image" && (looksLikePdf(head) || looksLikePdf(await bytesOf(file.slice(-TAIL_BYTES))));
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
