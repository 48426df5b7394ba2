import { z } from "zod";
import { findMember, recoverMember, rehashPassword, type Member } from "../../db/members.ts";
import { endSession, insertSession } from "../../db/sessions.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { Caller, Context, Services } from "../context.ts";
import { clearSessionCookie, setSessionCookie } from "../policy/session-cookie.ts";
import { countCall, countLogin } from "../policy/count.ts";
import { SESSION_SECONDS } from "../limits.ts";
import {
  hashRecoveryCode,
  isName,
  makeMember,
  makeRecoveryCode,
  newName,
  newPassword,
} from "../policy/members.ts";
import { ApiError } from "../errors.ts";
import { HANDLE_LENGTH, SESSION_VALUE_LENGTH } from "../ids.ts";
import { toTime } from "../sql-time.ts";
import { authProcedure, limitedAuthProcedure } from "../trpc.ts";
import { secretText, time } from "../schemas.ts";

const name = z.string().max(64).describe("Login name");
const recoveryCode = z.string().describe("Shown once; sets a new password, once");
const loggedIn = { id: z.string(), name: z.string(), created: time };

const register = authProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/account/register",
      summary: "Make an account",
      description: "Makes a member and logs in: the answer sets the session's cookie.",
      tags: ["account"],
      protect: false,
    },
    http: { body: "fields", result: "json", status: 201, ownPagesOnly: true },
    rate: "registrations",
    errors: [400, 401, 403, 413, 415, 429],
  })
  .input(z.strictObject({ name: newName, password: newPassword("10 to 256 characters") }))
  .output(z.object({ ...loggedIn, recoveryCode }))
  .mutation(async ({ input, ctx }) => {
    if (ctx.services.registration === "closed") throw registrationClosed();
    // Counted only here, so that a password that is too short costs nobody an hour.
    await countCall(ctx, "registrations");
    const made = await makeMember(input, ctx.services);
    if (!made) throw nameTaken();
    await startSession(made.id, ctx);
    return { ...made, created: toTime(made.created) };
  });

const login = limitedAuthProcedure("logins")
  .meta({
    openapi: {
      method: "POST",
      path: "/api/account/login",
      summary: "Log in",
      description: "Sets the cookie of a new session; one that the browser had before ends.",
      tags: ["account"],
      protect: false,
    },
    http: { body: "fields", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403, 413, 415, 429],
  })
  .input(z.strictObject({ name, password: secretText("The password") }))
  .output(z.object(loggedIn))
  .mutation(async ({ input, ctx }) => {
    await countLogin(input.name, ctx.services);
    const member = await findByPassword(input, ctx.services);
    await startSession(member.id, ctx);
    return { id: member.id, name: member.name, created: toTime(member.createdAt) };
  });

const recover = limitedAuthProcedure("logins")
  .meta({
    openapi: {
      method: "POST",
      path: "/api/account/recover",
      summary: "Set a new password with the recovery code",
      description:
        "Ends all sessions, logs in, and answers the next recovery code; the one given is used up.",
      tags: ["account"],
      protect: false,
    },
    http: { body: "fields", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403, 413, 415, 429],
  })
  .input(
    z.strictObject({
      name,
      recoveryCode: secretText("The 24 letters and digits that registration showed").max(64),
      password: newPassword("The new password, 10 to 256 characters"),
    }),
  )
  .output(z.object({ id: z.string(), name: z.string(), recoveryCode }))
  .mutation(async ({ input, ctx }) => {
    const { db, passwords } = ctx.services;
    await countLogin(input.name, ctx.services);
    const next = await makeRecoveryCode();
    const recovery = {
      name: input.name,
      recoveryHash: hashRecoveryCode(input.recoveryCode),
      // Made before anything is looked up: the time it takes tells nothing about the name.
      password: await passwords.hash(input.password),
      nextRecoveryHash: next.hash,
    };
    const id = isName(input.name) ? await recoverMember(db, recovery) : undefined;
    if (id === undefined) throw wrong("recovery code");
    await startSession(id, ctx);
    return { id, name: input.name, recoveryCode: next.code };
  });

const logout = authProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/account/logout",
      summary: "Log out",
      description: "Ends the session of the cookie and clears it; without a session there is nothing to do.",
      tags: ["account"],
      protect: false,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [401, 403],
  })
  .input(z.strictObject({}))
  .output(z.object({ ended: z.boolean().describe("Whether there was a session") }))
  .mutation(async ({ ctx }) => {
    const ended = await endOwnSession(ctx);
    clearSessionCookie(ctx.responseHeaders, ctx.services);
    return { ended };
  });

/** The ways to a session and out of it. */
export const entries = { register, login, recover, logout };

type Entering = Context & { caller: Caller };

async function findByPassword(
  given: { name: string; password: string },
  services: Services,
): Promise<Member> {
  const { db, passwords } = services;
  const member = isName(given.name) ? await findMember(db, { name: given.name }) : undefined;
  const { isRight, isOutdated } = await passwords.check(given.password, member?.password);
  if (!member || !isRight) throw wrong("password");
  if (isOutdated) {
    const to = await passwords.hash(given.password);
    await rehashPassword(db, { id: member.id, from: member.password, to });
  }
  return member;
}

// Always a new value: one that somebody planted in the browser before must not become a member's.
async function startSession(member: string, ctx: Entering): Promise<void> {
  const { db, now, publicUrl } = ctx.services;
  await endOwnSession(ctx);
  const [id, value, createdAt] = [randomBase62(HANDLE_LENGTH), randomBase62(SESSION_VALUE_LENGTH), now()];
  const hash = digestText(value);
  await insertSession(db, { id, hash, member, createdAt, expiresAt: createdAt + SESSION_SECONDS });
  setSessionCookie(ctx.responseHeaders, { value, publicUrl });
}

async function endOwnSession({ caller, services }: Entering): Promise<boolean> {
  if (caller.tier !== "member" || caller.via !== "session") return false;
  return endSession(services.db, { member: caller.memberId, id: caller.credentialId });
}

// One sentence for an unknown name and for a wrong password.
function wrong(what: "password" | "recovery code"): ApiError {
  return new ApiError("login_required", `No account has this name and this ${what}`);
}

function nameTaken(): ApiError {
  return new ApiError("invalid_parameter", 'Parameter "name" is taken already; choose another one', {
    parameter: "name",
    in: "body",
  });
}

function registrationClosed(): ApiError {
  return new ApiError("session_required", "Accounts are made by the administrator here; ask for one");
}
