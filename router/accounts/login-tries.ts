import type { Member } from "../../db/accounts/members.ts";
import { giveAllowanceBack, peekAllowance, takeAllowance } from "../../db/allowance.ts";
import { encodeBase64Url } from "../../wire/base64.ts";
import type { CallerContext, MemberCaller, Services } from "../context.ts";
import type { RateName } from "../limits.ts";
import { addressOf, rateLimited, windowsOf, type RateSubject } from "../policy/count.ts";

/**
 * Counts one login attempt for a name, known or not. Each address has attempts of its own. An attempt counts as failed
 * until the returned function is called; many failures from everywhere leave each address one attempt a minute, so that
 * a crowd cannot guess fast, and cannot lock out the owner at another address.
 * @throws ApiError rate_limited
 */
export async function countLogin(name: string, ctx: CallerContext): Promise<() => Promise<void>> {
  const { db } = ctx.services;
  const own = windowsOf("loginsOfName", tryingFrom(name, ctx));
  const [failed] = windowsOf("failedLoginsOfName", { services: ctx.services, by: { who: `name ${name}` } });
  const taken = await takeAllowance(db, ...own, failed);
  if (taken.allowed) return () => giveAllowanceBack(db, failed);
  const left = await peekAllowance(db, ...own);
  if (!left.allowed)
    throw tooManyTries("loginsOfName", { services: ctx.services, retryAfter: left.resetSeconds });
  await countTry("loginsOfAttackedName", tryingFrom(name, ctx));
  return async () => {};
}

/** Counts one attempt with a recovery code. @throws ApiError rate_limited */
export function countRecovery(name: string, ctx: CallerContext): Promise<void> {
  return countTry("recoveriesOfName", tryingFrom(name, ctx));
}

/** Counts one attempt at the password in a session, which has attempts of its own. @throws ApiError rate_limited */
export function countPasswordCheck({ credentialId }: MemberCaller, services: Services): Promise<void> {
  return countTry("passwordChecks", { services, by: { who: `session ${credentialId}` } });
}

type AppOwner = Pick<Member, "id" | "totpKey">;

/**
 * Counts one code of a member's authenticator app as wrong, until the returned function is called. It takes the
 * password to come this far, so strangers cannot use up the attempts. Another app has attempts of its own: whoever was
 * given a new start need not wait for the rest of the day.
 * @throws ApiError rate_limited
 */
export async function countCode(of: AppOwner, services: Services): Promise<() => Promise<void>> {
  const [window] = windowsOf("wrongCodes", codesOf(of, services));
  const taken = await takeAllowance(services.db, window);
  if (!taken.allowed) throw tooManyTries("wrongCodes", { services, retryAfter: taken.resetSeconds });
  return () => giveAllowanceBack(services.db, window);
}

/** The number of wrong codes in a day. */
export async function wrongCodesOf(of: AppOwner, services: Services): Promise<number> {
  const left = await peekAllowance(services.db, ...windowsOf("wrongCodes", codesOf(of, services)));
  return services.limits.rates.wrongCodes.member - left.remaining;
}

function codesOf({ id, totpKey }: AppOwner, services: Services) {
  return {
    services,
    by: { who: `codes of member ${id} ${totpKey === null ? "" : encodeBase64Url(totpKey)}` },
  };
}

function tryingFrom(name: string, { services, address }: CallerContext) {
  return { services, by: addressOf(address, `name ${name} from `) };
}

async function countTry(rate: RateName, trying: { services: Services; by: RateSubject }): Promise<void> {
  const taken = await takeAllowance(trying.services.db, ...windowsOf(rate, trying));
  if (!taken.allowed) throw tooManyTries(rate, { services: trying.services, retryAfter: taken.resetSeconds });
}

function tooManyTries(rate: RateName, of: { services: Services; retryAfter: number }) {
  return rateLimited(rate, { ...of, tier: "anonymous", what: TRIES[rate] ?? "tries" });
}

const TRIES: Partial<Record<RateName, string>> = {
  loginsOfName: "logins to one name from one address",
  loginsOfAttackedName: "login, while somebody is guessing the password of this name,",
  recoveriesOfName: "recoveries of one name from one address",
  passwordChecks: "tries at the password or a code in one session",
  wrongCodes: "wrong codes for one account",
};
