import { peekAllowance, takeAllowance, type Window } from "../../db/allowance.ts";
import type { CallerContext, Requester, Services } from "../context.ts";
import { RATES, type RateName, type Tier } from "../limits.ts";
import { ApiError } from "../errors.ts";

/** Counts one call of the caller; HEAD is checked but not counted. @throws ApiError rate_limited */
export async function countCall(ctx: CallerContext, rate: RateName): Promise<void> {
  const { services, caller, responseHeaders } = ctx;
  const { windowSeconds, policy, [caller.tier]: limit } = RATES[rate];
  const window = callerWindow(ctx, rate);
  const taken = await (ctx.isCounted ? takeAllowance : peekAllowance)(services.db, window);
  responseHeaders.set("RateLimit-Policy", `"${policy}";q=${limit};w=${windowSeconds}`);
  responseHeaders.set("RateLimit", `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`);
  if (!taken.allowed) throw rateLimited(rate, { tier: caller.tier, retryAfter: taken.resetSeconds });
}

/** Counts one try at a member's password, from any address. @throws ApiError rate_limited */
export async function countLogin(name: string, services: Services): Promise<void> {
  const window = windowOf("loginsOfName", { services, who: `name ${name}` });
  const { allowed, resetSeconds: retryAfter } = await takeAllowance(services.db, window);
  if (allowed) return;
  throw rateLimited("loginsOfName", { tier: "anonymous", retryAfter, what: "login attempts for one name" });
}

/** The key that calls are counted by: the member from any address, else the address. */
export function callerKey({ caller, address }: Pick<CallerContext, "caller" | "address">): string {
  return caller.tier === "member" ? `member ${caller.memberId}` : `address ${address.rate}`;
}

/** For whom a lane is to work, and until when. */
export function requesterOf(
  of: Pick<CallerContext, "caller" | "address">,
  signal: AbortSignal | undefined,
): Requester {
  return { caller: callerKey(of), signal };
}

/** The window of the caller's next call. */
export function callerWindow(ctx: CallerContext, rate: RateName): Window {
  const { services, caller, address } = ctx;
  const who = RATES[rate].membersBy === "account" ? callerKey(ctx) : `address ${address.rate}`;
  return windowOf(rate, { services, who, tier: caller.tier });
}

interface WindowOptions {
  readonly services: Services;
  /** Who is counted; stored as an HMAC only. */
  readonly who: string;
  readonly tier?: Tier;
}

/** The window of one rate. */
export function windowOf(rate: RateName, { services, who, tier = "anonymous" }: WindowOptions): Window {
  const { windowSeconds, [tier]: limit } = RATES[rate];
  return { bucket: rate, key: services.rateKey(who), limit, windowSeconds, now: services.now() };
}

/** A rate was exceeded: which one, and when to try again. */
export function rateLimited(
  rate: RateName,
  { tier, retryAfter, what = "calls" }: { tier: Tier; retryAfter: number; what?: string },
): ApiError {
  const { windowSeconds: window, [tier]: value } = RATES[rate];
  return new ApiError(
    "rate_limited",
    `At most ${value} ${what} in ${window} seconds; try again in ${retryAfter} seconds`,
    {
      limit: rate === "tools" ? "calls" : rate,
      value,
      unit: "calls",
      window,
      remaining: 0,
      retryAfter,
      tier,
    },
  );
}
