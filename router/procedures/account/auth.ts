import { z } from "zod";
import { hasIdentity } from "../../../db/accounts/identities.ts";
import { findMember, type Member } from "../../../db/accounts/members.ts";
import { rehashPassword } from "../../../db/accounts/passwords.ts";
import { addSession } from "../../../db/accounts/sessions.ts";
import type { TransactionSteps } from "../../../db/stored-bytes.ts";
import type { AccountOrigin, CallerContext, Requester, Services } from "../../context.ts";
import { clearSessionCookie } from "../../accounts/cookies.ts";
import { endOwnSession, makeSession, startSession } from "../../accounts/start-session.ts";
import { noteTried } from "../../policy/acts.ts";
import { countCall, requesterOf } from "../../policy/count.ts";
import { repeatable } from "../../policy/once.ts";
import { countLogin } from "../../accounts/login-tries.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { checkNewPassword, isName, newName, newPassword } from "../../accounts/account-rules.ts";
import {
  accountDisabled,
  checkNotExpired,
  checkPasswords,
  createMember,
  hasPassword,
  invalidCredentials,
  type MemberCredentials,
  nameTaken,
} from "../../accounts/members.ts";
import { checkSecondFactor } from "../../accounts/second-factor.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTime } from "../../clock.ts";
import { loginMeta } from "../../meta.ts";
import { limitedAuthProcedure } from "../../trpc.ts";
import { noInput, secretText, time } from "../../schemas.ts";
import { loginName, recover, recoveryCode } from "./recover.ts";

const loggedIn = { id: z.string(), name: z.string(), created: time };

const register = limitedAuthProcedure("accountCalls")
  .meta({ rate: "registrations" })
  .meta(
    loginMeta("POST", "/api/account/register", {
      retry: "key",
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
        if (ctx.services.registration === "closed")
          throw new ApiError(
            "registration_closed",
            "Only the administrator creates accounts here; ask for one",
          );
        checkNewPassword(input.password, { ...ctx.services, name: input.name, parameter: "password" });
        // Counted only here, so that a password that is too short uses up no attempt.
        await countCall(ctx, "registrations");
        const creation = { ...input, createdFrom: originOf(ctx), requester: requesterOf(ctx, signal) };
        let cookie = "";
        const member = await createMember({ ...creation, keep: keepWithSession }, ctx.services);
        if (!member) throw nameTaken();
        await endOwnSession(ctx);
        ctx.responseHeaders.set("set-cookie", cookie);
        return describeNew(member);

        // Account, session and stored answer: all of it is stored, or nothing.
        async function keepWithSession(made: MemberCredentials): Promise<TransactionSteps["keep"]> {
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
      retry: "key",
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
        password_expired: "login_failed",
        rate_limited: "login_locked",
      },
    }),
  )
  .input(
    z.strictObject({
      name: loginName,
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
        // Checked before a code is used up.
        if (member.disabledAt !== null) throw accountDisabled();
        checkNotExpired(member, ctx.services);
        // The first of two steps is not a failure.
        if (member.hasTotp && input.code === undefined) await succeed();
        const { factor, ...next } = await checkSecondFactor(input.code, member, ctx.services);
        await succeed();
        const answer = {
          id: member.id,
          name: member.name,
          created: toTime(member.createdAt),
          ...next,
          ...(member.passwordUntil !== null && { mustChoosePassword: true as const }),
        };
        const factors = factor ? (["password", factor] as const) : (["password"] as const);
        const keepCookie = keep && ((cookie: string) => keep(answer, cookie));
        await startSession(member.id, ctx, { factors, by: { password: member.password }, keep: keepCookie });
        return answer;
      },
      { by: "address", isLogin: true },
    ),
  );

const logout = limitedAuthProcedure("accountCalls")
  .meta(
    loginMeta("POST", "/api/account/logout", {
      retry: "idempotent",
      summary: "Log out",
      description:
        "Ends the session and clears its cookie. Without a session it does nothing. Who logged in by an organization's " +
        "provider may still be logged in there, and can log out at `providerLogout`.",
    }),
  )
  .input(noInput)
  .output(
    z.object({
      ended: z.boolean().describe("Whether there was a session"),
      providerLogout: z.string().nullable().describe("URL that logs out of the organization's provider too"),
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
  if (!isOutdated) return member;
  const to = await passwords.hash(password, requester);
  if (await rehashPassword(db, { id: member.id, from: member.password, to }))
    return { ...member, password: to };
  // Another login has done so too, or the password was changed.
  return findByPassword({ name: givenName, password, requester }, services);
}

// A /48 is one origin, since one customer can have a whole one.
function originOf({ services, address: { rate, site } }: CallerContext): AccountOrigin {
  return services.rateKey(`origin ${site ?? rate}`);
}
