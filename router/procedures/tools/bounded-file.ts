import type { Bytes } from "../../../wire/bytes.ts";
import { fileTooLarge } from "../../errors/errors.ts";
import type { Tier } from "../../limits.ts";

/** The pieces of a file that may still be arriving. @throws ApiError file_too_large past the limit in bytes */
export async function* boundedPieces(
  pieces: AsyncIterable<Bytes>,
  { limit, tier }: { limit: number; tier: Tier },
): AsyncGenerator<Bytes> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > limit) throw fileTooLarge(tier);
    yield piece;
  }
}
