import type { Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

/** Encoding takes seconds, so the number of attempts is limited. */
const MAX_TRIES = 7;

interface Attempt {
  readonly quality: number;
  readonly bytes: Bytes;
}

/**
 * Encodes with the highest quality, up to `quality`, whose result has at most `maxBytes`: the logarithm of the size
 * grows nearly linearly with the quality, so a few attempts find it.
 * @throws ToolFailure result_too_large where even the lowest quality gives more
 */
export async function encodeWithin(
  { maxBytes, quality }: { maxBytes: number; quality: number },
  encode: (quality: number) => Promise<Bytes | undefined>,
): Promise<Attempt | undefined> {
  let fits: Attempt | undefined;
  let over: Attempt | undefined;
  for (let tries = 0, next = quality; tries < MAX_TRIES; tries++) {
    const bytes = await encode(next);
    if (!bytes) return undefined;
    const tried = { quality: next, bytes };
    if (bytes.length <= maxBytes) fits = tried;
    else over = tried;
    if (fits?.quality === quality) return fits;
    if (over?.quality === 1) throw tooLarge(over.bytes.length, maxBytes);
    const [low, high] = [fits?.quality ?? 0, over?.quality ?? quality + 1];
    if (high - low === 1) break;
    // The last attempt of a search without success is for what is possible at all.
    const isLast = tries === MAX_TRIES - 2 && !fits;
    next = isLast ? 1 : guess({ fits, over, maxBytes }, low, high);
  }
  return fits;
}

/** Between a quality that fits and one that does not, where a line through both meets the wanted size. */
function guess(
  { fits, over, maxBytes }: { fits: Attempt | undefined; over: Attempt | undefined; maxBytes: number },
  low: number,
  high: number,
): number {
  const middle = Math.floor((low + high) / 2);
  if (!fits || !over) return middle;
  const log = ({ bytes }: Attempt) => Math.log(bytes.length);
  const part = (Math.log(maxBytes) - log(fits)) / (log(over) - log(fits));
  return Math.min(high - 1, Math.max(low + 1, Math.floor(low + part * (high - low))));
}

/** @throws ToolFailure result_too_large */
export function checkBytes(bytes: Bytes, maxBytes: number | undefined): void {
  if (maxBytes !== undefined && bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
}

function tooLarge(actual: number, value: number): ToolFailure {
  const message = `The image has at least ${actual} bytes, and "bytes" allows ${value}; a smaller "width" or "height" helps`;
  return new ToolFailure("result_too_large", message, {
    limit: "bytes",
    parameter: "bytes",
    value,
    unit: "bytes",
    actual,
  });
}
