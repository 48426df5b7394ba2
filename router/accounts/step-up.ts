import { findMember, type Member } from "../../db/accounts/members.ts";
import type { CallerContext, MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { requesterOf } from "../policy/count.ts";
import { countPasswordCheck } from "./login-tries.ts";
import { accountDeleted, hasPassword, passwordWrong } from "./members.ts";
import { codeRequired, useCode } from "./second-factor.ts";
import { renewSession, type ProofContext } from "./start-session.ts";
import { listPasskeys } from "../../db/accounts/passkeys.ts";

/** What a member gives again. */
interface StepUpProof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** So long a proof counts for what changes the ways into an account. */
const FRESH_SECONDS = 600;

/**
 * Asks who calls to prove it again, before anything that adds, removes or changes a way into the account or ends it,
 * unless they have done so within ten minutes: a browser left open must not be enough. It takes the password, and the code
 * of the authenticator app beside it where the account has one, and gives the session another value; a member without a
 * password logs in again.
 * @throws ApiError missing_parameter, password_wrong, second_factor_required, second_factor_wrong, rate_limited,
 *   account_deleted, login_required
 */
export async function proveAgain(
  given: StepUpProof,
  ctx: ProofContext & Pick<CallerContext, "address">,
  options: { signal: AbortSignal | undefined; always?: boolean },
): Promise<Member> {
  const { caller, services } = ctx;
  const member = await findMember(services.db, { id: caller.memberId });
  if (!member) throw accountDeleted();
  const needsBoth = member.hasTotp || (services.login.needsSecondFactor && caller.isStrong === true);
  const isFresh = isRecent(caller, services) && (!needsBoth || caller.isStrong === true);
  const canType = hasPassword(member) && services.login.passwords;
  if (isFresh && (options.always !== true || !canType)) return member;
  // A passkey and a provider are asked by a login, which makes a session that has just been proved.
  if (!canType || (needsBoth && !isFresh && !member.hasTotp)) throw loginAgain();
  await countPasswordCheck(caller, services);
  if (given.password === undefined) throw passwordMissing();
  const requester = requesterOf(ctx, options.signal);
  const { isRight } = await services.passwords.check(given.password, member.password, requester);
  if (!isRight) throw passwordWrong();
  const takesCode = needsBoth && !isFresh;
  if (takesCode) await checkCode(given.code, { member, services });
  await renewSession(ctx, { isStrong: takesCode });
  return member;
}

async function checkCode(
  code: string | undefined,
  of: { member: Member; services: Services },
): Promise<void> {
  if (code === undefined) throw codeRequired("Send the current code of your authenticator app too");
  await useCode(code, of);
}

function isRecent({ provedAt }: MemberCaller, { now }: Pick<Services, "now">): boolean {
  return now() - (provedAt ?? 0) <= FRESH_SECONDS;
}

function loginAgain(): ApiError {
  return new ApiError(
    "login_required",
    "Log in again first, as this changes how the account opens and your last login was more than ten minutes ago",
  );
}

function passwordMissing(): ApiError {
  return new ApiError(
    "missing_parameter",
    'Parameter "password" is missing: it must be the password of this account',
    { parameter: "password", in: "body" },
  );
}

/**
 * What a session may do that has proved too little: it may not use the account before a second factor is set up, where
 * this instance wants one, or before an administrator's password is replaced.
 * @throws ApiError password_change_required, second_factor_required
 */
export function checkStrong(caller: MemberCaller, services: Pick<Services, "login">): void {
  if (caller.mustChoosePassword) {
    throw new ApiError(
      "password_change_required",
      "An administrator has set the password of this account; choose one of your own first",
    );
  }
  if (isStrongEnough(caller, services)) return;
  throw new ApiError(
    "second_factor_required",
    "This instance asks members for a second factor; set one up in the account first",
  );
}

/**
 * Who has logged in with a password alone, where this instance wants more, may set up a first second factor. Where the
 * account has one, whoever knows the password would only replace it; and whoever has set the password by the recovery
 * code has to wait, so that one code does not replace both.
 * @throws ApiError second_factor_required, recovery_wait
 */
export async function checkMayEnrol(caller: MemberCaller, services: Services): Promise<void> {
  if (caller.isStrong) return;
  const { memberId } = caller;
  const member = await findMember(services.db, { id: memberId });
  const wait = (member?.enrolFrom ?? 0) - services.now();
  if (wait > 0) throw recoveryWait(wait);
  if (isStrongEnough(caller, services)) return;
  const passkeys = await listPasskeys(services.db, { member: memberId });
  if (!member?.hasTotp && passkeys.length === 0) return;
  throw new ApiError("second_factor_required", "This account has a second factor; log in with it first");
}

function isStrongEnough({ via, isStrong }: MemberCaller, { login }: Pick<Services, "login">): boolean {
  return !login.needsSecondFactor || via === "token" || isStrong === true;
}

function recoveryWait(retryAfter: number): ApiError {
  return new ApiError(
    "recovery_wait",
    "The recovery code has just ended the passkeys of this account; ways to log in can be changed a day later",
    { retryAfter },
  );
}
