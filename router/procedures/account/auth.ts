import { z } from "zod";
import { findMember, recoverMember, rehashPassword, type Member } from "../../../db/accounts/members.ts";
import { endSession, insertSession } from "../../../db/accounts/sessions.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import type { AccountOrigin, CallerContext, Requester, Services } from "../../context.ts";
import { clearSessionCookie, setSessionCookie } from "../../policy/session-cookie.ts";
import { countCall, requesterOf } from "../../policy/count.ts";
import { countLogin, countRecovery } from "../../policy/login-tries.ts";
import { MAX_HANDLE_LENGTH, SESSION_SECONDS } from "../../limits.ts";
import { isName, newName, newPassword, revokeTokens } from "../../policy/account-rules.ts";
import { createMember } from "../../policy/members.ts";
import { hashRecoveryCode, makeRecoveryCode } from "../../policy/recovery-code.ts";
import { ApiError } from "../../errors/errors.ts";
import { HANDLE_LENGTH, SESSION_VALUE_LENGTH } from "../../ids.ts";
import { toTime } from "../../sql-time.ts";
import { accountMeta } from "../../meta.ts";
import { limitedAuthProcedure } from "../../trpc.ts";
import { noInput, secretText, time } from "../../schemas.ts";

const name = z.string().max(MAX_HANDLE_LENGTH).describe("Login name");
const recoveryCode = z.string().describe("Shown once; sets a new password, once");
const loggedIn = { id: z.string(), name: z.string(), created: time };

const register = limitedAuthProcedure("accountCalls")
  .meta({ rate: "registrations" })
  .meta(
    accountMeta("POST", "/api/account/register", {
      summary: "Create an account",
      description: "Creates a member and logs in: the answer sets the session cookie.",
      body: "fields",
      status: 201,
      errors: [409],
    }),
  )
  .input(z.strictObject({ name: newName, password: newPassword("Password") }))
  .output(z.object({ ...loggedIn, recoveryCode }))
  .mutation(async ({ input, ctx, signal }) => {
    if (ctx.services.registration === "closed") throw registrationClosed();
    // Counted only here, so that a password that is too short does not use up the caller's tries.
    await countCall(ctx, "registrations");
    const creation = { ...input, createdFrom: originOf(ctx), requester: requesterOf(ctx, signal) };
    const member = await createMember(creation, ctx.services);
    if (!member) throw nameTaken();
    await startSession(member.id, ctx);
    return { ...member, created: toTime(member.created) };
  });

const login = limitedAuthProcedure("logins")
  .meta(
    accountMeta("POST", "/api/account/login", {
      summary: "Log in",
      description: "Sets the cookie of a new session and ends the browser's old one.",
      body: "fields",
    }),
  )
  .input(z.strictObject({ name, password: secretText("The password") }))
  .output(z.object(loggedIn))
  .mutation(async ({ input, ctx, signal }) => {
    const succeed = await countLogin(input.name, ctx);
    const member = await findByPassword({ ...input, requester: requesterOf(ctx, signal) }, ctx.services);
    await succeed();
    await startSession(member.id, ctx);
    return { id: member.id, name: member.name, created: toTime(member.createdAt) };
  });

const recover = limitedAuthProcedure("recoveries")
  .meta(
    accountMeta("POST", "/api/account/recover", {
      summary: "Set a new password with the recovery code",
      description:
        "Ends all sessions, and revokes all API tokens if you wish. Logs in, and returns a new recovery code; " +
        "the old one is used up.",
      body: "fields",
    }),
  )
  .input(
    z.strictObject({
      name,
      recoveryCode: secretText("The recovery code from registration, 24 letters and digits").max(
        MAX_HANDLE_LENGTH,
      ),
      password: newPassword("The new password"),
      revokeTokens,
    }),
  )
  .output(z.object({ id: z.string(), name: z.string(), recoveryCode }))
  .mutation(async ({ input, ctx, signal }) => {
    const { db, passwords } = ctx.services;
    await countRecovery(input.name, ctx);
    const next = makeRecoveryCode();
    const recovery = {
      name: input.name,
      recoveryHash: hashRecoveryCode(input.recoveryCode),
      // Made before anything is looked up: the time it takes tells nothing about the name.
      password: await passwords.hash(input.password, requesterOf(ctx, signal)),
      nextRecoveryHash: next.hash,
      revokeTokens: input.revokeTokens,
    };
    const id = isName(input.name) ? await recoverMember(db, recovery) : undefined;
    if (id === undefined) throw invalidCredentials("recovery code");
    await startSession(id, ctx);
    return { id, name: input.name, recoveryCode: next.code };
  });

const logout = limitedAuthProcedure("accountCalls")
  .meta(
    accountMeta("POST", "/api/account/logout", {
      summary: "Log out",
      description: "Ends the session and clears its cookie. Without a session it does nothing.",
    }),
  )
  .input(noInput)
  .output(z.object({ ended: z.boolean().describe("Whether there was a session") }))
  .mutation(async ({ ctx }) => {
    const ended = await endOwnSession(ctx);
    clearSessionCookie(ctx.responseHeaders, ctx.services);
    return { ended };
  });

/** The procedures that start and end sessions. */
export const authProcedures = { register, login, recover, logout };

async function findByPassword(
  { name: givenName, password, requester }: { name: string; password: string; requester: Requester },
  services: Services,
): Promise<Member> {
  const { db, passwords } = services;
  const member = isName(givenName) ? await findMember(db, { name: givenName }) : undefined;
  const { isRight, isOutdated } = await passwords.check(password, member?.password, requester);
  if (!member || !isRight) throw invalidCredentials("password");
  if (isOutdated) {
    const to = await passwords.hash(password, requester);
    await rehashPassword(db, { id: member.id, from: member.password, to });
  }
  return member;
}

// Always a new value, so that a cookie planted in the browser never becomes a member's (session fixation).
async function startSession(member: string, ctx: CallerContext): Promise<void> {
  const { db, now, publicUrl } = ctx.services;
  await endOwnSession(ctx);
  const [id, value, createdAt] = [randomBase62(HANDLE_LENGTH), randomBase62(SESSION_VALUE_LENGTH), now()];
  const hash = digestText(value);
  await insertSession(db, { id, hash, member, createdAt, expiresAt: createdAt + SESSION_SECONDS });
  setSessionCookie(ctx.responseHeaders, { value, publicUrl });
}

async function endOwnSession({ caller, services }: CallerContext): Promise<boolean> {
  if (caller.tier !== "member" || caller.via !== "session") return false;
  return endSession(services.db, { member: caller.memberId, id: caller.credentialId });
}

// A /48 is one origin, since one customer can hold it whole.
function originOf({ services, address: { rate, site } }: CallerContext): AccountOrigin {
  return services.rateKey(`origin ${site ?? rate}`);
}

// The same for an unknown name and for a wrong password, so that nobody learns which names exist.
function invalidCredentials(what: "password" | "recovery code"): ApiError {
  return new ApiError("invalid_credentials", `No account has this name and this ${what}`);
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
