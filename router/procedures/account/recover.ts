import { z } from "zod";
import { findByRecovery, findMember, recoverMember } from "../../../db/accounts/members.ts";
import { checkNewPassword, isName, newPassword } from "../../accounts/account-rules.ts";
import { countRecovery } from "../../accounts/login-tries.ts";
import {
  accountDisabled,
  checkNotExpired,
  checkPasswords,
  invalidCredentials,
} from "../../accounts/members.ts";
import {
  hashRecoveryCode,
  makeRecoveryCode,
  RECOVERY_WAIT_SECONDS,
  codeRequired,
  useCode,
} from "../../accounts/second-factor.ts";
import { startSession } from "../../accounts/start-session.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { loginMeta } from "../../meta.ts";
import { noteTried } from "../../policy/acts.ts";
import { requesterOf } from "../../policy/count.ts";
import { repeatable } from "../../policy/once.ts";
import { secretText } from "../../schemas.ts";
import { limitedAuthProcedure } from "../../trpc.ts";

export const loginName = z.string().max(MAX_HANDLE_LENGTH).describe("Login name");
export const recoveryCode = z.string().describe("Shown once; sets a new password, once");

/** What a recovery can keep. */
const KEPT = ["sessions", "tokens", "passkeys", "identities", "hooks"] as const;

/** Sets a new password with the recovery code. */
export const recover = limitedAuthProcedure("recoveries")
  .meta(
    loginMeta("POST", "/api/account/recover", {
      retry: "key",
      summary: "Set a new password with the recovery code",
      description:
        "Ends all sessions, API tokens, passkeys, identities and hooks but those in `keep`, and says how many. Logs in, and " +
        "returns a new recovery code; the old one is used up. An account with an authenticator app needs its `code` too: " +
        "a recovery code replaces one factor, never two.",
      body: "fields",
      errors: [422],
      loginBy: "recovery",
      events: {
        invalid_credentials: "recovery_failed",
        account_disabled: "recovery_failed",
        second_factor_wrong: "recovery_failed",
        password_expired: "recovery_failed",
        rate_limited: "login_locked",
      },
    }),
  )
  .input(
    z.strictObject({
      name: loginName,
      recoveryCode: secretText(
        "The recovery code from registration: 26 letters and digits, 24 in older ones",
      ).max(MAX_HANDLE_LENGTH),
      password: newPassword("The new password"),
      code: secretText("Where the account has an authenticator app: its code")
        .max(MAX_HANDLE_LENGTH)
        .optional(),
      keep: z.array(z.enum(KEPT)).max(KEPT.length).default([]).describe("What goes on"),
      // Sent by scripts from before `keep`; tokens end anyway.
      revokeTokens: z.literal(true).optional().describe("What happens anyway; older callers say it"),
    }),
  )
  .output(
    z.object({
      id: z.string(),
      name: z.string(),
      recoveryCode,
      ended: z.object({
        sessions: z.int(),
        tokens: z.int(),
        passkeys: z.int(),
        identities: z.int(),
        hooks: z.int(),
      }),
    }),
  )
  .mutation(
    repeatable(
      async ({ input, ctx, signal, keep }) => {
        checkPasswords(ctx.services);
        const { db, now, passwords } = ctx.services;
        checkNewPassword(input.password, { ...ctx.services, name: input.name, parameter: "password" });
        await countRecovery(input.name, ctx);
        const next = makeRecoveryCode();
        const recoveryHash = hashRecoveryCode(input.recoveryCode);
        // Made before anything is looked up, so that its time reveals nothing about the name.
        const password = await passwords.hash(input.password, requesterOf(ctx, signal));
        const member = isName(input.name) ? await findByRecovery(db, input.name, recoveryHash) : undefined;
        if (!member) {
          noteTried(isName(input.name) ? (await findMember(db, input))?.id : undefined);
          throw invalidCredentials("recovery code");
        }
        noteTried(member.id);
        // Only the holder of the code learns that the account is disabled, and the code stays valid.
        if (member.disabledAt !== null) throw accountDisabled();
        checkNotExpired(member, ctx.services);
        if (member.hasTotp) {
          if (input.code === undefined)
            throw codeRequired(
              'This account has an authenticator app: send its code as "code", for which the recovery code does not stand',
            );
          await useCode(input.code, { member, services: ctx.services });
        }
        const recovered = await recoverMember(db, {
          name: input.name,
          recoveryHash,
          password,
          nextRecoveryHash: next.hash,
          keep: [...input.keep, "totp"],
          now: now(),
          waitSeconds: RECOVERY_WAIT_SECONDS,
          isStrong: member.hasTotp,
        });
        if (!recovered) throw invalidCredentials("recovery code");
        const factors = member.hasTotp ? (["recovery", "totp"] as const) : (["recovery"] as const);
        const { totp: _, ...ended } = recovered.ended;
        const answer = { id: recovered.id, name: input.name, recoveryCode: next.code, ended };
        const keepCookie = keep && ((cookie: string) => keep(answer, cookie));
        await startSession(recovered.id, ctx, { factors, by: { password }, keep: keepCookie });
        return answer;
      },
      { by: "address" },
    ),
  );
