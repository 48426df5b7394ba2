import { type Bytes, nextTurn } from "../../../wire/bytes.ts";
import { fileTooLarge } from "../../errors/errors.ts";
import type { Limits, Tier } from "../../limits.ts";

/** A few milliseconds of hashing by the slowest algorithm. */
const BYTES_PER_TURN = 512 * 1024;
const SLICE_BYTES = 16 * 1024;

/**
 * A file in slices, between which the event loop runs. `times` is how often each byte is processed. Short pieces that
 * are freed afterwards may stay whole.
 */
export async function* inTurns(
  pieces: AsyncIterable<Bytes>,
  times: number,
  sliceBytes = SLICE_BYTES,
): AsyncGenerator<Bytes> {
  let work = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += sliceBytes) {
      if (work >= BYTES_PER_TURN) {
        await nextTurn();
        work = 0;
      }
      const slice = piece.subarray(at, at + sliceBytes);
      work += slice.length * times;
      yield slice;
    }
  }
}

/** The pieces of a file that may still be arriving. @throws ApiError file_too_large beyond the limit in bytes */
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
