import { z } from "zod";
import { changePassword, deleteMember, findMember } from "../../db/members.ts";
import { clearSessionCookie } from "../policy/session-cookie.ts";
import { entries } from "./auth.ts";
import { confirmMember, memberGone, newPassword, passwordWrong } from "../policy/members.ts";
import { toTime } from "../sql-time.ts";
import { sessions } from "./sessions.ts";
import { router, sessionProcedure } from "../trpc.ts";
import { secretText, time } from "../schemas.ts";

const password = secretText("The password of the account, asked again");

const me = sessionProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/users/me",
      summary: "Your account",
      description: "Who is logged in.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [401, 403],
  })
  .input(z.strictObject({}))
  .output(z.object({ id: z.string(), name: z.string(), created: time, hasRecoveryCode: z.boolean() }))
  .query(async ({ ctx: { services, caller } }) => {
    const member = await findMember(services.db, { id: caller.memberId });
    if (!member) throw memberGone();
    const { id, name, createdAt, hasRecoveryCode } = member;
    return { id, name, created: toTime(createdAt), hasRecoveryCode };
  });

const setPassword = sessionProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/users/me/password",
      summary: "Change the password",
      description: "Ends all other sessions. API tokens and the recovery code stay as they are.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "fields", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403, 413, 415, 422, 429],
  })
  .input(z.strictObject({ password, newPassword: newPassword("The new one, 10 to 256 characters") }))
  .output(z.object({ changed: z.literal(true) }))
  .mutation(async ({ input, ctx: { services, caller } }) => {
    const { db, passwords } = services;
    const { id, password: from } = await confirmMember(caller, { password: input.password, services });
    const to = await passwords.hash(input.newPassword);
    // Of two who change it at once, the second one's old password is wrong by now.
    if (!(await changePassword(db, { id, from, to, except: caller.credentialId }))) throw passwordWrong();
    return { changed: true as const };
  });

const deleteAccount = sessionProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/users/me",
      summary: "Delete the account",
      description:
        "Deletes the member with all sessions and tokens; what becomes of the secrets is to be said.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "fields", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403, 413, 415, 422, 429],
  })
  .input(
    z.strictObject({
      password,
      secrets: z
        .enum(["keep", "revoke"])
        .describe("keep: unread secrets can still be read with their links; revoke: they are deleted"),
    }),
  )
  .output(z.object({ deleted: z.literal(true) }))
  .mutation(async ({ input, ctx: { services, caller, responseHeaders } }) => {
    const { id } = await confirmMember(caller, { password: input.password, services });
    await deleteMember(services.db, { id, now: services.now(), secrets: input.secrets });
    clearSessionCookie(responseHeaders, services);
    return { deleted: true as const };
  });

export const account = router({
  ...entries,
  me,
  delete: deleteAccount,
  changePassword: setPassword,
  ...sessions,
});
