import { detectFileType, looksLikePdf } from "../../tools/file/file-type.ts";
import { isImageFormat } from "../../tools/image/image-info.ts";

/** What a tool takes, where it does not take every file. */
export type FileKind = "pdf" | "image";

const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 1024;

/** Tells by content whether a file is of a kind, as the tool itself will. */
export async function isOfKind(file: File, kind: FileKind): Promise<boolean> {
  const head = await bytesOf(file.slice(0, HEAD_BYTES));
  if (kind === "image") return isImageFormat(detectFileType(head));
  return looksLikePdf(head) || looksLikePdf(await bytesOf(file.slice(-TAIL_BYTES)));
}

async function bytesOf(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await blob.arrayBuffer());
}
