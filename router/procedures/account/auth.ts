import { z } from "zod";
import { hasIdentity } from "../../../db/accounts/identities.ts";
import { findByRecovery, findMember, recoverMember, type Member } from "../../../db/accounts/members.ts";
import { rehashPassword } from "../../../db/accounts/passwords.ts";
import { addSession } from "../../../db/accounts/sessions.ts";
import type { StoredWith } from "../../../db/stored-bytes.ts";
import type { AccountOrigin, CallerContext, Requester, Services } from "../../context.ts";
import { clearSessionCookie } from "../../accounts/cookies.ts";
import { endOwnSession, makeSession, startSession } from "../../accounts/start-session.ts";
import { noteTried } from "../../policy/acts.ts";
import { countCall, requesterOf } from "../../policy/count.ts";
import { repeatable } from "../../policy/once.ts";
import { countLogin, countRecovery } from "../../accounts/login-tries.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { checkNewPassword, isName, newName, newPassword } from "../../accounts/account-rules.ts";
import {
  accountDisabled,
  checkPasswords,
  createMember,
  hasPassword,
  type MemberCredentials,
} from "../../accounts/members.ts";
import { hashRecoveryCode, makeRecoveryCode, RECOVERY_WAIT_SECONDS } from "../../accounts/recovery-code.ts";
import { checkSecondFactor, codeRequired, useCode } from "../../accounts/second-factor.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTime } from "../../sql-time.ts";
import { loginMeta } from "../../meta.ts";
import { limitedAuthProcedure } from "../../trpc.ts";
import { noInput, secretText, time } from "../../schemas.ts";

const name = z.string().max(MAX_HANDLE_LENGTH).describe("Login name");
const recoveryCode = z.string().describe("Shown once; sets a new password, once");
const loggedIn = { id: z.string(), name: z.string(), created: time };

const register = limitedAuthProcedure("accountCalls")
  .meta({ rate: "registrations" })
  .meta(
    loginMeta("POST", "/api/account/register", {
      again: "key",
      summary: "Create an account",
      description: "Creates a member and logs in: the answer sets the session cookie.",
      body: "fields",
      status: 201,
      errors: [409],
    }),
  )
  .input(z.strictObject({ name: newName, password: newPassword("Password") }))
  .output(z.object({ ...loggedIn, recoveryCode }))
  .mutation(
    repeatable(
      async ({ input, ctx, signal, keep }) => {
        checkPasswords(ctx.services);
        if (ctx.services.registration === "closed") throw registrationClosed();
        checkNewPassword(input.password, { ...ctx.services, name: input.name, parameter: "password" });
        // Counted only here, so that a password that is too short does not use up the caller's tries.
        await countCall(ctx, "registrations");
        const creation = { ...input, createdFrom: originOf(ctx), requester: requesterOf(ctx, signal) };
        let cookie = "";
        const member = await createMember({ ...creation, keep: keepWithSession }, ctx.services);
        if (!member) throw nameTaken();
        await endOwnSession(ctx);
        ctx.responseHeaders.set("set-cookie", cookie);
        return describeNew(member);

        // Account, session and what is answered again: all of it is stored, or nothing.
        async function keepWithSession(made: MemberCredentials): Promise<StoredWith["keep"]> {
          const begun = makeSession(made.id, ctx, { factors: ["password"] });
          cookie = begun.cookie;
          const keepAnswer = await keep?.(describeNew(made), cookie);
          return async (trx) => {
            await addSession(trx, begun.session);
            await keepAnswer?.(trx);
          };
        }
      },
      { by: "address" },
    ),
  );

function describeNew(member: MemberCredentials) {
  return { ...member, created: toTime(member.created) };
}

