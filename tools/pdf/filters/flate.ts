import { Inflate, inflateSync } from "fflate";
import { joinBytes } from "../../../wire/bytes.ts";
import { nativeZlib } from "../../native.ts";
import { type Budget, spend, spendInflated } from "../limits.ts";

/** Deflate grows at most 1,032 times, so a piece this small overshoots the budget by 8 MB at worst. */
const PIECE = 8 * 1024;
/** The same at once for what is short: 32 MB at worst. */
const AT_ONCE = 32 * 1024;

/**
 * Inflates zlib data as far as it goes: a cut or broken stream gives what comes before the break.
 * @throws ToolFailure too_complex when the call's budget is used up
 */
export function inflate(data: Uint8Array, budget: Budget): Uint8Array {
  const body = data.subarray(hasZlibHeader(data) ? 2 : 0);
  const whole = inflateNatively(body, budget) ?? (body.length <= AT_ONCE ? inflateWhole(body) : undefined);
  if (!whole) return inflatePieces(body, budget);
  spendInflated(budget, whole.length);
  return whole;
}

const LEAST_CHUNK = 256;
const MOST_CHUNK = 64 * 1024;

/** Undefined where it breaks, and in a page. A cut stream gives what it has. */
function inflateNatively(body: Uint8Array, { inflated }: Budget): Uint8Array | undefined {
  if (!nativeZlib) return undefined;
  const left = Math.max(0, inflated.value - inflated.spent) + 1;
  try {
    const finishFlush = nativeZlib.constants.Z_SYNC_FLUSH;
    // Text grows four times. A result keeps the whole of its last chunk, and by default that has 16 KB.
    const chunkSize = Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, 4 * body.length));
    return nativeZlib.inflateRawSync(body, { maxOutputLength: left, finishFlush, chunkSize });
  } catch (error) {
    const isTooMuch = error instanceof RangeError;
    if (isTooMuch) spend(inflated, left);
    return undefined;
  }
}

/** Three times as fast as in pieces, but all or nothing. */
function inflateWhole(body: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(body);
  } catch {
    // Cut or broken: the pieces before the break are worth having.
    return undefined;
  }
}

function inflatePieces(body: Uint8Array, budget: Budget): Uint8Array {
  const parts: Uint8Array[] = [];
  const stream = new Inflate((part) => parts.push(part));
  for (let at = 0; at < body.length; at += PIECE) {
    const before = parts.length;
    // Never final: fflate drops everything it has when the last piece is cut.
    if (!pushQuietly(stream, body.subarray(at, at + PIECE))) break;
    for (const part of parts.slice(before)) spendInflated(budget, part.length);
  }
  return parts.length === 1 ? parts[0]! : joinBytes(parts);
}

function hasZlibHeader(data: Uint8Array): boolean {
  const [method = 0, flags = 0] = data;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
}

/** As in other PDF programs, data ends at a broken block. */
function pushQuietly(stream: Inflate, piece: Uint8Array): boolean {
  try {
    stream.push(piece, false);
    return true;
  } catch {
    return false;
  }
}
