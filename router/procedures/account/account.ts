import { z } from "zod";
import { hasIdentity } from "../../../db/accounts/identities.ts";
import { countOwn } from "../../../db/accounts/lock-member.ts";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { changePassword } from "../../../db/accounts/passwords.ts";
import { clearSessionCookie } from "../../accounts/cookies.ts";
import { authProcedures } from "./auth.ts";
import { checkNewPassword, newPassword, revokeTokens } from "../../accounts/account-rules.ts";
import { requesterOf } from "../../policy/count.ts";
import {
  checkNotExpired,
  checkPasswords,
  existingMember,
  hasPassword,
  passwordWrong,
} from "../../accounts/members.ts";
import { wrongCodesOf } from "../../accounts/login-tries.ts";
import { makeRecoveryCode } from "../../accounts/second-factor.ts";
import { checkStrong, proveAgain } from "../../accounts/step-up.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";
import { sessions } from "./sessions.ts";
import { identities } from "./identities.ts";
import { passkeys } from "./passkeys.ts";
import { totp } from "./totp.ts";
import { repeatable } from "../../policy/once.ts";
import { ApiError, wrongParameter } from "../../errors/errors.ts";
import { accountMeta, loginMeta } from "../../meta.ts";
import { loggedInProcedure, router, sessionProcedure } from "../../trpc.ts";
import { noInput, provenAgain, time } from "../../schemas.ts";
import { EXAMPLE } from "../examples.ts";

const me = loggedInProcedure
  .meta(
    accountMeta("GET", "/api/users/me", {
      summary: "Your account",
      description: "The member who is logged in.",
    }),
  )
  .input(noInput)
  .output(
    z.object({
      id: z.string(),
      name: z.string(),
      created: time,
      hasRecoveryCode: z.boolean(),
      hasPassword: z.boolean(),
      hasTotp: z.boolean().describe("Whether a login asks for a code of an authenticator app"),
      needsSecondFactor: z.boolean().describe("Whether this server wants one before anything else"),
      hasIdentity: z.boolean().describe("Whether the organization's login leads to it"),
      isAdmin: z.boolean().describe("Whether it administers this server"),
      mustChoosePassword: z
        .boolean()
        .describe(
          "Whether an administrator has set the password, which has to be changed before anything else",
        ),
      recovered: time
        .nullable()
        .describe("When the recovery code last set the password, RFC 3339, UTC; null: never"),
      enrolFrom: time
        .nullable()
        .describe("From when on a recovered account can set up a second factor, RFC 3339, UTC; null: now"),
      hooks: z.int().describe("How many hooks tell you what becomes of your secrets"),
      wrongCodes: z.int().describe("Wrong codes of the authenticator app in the last day, from anywhere"),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const member = await existingMember(caller.memberId, services);
    const { id, name, createdAt, hasRecoveryCode } = member;
    const issuer = services.login.oidc?.issuer;
    return {
      id,
      name,
      created: toTime(createdAt),
      hasRecoveryCode,
      hasPassword: hasPassword(member),
      hasTotp: member.hasTotp,
      isAdmin: caller.isAdmin === true,
      needsSecondFactor: services.login.needsSecondFactor && !caller.isStrong,
      hasIdentity: issuer !== undefined && (await hasIdentity(services.db, { issuer, member: id })),
      mustChoosePassword: caller.mustChoosePassword === true,
      recovered: toTimeOrNull(member.recoveredAt),
      enrolFrom: toTimeOrNull((member.enrolFrom ?? 0) > services.now() ? member.enrolFrom : null),
      hooks: services.hooks === null ? 0 : await countOwn(services.db.query, "hook", id),
      wrongCodes: member.hasTotp ? await wrongCodesOf(member, services) : 0,
    };
  });

const setPassword = loggedInProcedure
  .meta(
    loginMeta("POST", "/api/users/me/password", {
      retry: "key",
      summary: "Change the password",
      description:
        "Ends all other sessions, and revokes all API tokens if you wish. The recovery code stays, but where an " +
        "administrator has set the password and knows that code too: then there is another one. A first password comes " +
        "with one.",
      body: "fields",
      errors: [422],
      events: { rate_limited: "login_locked" },
      examples: { "Input.password": EXAMPLE.password },
    }),
  )
  .input(z.strictObject({ ...provenAgain, newPassword: newPassword("The new password"), revokeTokens }))
  .output(
    z.object({
      changed: z.literal(true),
      recoveryCode: z
        .string()
        .optional()
        .describe("Where there was none, or an administrator's; shown once; sets a new password, once"),
    }),
  )
  .mutation(
    repeatable(async ({ input, ctx, signal, keep }) => {
      const { services, caller } = ctx;
      // A member who must change the password may do that before anything else.
      if (!caller.mustChoosePassword) checkStrong(caller, services);
      checkPasswords(services);
      const { db, passwords } = services;
      const parameter = "newPassword";
      checkNewPassword(input.newPassword, { ...services, name: caller.memberName, parameter });
      const member = await proveAgain(input, ctx, { signal, always: true });
      checkNotExpired(member, services);
      const { id, password: from, passwordUntil, hasRecoveryCode } = member;
      if (passwordUntil !== null && input.newPassword === input.password)
        throw wrongParameter("invalid_parameter", parameter, "must not be the administrator's password");
      const to = await passwords.hash(input.newPassword, requesterOf(ctx, signal));
      const isFirst = !hasPassword(member) && !hasRecoveryCode;
      const recovery = passwordUntil !== null || isFirst ? makeRecoveryCode() : undefined;
      // When two requests change it at once, the second one's old password is wrong by then.
      const ended = { except: caller.credentialId, revokeTokens: input.revokeTokens };
      const answer = { changed: true as const, ...(recovery && { recoveryCode: recovery.code }) };
      const change = { id, from, to, ...ended, recoveryHash: recovery?.hash, keep: await keep?.(answer) };
      if (!(await changePassword(db, change))) throw passwordWrong();
      return answer;
    }),
  );

const deleteAccount = sessionProcedure
  .meta(
    accountMeta("DELETE", "/api/users/me", {
      retry: "ended",
      summary: "Delete the account",
      description:
        "Deletes the member with all sessions and tokens. `secrets` decides what happens to unread secrets. The last " +
        "administrator of a server cannot go before there is another.",
      body: "fields",
      errors: [409, 422],
      events: { ok: "account_deleted", rate_limited: "login_locked" },
      examples: { "Input.password": EXAMPLE.password },
    }),
  )
  .input(
    z.strictObject({
      ...provenAgain,
      secrets: z
        .enum(["keep", "revoke"])
        .describe("keep: unread secrets can still be read with their links; revoke: they are deleted"),
    }),
  )
  .output(z.object({ deleted: z.literal(true) }))
  .mutation(async ({ input, ctx, signal }) => {
    const { services, responseHeaders } = ctx;
    const { id } = await proveAgain(input, ctx, { signal, always: true });
    const deletion = { id, now: services.now(), secrets: input.secrets, keepsAdministrator: true };
    // The account may also have been deleted meanwhile.
    if (!(await deleteMember(services.db, deletion)) && (await findMember(services.db, { id })))
      throw new ApiError(
        "own_account",
        "You are the only administrator of this server; whoever runs it can name another with `hushkit admin user role`",
      );
    services.embedded?.forget(id);
    clearSessionCookie(responseHeaders, services);
    return { deleted: true as const };
  });

export const account = router({
  ...authProcedures,
  me,
  delete: deleteAccount,
  changePassword: setPassword,
  ...sessions,
  ...totp,
  ...passkeys,
  ...identities,
});
