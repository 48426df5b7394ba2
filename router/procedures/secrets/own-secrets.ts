import { z } from "zod";
import { listSecrets } from "../../../db/secrets/secrets.ts";
import { findOwnSecret, describeSecret, revokedSecret, secretInfo } from "./find-secret.ts";
import { revokeSecret } from "./reveal-secret.ts";
import { toTime } from "../../clock.ts";
import { accountMeta, secretMeta } from "../../meta.ts";
import { memberProcedure } from "../../trpc.ts";
import { nextPage, ownLabel, paging, secretId, secretStatus, time } from "../../schemas.ts";
import { EXAMPLE } from "../examples.ts";

const list = memberProcedure
  .meta(
    accountMeta("GET", "/api/users/me/secrets", {
      summary: "List your secrets",
      description: "The secrets you created, newest first, without keys, links or contents.",
    }),
  )
  .input(
    z
      .strictObject({
        status: secretStatus.optional().describe("Only secrets with this status"),
        ...paging,
      })
      .prefault({}),
  )
  .output(
    z.object({
      secrets: z.array(secretInfo.extend({ created: time, label: ownLabel })),
      next: nextPage,
    }),
  )
  .query(async ({ input, ctx: { services, caller } }) => {
    const page = { ...input, owner: caller.memberId, now: services.now() };
    const { secrets, next } = await listSecrets(services.db, page);
    return {
      secrets: secrets.map((secret) => ({
        ...describeSecret(secret),
        created: toTime(secret.createdAt),
        label: secret.label ?? undefined,
      })),
      next,
    };
  });

const revokeOwn = memberProcedure
  .meta(
    secretMeta("DELETE", "/api/secrets/{id}", {
      retry: "idempotent",
      summary: "Revoke one of your secrets",
      description: "Deletes the content. Revoking again gives the same answer.",
      errors: [404, 410],
      examples: { "Result.status": "revoked", "Result.closed": EXAMPLE.time },
    }),
  )
  .input(z.strictObject({ id: secretId }))
  .output(revokedSecret)
  .mutation(async ({ input, ctx: { services, caller } }) => {
    const found = await findOwnSecret({ id: input.id, owner: caller.memberId }, services);
    return revokeSecret(found, services);
  });

/** What members can do with their own secrets. */
export const ownSecrets = { list, revokeOwn };
