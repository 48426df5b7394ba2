import { z } from "zod";
import { endOtherSessions as endOthers, endSession as end, listSessions } from "../../db/sessions.ts";
import { isBase62 } from "../../tools/crypto/base62.ts";
import { clearSessionCookie } from "../policy/session-cookie.ts";
import { SESSION_IDLE_SECONDS } from "../limits.ts";
import { HANDLE_LENGTH } from "../ids.ts";
import { ApiError } from "../errors.ts";
import { toTime } from "../sql-time.ts";
import { sessionProcedure } from "../trpc.ts";
import { time } from "../schemas.ts";

const list = sessionProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/users/me/sessions",
      summary: "Where you are logged in",
      description: "The sessions of the account, the last used first.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [401, 403],
  })
  .input(z.strictObject({}))
  .output(
    z.object({
      sessions: z.array(
        z.object({
          id: z.string(),
          created: time,
          lastUsed: time.describe("Exact to ten minutes; RFC 3339, UTC"),
          expiry: time,
          isCurrent: z.boolean().describe("Whether it is the one that asks"),
        }),
      ),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const living = { now: services.now(), idleSeconds: SESSION_IDLE_SECONDS };
    const rows = await listSessions(services.db, { member: caller.memberId, ...living });
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
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/users/me/sessions/{id}",
      summary: "End one session",
      description: "Logs out there, also where that is here.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403, 404],
  })
  .input(z.strictObject({ id: z.string().max(64).describe("The session's id") }))
  .output(z.object({ id: z.string(), ended: z.literal(true) }))
  .mutation(async ({ input: { id }, ctx: { services, caller, responseHeaders } }) => {
    const isKnown = isBase62(id, HANDLE_LENGTH);
    if (!isKnown || !(await end(services.db, { member: caller.memberId, id }))) {
      throw new ApiError("not_found", "You have no session with this id");
    }
    if (id === caller.credentialId) clearSessionCookie(responseHeaders, services);
    return { id, ended: true as const };
  });

const endOtherSessions = sessionProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/users/me/sessions",
      summary: "End all other sessions",
      description: "Logs out everywhere but here.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [401, 403],
  })
  .input(z.strictObject({}))
  .output(z.object({ ended: z.int().describe("How many") }))
  .mutation(async ({ ctx: { services, caller } }) => {
    return { ended: await endOthers(services.db, { member: caller.memberId, except: caller.credentialId }) };
  });

/** Where a member is logged in. */
export const sessions = { sessions: list, endSession, endOtherSessions };