const login = limitedAuthProcedure("logins")
  .meta(
    loginMeta("POST", "/api/account/login", {
      again: "key",
      summary: "Log in",
      description:
        "Sets the cookie of a new session and ends the browser's old one. An account with an authenticator app needs " +
        "`code` too; without it the answer is 401 `second_factor_required`.",
      body: "fields",
      errors: [422],
      events: {
        invalid_credentials: "login_failed",
        account_disabled: "login_failed",
        second_factor_wrong: "login_failed",
        rate_limited: "login_locked",
      },
    }),
  )
  .input(
    z.strictObject({
      name,
      password: secretText("The password"),
      code: secretText(
        "Where the account has an authenticator app: its code, or the recovery code in its place",
      )
        .max(MAX_HANDLE_LENGTH)
        .optional(),
    }),
  )
  .output(
    z.object({
      ...loggedIn,
      recoveryCode: recoveryCode
        .optional()
        .describe("The next one, where the old one was used as the code; shown once"),
      mustChoosePassword: z
        .literal(true)
        .optional()
        .describe("An administrator has set the password: nothing else works before it is changed"),
    }),
  )
  .mutation(
    repeatable(
      async ({ input, ctx, signal, keep }) => {
        checkPasswords(ctx.services);
        const succeed = await countLogin(input.name, ctx);
        const member = await findByPassword({ ...input, requester: requesterOf(ctx, signal) }, ctx.services);
        // Before a code is used up.
        if (member.disabledAt !== null) throw accountDisabled();
        if (member.passwordUntil !== null && member.passwordUntil <= ctx.services.now())
          throw passwordExpired();
        // The first of two steps is no failure.
        if (member.hasTotp && input.code === undefined) await succeed();
        const { factor, ...next } = await checkSecondFactor(input.code, { member, services: ctx.services });
        await succeed();
        const answer = {
          ...{ id: member.id, name: member.name, created: toTime(member.createdAt), ...next },
          ...(member.passwordUntil !== null && { mustChoosePassword: true as const }),
        };
        const factors = factor ? (["password", factor] as const) : (["password"] as const);
        await startSession(member.id, ctx, { factors, keep: keep && ((cookie) => keep(answer, cookie)) });
        return answer;
      },
      { by: "address" },
    ),
  );

/** What a recovery can leave as it is. */
const KEPT = ["sessions", "tokens", "passkeys", "identities"] as const;

const recover = limitedAuthProcedure("recoveries")
  .meta(
    loginMeta("POST", "/api/account/recover", {
      again: "key",
      summary: "Set a new password with the recovery code",
      description:
        "Ends all sessions, API tokens, passkeys and identities but those in `keep`, and says how many. Logs in, and " +
        "returns a new recovery code; the old one is used up. An account with an authenticator app needs its `code` too: " +
        "a recovery code replaces one factor, never two.",
      body: "fields",
      errors: [422],
      loginBy: "recovery",
      events: {
        invalid_credentials: "recovery_failed",
        account_disabled: "recovery_failed",
        rate_limited: "login_locked",
      },
    }),
  )
  .input(
    z.strictObject({
      name,
      recoveryCode: secretText(
        "The recovery code from registration: 26 letters and digits, 24 in older ones",
      ).max(MAX_HANDLE_LENGTH),
      password: newPassword("The new password"),
      code: secretText("Where the account has an authenticator app: its code")
        .max(MAX_HANDLE_LENGTH)
        .optional(),
      keep: z.array(z.enum(KEPT)).max(KEPT.length).default([]).describe("What goes on opening the account"),
      // Scripts of before `keep` send it; that tokens end is what happens anyway.
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
        // Made before anything is looked up: the time it takes tells nothing about the name.
        const password = await passwords.hash(input.password, requesterOf(ctx, signal));
        const member = isName(input.name)
          ? await findByRecovery(db, { name: input.name, recoveryHash })
          : undefined;
        if (!member) {
          noteTried(isName(input.name) ? (await findMember(db, input))?.id : undefined);
          throw invalidCredentials("recovery code");
        }
        noteTried(member.id);
        // Only who has the code learns that the account is disabled, and keeps it.
        if (member.disabledAt !== null) throw accountDisabled();
        if (member.hasTotp) await proveCode(input.code, { member, services: ctx.services });
        const recovered = await recoverMember(db, {
          ...{ name: input.name, recoveryHash, password, nextRecoveryHash: next.hash },
          ...{ keep: [...input.keep, "totp"], now: now(), waitSeconds: RECOVERY_WAIT_SECONDS },
          isStrong: member.hasTotp,
        });
        if (!recovered) throw invalidCredentials("recovery code");
        const factors = member.hasTotp ? (["recovery", "totp"] as const) : (["recovery"] as const);
        const { sessions, tokens, passkeys, identities } = recovered.ended;
        const answer = {
          ...{ id: recovered.id, name: input.name, recoveryCode: next.code },
          ended: { sessions, tokens, passkeys, identities },
        };
        await startSession(recovered.id, ctx, { factors, keep: keep && ((cookie) => keep(answer, cookie)) });
        return answer;
      },
      { by: "address" },
    ),
  );

