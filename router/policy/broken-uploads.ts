import { peekAllowance, takeAllowance, type Windows } from "../../db/allowance.ts";
import type { CallerContext } from "../context.ts";
import { ApiError, formatCount } from "../errors/errors.ts";
import { BROKEN_UPLOADS } from "../limits.ts";
import { countedBy, widen } from "./count.ts";

/** Some of a member's parallel uploads may end beyond the limit; they count all the same. */
const NEVER_FULL = Number.MAX_SAFE_INTEGER;

/**
 * Rows that are stored and deleted again cost the server more than rows that stay: a caller who has broken off too much
 * cannot begin an upload for a while. It is a separate budget, so that a bad connection takes nothing of what an
 * address may store in a day.
 * @throws ApiError rate_limited
 */
export async function checkBrokenUploads(ctx: CallerContext): Promise<void> {
  const { tier } = ctx.caller;
  const { [tier]: value, windowSeconds: window } = BROKEN_UPLOADS;
  const { allowed, resetSeconds } = await peekAllowance(ctx.services.db, ...windowsOf(ctx, value));
  if (allowed) return;
  throw new ApiError(
    "rate_limited",
    `At most ${formatCount(value)} bytes of uploads can be broken off or refused in ${window} seconds; ` +
      `try again in ${resetSeconds} seconds`,
    { limit: "brokenUploads", value, unit: "bytes", window, remaining: 0, retryAfter: resetSeconds, tier },
  );
}

/** Counts bytes that were stored and deleted again because of the caller. */
export async function countBrokenUpload(ctx: CallerContext, bytes: number): Promise<void> {
  if (bytes > 0) await takeAllowance(ctx.services.db, ...windowsOf(ctx, NEVER_FULL, bytes));
}

function windowsOf(ctx: CallerContext, limit: number, amount = 1): Windows {
  const { services } = ctx;
  const { windowSeconds } = BROKEN_UPLOADS;
  const window = { bucket: "brokenUploads", limit, windowSeconds, now: services.now(), amount };
  return widen(window, { services, by: countedBy(ctx) });
}
