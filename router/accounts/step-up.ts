import { findMember, type Member } from "../../db/accounts/members.ts";
import type { CallerContext, MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { requesterOf } from "../policy/count.ts";
import { countPasswordCheck } from "./login-tries.ts";
import { accountDeleted, hasPassword, passwordWrong } from "./members.ts";
import { codeRequired, useCode } from "./second-factor.ts";
import { renewSession, type ProofContext } from "./start-session.ts";

/** What a member gives again. */
export interface Given {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

type StepUpContext = ProofContext & Pick<CallerContext, "address">;

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
  given: Given,
  ctx: StepUpContext,
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