const logout = limitedAuthProcedure("accountCalls")
  .meta(
    loginMeta("POST", "/api/account/logout", {
      again: "same",
      summary: "Log out",
      description:
        "Ends the session and clears its cookie. Without a session it does nothing. Who logged in by an organisation's " +
        "provider may still be logged in there, and can log out at `providerLogout`.",
    }),
  )
  .input(noInput)
  .output(
    z.object({
      ended: z.boolean().describe("Whether there was a session"),
      providerLogout: z.string().nullable().describe("URL that logs out of the organisation's provider too"),
    }),
  )
  .mutation(async ({ ctx }) => {
    const ended = await endOwnSession(ctx);
    clearSessionCookie(ctx.responseHeaders, ctx.services);
    return { ended, providerLogout: await findProviderLogout(ctx) };
  });

/** The procedures that start and end sessions. */
export const authProcedures = { register, login, recover, logout };

async function findProviderLogout({ caller, services }: CallerContext): Promise<string | null> {
  const { oidc } = services.login;
  if (!oidc || caller.tier !== "member" || caller.via !== "session") return null;
  if (!(await hasIdentity(services.db, { issuer: oidc.issuer, member: caller.memberId }))) return null;
  return (await oidc.logoutUrl(`${services.publicUrl}/account`)) ?? null;
}

async function findByPassword(
  { name: givenName, password, requester }: { name: string; password: string; requester: Requester },
  services: Services,
): Promise<Member> {
  const { db, passwords } = services;
  const member = isName(givenName) ? await findMember(db, { name: givenName }) : undefined;
  noteTried(member?.id);
  const hash = member && hasPassword(member) ? member.password : undefined;
  const { isRight, isOutdated } = await passwords.check(password, hash, requester);
  if (!member || !isRight) throw invalidCredentials("password");
  if (isOutdated) {
    const to = await passwords.hash(password, requester);
    await rehashPassword(db, { id: member.id, from: member.password, to });
  }
  return member;
}

async function proveCode(
  code: string | undefined,
  of: { member: Member; services: Services },
): Promise<void> {
  if (code === undefined)
    throw codeRequired(
      'This account has an authenticator app: send its code as "code", for which the recovery code does not stand',
    );
  await useCode(code, of);
}

// A /48 is one origin, since one customer can hold it whole.
function originOf({ services, address: { rate, site } }: CallerContext): AccountOrigin {
  return services.rateKey(`origin ${site ?? rate}`);
}

// The same for an unknown name and for a wrong password, so that nobody learns which names exist.
function invalidCredentials(what: "password" | "recovery code"): ApiError {
  return new ApiError("invalid_credentials", `No account has this name and this ${what}`);
}

function passwordExpired(): ApiError {
  return new ApiError(
    "password_expired",
    "The password that an administrator has set was good for a day; ask them for another",
  );
}

function nameTaken(): ApiError {
  return new ApiError("name_taken", "This name is taken; choose another one", {
    parameter: "name",
    in: "body",
  });
}

function registrationClosed(): ApiError {
  return new ApiError("registration_closed", "Only the administrator creates accounts here; ask for one");
}
