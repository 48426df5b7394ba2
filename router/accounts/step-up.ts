import { findMember, type Member } from "../../db/accounts/members.ts";
import type { CallerContext, MemberCaller, Services } from "../context.ts";
import { ApiError, wrongParameter } from "../errors/errors.ts";
import { requesterOf } from "../policy/count.ts";
import { countPasswordCheck } from "./login-tries.ts";
import { existingMember, hasPassword, passwordWrong } from "./members.ts";
import { codeRequired, useCode } from "./second-factor.ts";
import { renewSession, type ProofContext } from "./start-session.ts";
import { listPasskeys } from "../../db/accounts/passkeys.ts";

/** How long a proof counts for changes of the ways into an account. */
const FRESH_SECONDS = 600;

/**
 * Requires a new proof before anything that adds, removes, changes or ends a way into the account, unless the last one
 * is at most ten minutes old: an open browser must not be enough. It takes the password, and a code of the
 * authenticator app where the account has one, and changes the session's value; a member without a password logs in
 * again.
 * @throws ApiError missing_parameter, password_wrong, second_factor_required, second_factor_wrong, rate_limited,
 * account_deleted, login_required
 */
export async function proveAgain(
  given: { password?: string | undefined; code?: string | undefined },
  ctx: ProofContext & Pick<CallerContext, "address">,
  options: { signal: AbortSignal | undefined; always?: boolean },
): Promise<Member> {
  const { caller, services } = ctx;
  const member = await existingMember(caller.memberId, services);
  const needsBoth = member.hasTotp || (services.login.needsSecondFactor && caller.isStrong === true);
  const isFresh = isRecent(caller, services) && (!needsBoth || caller.isStrong === true);
  const canType = hasPassword(member) && services.login.passwords;
  if (isFresh && (options.always !== true || !canType)) return member;
  // Passkeys and providers are asked by a login, whose session is then freshly proved.
  if (!canType || (needsBoth && !isFresh && !member.hasTotp)) throw loginAgain();
  if (given.password === undefined)
    throw wrongParameter(
      "missing_parameter",
      "password",
      "is missing: it must be the password of this account",
    );
  await countPasswordCheck(caller, services);
  const requester = requesterOf(ctx, options.signal);
  const { isRight } = await services.passwords.check(given.password, member.password, requester);
  if (!isRight) throw passwordWrong();
  const takesCode = needsBoth && !isFresh;
  if (takesCode) {
    if (given.code === undefined) throw codeRequired("Send the current code of your authenticator app too");
    await useCode(given.code, { member, services });
  }
  await renewSession(ctx, { isStrong: takesCode, isWhole: takesCode || !needsBoth });
  return member;
}

function isRecent({ provedAt }: MemberCaller, { now }: Pick<Services, "now">): boolean {
  // Not by a proof that was given before the clock was set back.
  return Math.abs(now() - (provedAt ?? 0)) <= FRESH_SECONDS;
}

function loginAgain(): ApiError {
  return new ApiError(
    "login_required",
    "Log in again first, as this changes how the account opens and your last login was more than ten minutes ago",
  );
}

/**
 * Somebody else knows a password that an administrator has set: it opens nothing but the change of it, and so no way in
 * that would outlast that.
 * @throws ApiError password_change_required
 */
export function checkOwnPassword({ mustChoosePassword }: MemberCaller): void {
  if (!mustChoosePassword) return;
  throw new ApiError(
    "password_change_required",
    "An administrator has set the password of this account; choose one of your own first",
  );
}

/**
 * Restricts a session with too weak a proof: the account cannot be used before a second factor is set up, where this
 * instance requires one, or before an administrator's password is replaced.
 * @throws ApiError password_change_required, second_factor_required
 */
export function checkStrong(caller: MemberCaller, services: Pick<Services, "login">): void {
  checkOwnPassword(caller);
  if (isStrongEnough(caller, services)) return;
  throw new ApiError(
    "second_factor_required",
    "This server asks members for a second factor; set one up in the account first",
  );
}

/**
 * A member who has logged in with a password alone, where this instance requires more, may set up a first second
 * factor. Where there is one already, somebody who knows the password could just replace it; and after the recovery
 * code has set the password there is a wait, so that one code does not replace both.
 * @throws ApiError second_factor_required, recovery_wait
 */
export async function checkMayEnrol(caller: MemberCaller, services: Services): Promise<void> {
  if (caller.isStrong) return;
  const { memberId } = caller;
  const member = await findMember(services.db, { id: memberId });
  const retryAfter = (member?.enrolFrom ?? 0) - services.now();
  if (retryAfter > 0)
    throw new ApiError(
      "recovery_wait",
      "The recovery code has just ended the passkeys of this account; ways to log in can be changed a day later",
      { retryAfter },
    );
  if (isStrongEnough(caller, services)) return;
  const passkeys = await listPasskeys(services.db, memberId);
  if (!member?.hasTotp && passkeys.length === 0) return;
  throw new ApiError("second_factor_required", "This account has a second factor; log in with it first");
}

function isStrongEnough({ via, isStrong }: MemberCaller, { login }: Pick<Services, "login">): boolean {
  return !login.needsSecondFactor || via === "token" || isStrong === true;
}
