import { z } from "zod";
import { listSecrets, SECRET_CURSOR, type SecretRecord } from "../../db/secrets.ts";
import { findByOwner, revokeSecret } from "./reveal-secret.ts";
import { toTime, toTimeOrNull } from "../sql-time.ts";
import { memberProcedure } from "../trpc.ts";
import { secretId, secretStatus, time } from "../schemas.ts";

const list = memberProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/users/me/secrets",
      summary: "Your own secrets",
      description: "What is known of the secrets you made, newest first; never a key, a link or a content.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403],
  })
  .input(
    z.strictObject({
      status: secretStatus.optional().describe("Only those in this state"),
      limit: z.int().min(1).max(100).default(50).describe("How many at most"),
      cursor: z
        .string()
        .max(80)
        .regex(SECRET_CURSOR, "must be the `next` of an earlier answer")
        .optional()
        .describe("The `next` of the answer before"),
    }),
  )
  .output(
    z.object({
      secrets: z.array(
        z.object({
          id: z.string(),
          expiry: time,
          status: secretStatus,
          created: time,
          closed: time.nullable().describe("When it was revealed, revoked, locked or expired"),
          isEncrypted: z.boolean(),
          hasPassphrase: z.boolean(),
        }),
      ),
      next: z.string().nullable().describe("Give it as `cursor` for what follows; null at the end"),
    }),
  )
  .query(async ({ input, ctx: { services, caller } }) => {
    const page = { ...input, owner: caller.memberId, now: services.now() };
    const { secrets, next } = await listSecrets(services.db, page);
    return { secrets: secrets.map(describe), next };
  });

const revokeOwn = memberProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/secrets/{id}",
      summary: "Withdraw a secret of your own",
      description: "Deletes the content of a secret you made. Doing it again answers the same.",
      tags: ["secrets"],
      protect: true,
    },
    http: { body: "none", result: "json" },
    errors: [400, 401, 403, 404, 410],
  })
  .input(z.strictObject({ id: secretId }))
  .output(z.object({ id: z.string(), status: secretStatus, closed: time.nullable() }))
  .mutation(async ({ input, ctx: { services, caller } }) => {
    const found = await findByOwner({ id: input.id, owner: caller.memberId }, services);
    return revokeSecret(found, services);
  });

function describe({ id, expiresAt, status, createdAt, closedAt, isEncrypted, passVerifier }: SecretRecord) {
  return {
    id,
    expiry: toTime(expiresAt),
    status,
    created: toTime(createdAt),
    closed: toTimeOrNull(closedAt),
    isEncrypted,
    hasPassphrase: passVerifier !== null,
  };
}

/** What a member may do with the secrets that they made. */
export const ownSecrets = { list, revokeOwn };
