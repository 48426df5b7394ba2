import { peekAllowance, takeAllowance, type Window } from "../../db/allowance.ts";
import type { Caller, Context, Services } from "../context.ts";
import { RATES, type RateName, type Tier } from "../limits.ts";
import { ApiError } from "../errors.ts";

type Called = Context & { caller: Caller };

/** Counts one call of the caller, or only looks where it does not count. @throws ApiError rate_limited */
export async function countCall(ctx: Called, rate: RateName): Promise<void> {
  const { services, caller, responseHeaders: answer } = ctx;
  const { windowSeconds, policy, [caller.tier]: limit } = RATES[rate];
  const window = callerWindow(ctx, rate);
  const taken = await (ctx.isCounted ? takeAllowance : peekAllowance)(services.db, window);
  answer.set("RateLimit-Policy", `"${policy}";q=${limit};w=${windowSeconds}`);
  answer.set("RateLimit", `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`);
  if (!taken.allowed) throw rateLimited(rate, { tier: caller.tier, retryAfter: taken.resetSeconds });
}

/** Counts one try at a member's password, from wherever it comes. @throws ApiError rate_limited */
export async function countLogin(name: string, services: Services): Promise<void> {
  const window = windowOf("loginsOfName", { services, who: `name ${name}` });
  const { allowed, resetSeconds: retryAfter } = await takeAllowance(services.db, window);
  if (allowed) return;
  throw rateLimited("loginsOfName", { tier: "anonymous", retryAfter, what: "tries at one name" });
}

/** Whose calls are counted together: a member's from wherever they come, else those of an address. */
export function callerKey({ caller, address }: Called): string {
  return caller.tier === "member" ? `member ${caller.memberId}` : `address ${address.rate}`;
}

/** The window that the caller's next call falls into. */
export function callerWindow(ctx: Called, rate: RateName): Window {
  const { services, caller, address } = ctx;
  const who = RATES[rate].membersBy === "account" ? callerKey(ctx) : `address ${address.rate}`;
  return windowOf(rate, { services, who, tier: caller.tier });
}

interface Counted {
  readonly services: Services;
  /** Stored as an HMAC only. */
  readonly who: string;
  readonly tier?: Tier;
}

/** The window of one rate for whoever is counted. */
export function windowOf(rate: RateName, { services, who, tier = "anonymous" }: Counted): Window {
  const { windowSeconds, [tier]: limit } = RATES[rate];
  return { bucket: rate, key: services.rateKey(who), limit, windowSeconds, now: services.now() };
}

interface Limited {
  readonly tier: Tier;
  readonly retryAfter: number;
  readonly what?: string;
}

/** Says which rate was exceeded and when it ends. */
export function rateLimited(rate: RateName, { tier, retryAfter, what = "calls" }: Limited): ApiError {
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
