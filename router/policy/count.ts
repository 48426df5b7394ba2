import {
  peekAllowance,
  takeAllowance,
  type Allowance,
  type Window,
  type Windows,
} from "../../db/allowance.ts";
import type { CallerAddress, CallerContext, ImageRequester, Requester, Services } from "../context.ts";
import { SITE_FACTOR, type RateName, type Tier } from "../limits.ts";
import { ApiError } from "../errors/errors.ts";

/** Whom a call counts for; stored as an HMAC only. */
export interface CountedBy {
  readonly who: string;
  /** The /48 around an IPv6 address, where addresses count. */
  readonly site?: string | undefined;
}

/** Counts one call of the caller. @throws ApiError rate_limited */
export async function countCall(ctx: CallerContext, rate: RateName): Promise<void> {
  const { services, caller, responseHeaders } = ctx;
  const { windowSeconds, policy, [caller.tier]: limit } = services.limits.rates[rate];
  const taken = await takeAllowance(services.db, ...callerWindows(ctx, rate));
  responseHeaders.set("RateLimit-Policy", `"${policy}";q=${limit};w=${windowSeconds}`);
  const remaining = Math.min(taken.remaining, limit);
  responseHeaders.set("RateLimit", `"${policy}";r=${remaining};t=${taken.resetSeconds}`);
  if (!taken.allowed)
    throw rateLimited(rate, { services, tier: caller.tier, retryAfter: taken.resetSeconds });
}

/** What is left of a caller's rate. */
export function peekCalls(ctx: CallerContext, rate: RateName): Promise<Allowance> {
  return peekAllowance(ctx.services.db, ...callerWindows(ctx, rate));
}

/** Whom the caller's calls count for: the account from any address, else the address. */
export function countedBy({ caller, address }: Pick<CallerContext, "caller" | "address">): CountedBy {
  if (caller.tier === "anonymous") return addressOf(address);
  return { who: caller.origin ? `young of ${caller.origin.join()}` : `member ${caller.memberId}` };
}

/** An address, or what somebody does from there, such as trying one name. */
export function addressOf({ rate, site }: CallerAddress, doing = ""): CountedBy {
  return { who: `${doing}address ${rate}`, site: site && `${doing}site ${site}` };
}

/** For whom a lane is to work, and until when. */
export function requesterOf(
  of: Pick<CallerContext, "caller" | "address">,
  signal: AbortSignal | undefined,
): Requester {
  return { caller: countedBy(of).who, signal };
}

/** The same for work on images, whose memory counts for the call. */
export function imageRequesterOf(
  ctx: Pick<CallerContext, "caller" | "address" | "budget">,
  signal: AbortSignal | undefined,
): ImageRequester {
  return { ...requesterOf(ctx, signal), reserve: (bytes) => ctx.budget.claimMemory(bytes) };
}

function callerWindows(ctx: CallerContext, rate: RateName): Windows {
  const { services, caller, address } = ctx;
  const by = services.limits.rates[rate].membersBy === "account" ? countedBy(ctx) : addressOf(address);
  return windowsOf(rate, { services, by, tier: caller.tier });
}

interface WindowOptions {
  readonly services: Services;
  readonly by: CountedBy;
  readonly tier?: Tier;
}

/** The windows of one rate: its own, and that of the /48 around it. */
export function windowsOf(rate: RateName, { services, by, tier = "anonymous" }: WindowOptions): Windows {
  const { windowSeconds, [tier]: limit } = services.limits.rates[rate];
  return widen({ bucket: rate, limit, windowSeconds, now: services.now() }, { services, by });
}

/** Adds the keys to a window, and the window of the /48 where there is one. */
export function widen(
  window: Omit<Window, "key">,
  { services: { rateKey }, by: { who, site } }: Pick<WindowOptions, "services" | "by">,
): Windows {
  const own = { ...window, key: rateKey(who) };
  if (site === undefined) return [own];
  return [own, { ...window, key: rateKey(site), limit: SITE_FACTOR * window.limit }];
}

/** A rate was exceeded: which one, and when to try again. */
export function rateLimited(
  rate: RateName,
  {
    services,
    tier,
    retryAfter,
    what = "calls",
  }: { services: Services; tier: Tier; retryAfter: number; what?: string },
): ApiError {
  const { windowSeconds: window, [tier]: value } = services.limits.rates[rate];
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
