import { z } from "zod";
import {
  endOtherSessions as endOthers,
  endSession as end,
  listSessions,
} from "../../../db/accounts/sessions.ts";
import { isBase62 } from "../../../tools/crypto/base62.ts";
import { clearSessionCookie } from "../../accounts/cookies.ts";
import { MAX_HANDLE_LENGTH, SESSION_IDLE_SECONDS } from "../../limits.ts";
import { HANDLE_LENGTH, noInput, time } from "../../schemas.ts";
import { repeatable } from "../../policy/once.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTime } from "../../clock.ts";
import { loginMeta } from "../../meta.ts";
import { sessionProcedure } from "../../trpc.ts";

const list = sessionProcedure
  .meta(
    loginMeta("GET", "/api/users/me/sessions", {
      summary: "List your sessions",
      description: "The sessions of the account, the most recently used first.",
    }),
  )
  .input(noInput)
  .output(
    z.object({
      sessions: z.array(
        z.object({
          id: z.string(),
          created: time,
          lastUsed: time.describe("RFC 3339, UTC; accurate to ten minutes"),
          expiry: time,
          isCurrent: z.boolean().describe("Whether it is the session of this call"),
        }),
      ),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const idleLimit = { now: services.now(), idleSeconds: SESSION_IDLE_SECONDS };
    const rows = await listSessions(services.db, { member: caller.memberId, ...idleLimit });
    const sessions = rows.map(({ id, createdAt, lastUsedAt, expiresAt }) => ({
      id,
      created: toTime(createdAt),
      lastUsed: toTime(lastUsedAt),
      expiry: toTime(Math.min(expiresAt, lastUsedAt + SESSION_IDLE_SECONDS)),
      isCurrent: id === caller.credentialId,
    }));
    return { sessions };
  });

const endSession = sessionProcedure
  .meta(
    loginMeta("DELETE", "/api/users/me/sessions/{id}", {
      retry: "key",
      summary: "End one session",
      description: "Logs out that browser, which may be this one.",
      errors: [404],
    }),
  )
  .input(z.strictObject({ id: z.string().max(MAX_HANDLE_LENGTH).describe("The session's id") }))
  .output(z.object({ id: z.string(), ended: z.literal(true) }))
  .mutation(
    repeatable(async ({ input: { id }, ctx: { services, caller, responseHeaders } }) => {
      if (!isBase62(id, HANDLE_LENGTH) || !(await end(services.db, caller.memberId, id)))
        throw new ApiError("not_found", "You have no session with this id");
      if (id === caller.credentialId) clearSessionCookie(responseHeaders, services);
      return { id, ended: true as const };
    }),
  );

const endOtherSessions = sessionProcedure
  .meta(
    loginMeta("DELETE", "/api/users/me/sessions", {
      retry: "idempotent",
      summary: "End all other sessions",
      description: "Logs out all other browsers.",
    }),
  )
  .input(noInput)
  .output(z.object({ ended: z.int().describe("Number of sessions that were ended") }))
  .mutation(async ({ ctx: { services, caller } }) => {
    return { ended: await endOthers(services.db, { member: caller.memberId, except: caller.credentialId }) };
  });

/** What members can do with their sessions. */
export const sessions = { sessions: list, endSession, endOtherSessions };
