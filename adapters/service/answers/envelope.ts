import type { DescribedWarning } from "../../../wire/tool-warning.ts";

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

// A multiple of three, so that every piece but the last is base64 without padding.
const PIECE_BYTES = 192 * 1024;

/**
 * A file as JSON with its bytes in base64, written piece by piece: the text of a 100 MB file never stands in
 * memory as a whole. Also tells the length in bytes, which is known beforehand.
 */
export function envelopeParts(file: FileAnswer, { requestId }: { requestId: string }) {
  const { tool, name, type, size, data, sha256, warnings, ...extras } = file;
  const head = JSON.stringify({ tool, name, type, size, encoding: "base64" });
  const tail = JSON.stringify({ sha256, ...extras, warnings, requestId });
  const before = Buffer.from(`${head.slice(0, -1)},"data":"`);
  const after = Buffer.from(`",${tail.slice(1)}`);
  const length = before.length + Math.ceil(data.length / 3) * 4 + after.length;
  return { parts: pieces(data, { before, after }), length };
}

function* pieces(data: Uint8Array, around: { before: Uint8Array; after: Uint8Array }): Generator<Uint8Array> {
  yield around.before;
  for (let at = 0; at < data.length; at += PIECE_BYTES) {
    const piece = data.subarray(at, at + PIECE_BYTES);
    yield Buffer.from(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("base64"), "latin1");
  }
  yield around.after;
}
