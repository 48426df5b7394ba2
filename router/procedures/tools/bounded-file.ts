import type { Bytes } from "../../../wire/bytes.ts";
import { fileTooLarge } from "../../errors/errors.ts";
import type { Limits, Tier } from "../../limits.ts";

/** The pieces of a file that may still be arriving. @throws ApiError file_too_large past the limit in bytes */
export async function* boundedPieces(
  pieces: AsyncIterable<Bytes>,
  { limit, tier, limits }: { limit: number; tier: Tier; limits: Limits },
): AsyncGenerator<Bytes> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > limit) throw fileTooLarge(limits, { tier });
    yield piece;
  }
}
