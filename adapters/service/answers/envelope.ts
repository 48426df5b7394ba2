import type { DescribedWarning } from "../../../wire/tool-warning.ts";
import { quotedBase64 } from "../../trpc/answer/json-text.ts";
import type { AnswerPart } from "../../trpc/answer/stream.ts";

/** A file as a procedure answers it (router/schemas.ts). */
export interface FileAnswer {
  readonly tool: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly data: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  readonly warnings: readonly DescribedWarning[];
}

/** Behind the path of a tool: there it always answers so. */
export const ENVELOPE = "/envelope";

/**
 * A file as JSON with its bytes in base64, written piece by piece: the text of a 100 MB file never stands in
 * memory as a whole.
 */
export function envelopeParts(file: FileAnswer, { requestId }: { requestId: string }): AnswerPart[] {
  const { tool, name, type, size, data, sha256, warnings, ...extras } = file;
  const head = JSON.stringify({ tool, name, type, size, encoding: "base64" });
  const tail = JSON.stringify({ sha256, ...extras, warnings, requestId });
  return [Buffer.from(`${head.slice(0, -1)},"data":`), quotedBase64(data), Buffer.from(`,${tail.slice(1)}`)];
}
