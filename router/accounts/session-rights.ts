import { findMember } from "../../db/accounts/members.ts";
import { listPasskeys } from "../../db/accounts/passkeys.ts";
import type { MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";

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
