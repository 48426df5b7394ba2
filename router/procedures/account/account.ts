import { z } from "zod";
import { hasIdentity } from "../../../db/accounts/identities.ts";
import { changePassword, deleteMember, findMember } from "../../../db/accounts/members.ts";
import { clearSessionCookie } from "../../accounts/session-cookie.ts";
import { authProcedures } from "./auth.ts";
import { newPassword, revokeTokens } from "../../accounts/account-rules.ts";
import { requesterOf } from "../../policy/count.ts";
import {
  accountDeleted,
  checkPasswords,
  confirmMember,
  hasPassword,
  passwordWrong,
} from "../../accounts/members.ts";
import { toTime } from "../../sql-time.ts";
import { sessions } from "./sessions.ts";
import { passkeys } from "./passkeys.ts";
import { totp } from "./totp.ts";
import { accountMeta } from "../../meta.ts";
import { router, sessionProcedure, settingsProcedure } from "../../trpc.ts";
import { noInput, secretText, time } from "../../schemas.ts";

const password = secretText(
  "Your current password; an account without one must have logged in within ten minutes",
).optional();

const me = settingsProcedure
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
      needsSecondFactor: z.boolean().describe("Whether this instance wants one before anything else"),
      hasIdentity: z.boolean().describe("Whether the organisation's login leads to it"),
      isAdmin: z.boolean().describe("Whether it administers this instance"),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const member = await findMember(services.db, { id: caller.memberId });
    if (!member) throw accountDeleted();
    const { id, name, createdAt, hasRecoveryCode } = member;
    const issuer = services.login.oidc?.issuer;
    return {
      ...{ id, name, created: toTime(createdAt), hasRecoveryCode, hasPassword: hasPassword(member) },
      ...{ hasTotp: member.hasTotp, isAdmin: caller.isAdmin === true },
      needsSecondFactor: services.login.needsSecondFactor && !caller.isStrong,
      hasIdentity: issuer !== undefined && (await hasIdentity(services.db, { issuer, member: id })),
    };
  });

const setPassword = sessionProcedure
  .meta(
    accountMeta("POST", "/api/users/me/password", {
      summary: "Change the password",
      description:
        "Ends all other sessions, and revokes all API tokens if you wish. The recovery code stays.",
      body: "fields",
      errors: [422],
    }),
  )
  .input(z.strictObject({ password, newPassword: newPassword("The new password"), revokeTokens }))
  .output(z.object({ changed: z.literal(true) }))
  .mutation(async ({ input, ctx, signal }) => {
    const { services, caller } = ctx;
    checkPasswords(services);
    const { db, passwords } = services;
    const requester = requesterOf(ctx, signal);
    const confirmation = { password: input.password, services, requester };
    const { id, password: from } = await confirmMember(caller, confirmation);
    const to = await passwords.hash(input.newPassword, requester);
    // When two requests change it at once, the second one's old password is wrong by now.
    const change = { id, from, to, except: caller.credentialId, revokeTokens: input.revokeTokens };
    if (!(await changePassword(db, change))) throw passwordWrong();
    return { changed: true as const };
  });

const deleteAccount = sessionProcedure
  .meta(
    accountMeta("DELETE", "/api/users/me", {
      summary: "Delete the account",
      description:
        "Deletes the member with all sessions and tokens. `secrets` decides what happens to unread secrets.",
      body: "fields",
      errors: [422],
    }),
  )
  .input(
    z.strictObject({
      password,
      secrets: z
        .enum(["keep", "revoke"])
        .describe("keep: unread secrets can still be read with their links; revoke: they are deleted"),
    }),
  )
  .output(z.object({ deleted: z.literal(true) }))
  .mutation(async ({ input, ctx, signal }) => {
    const { services, caller, responseHeaders } = ctx;
    const requester = requesterOf(ctx, signal);
    const { id } = await confirmMember(caller, { password: input.password, services, requester });
    await deleteMember(services.db, { id, now: services.now(), secrets: input.secrets });
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
});
