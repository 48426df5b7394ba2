import { z } from "zod";
import type { SecretRecord } from "../../db/secrets.ts";
import { DEFAULT_SECRET_SECONDS, LIMITS, MIN_SECRET_SECONDS } from "../limits.ts";
import { ownSecrets } from "./own-secrets.ts";
import { ApiError } from "../errors.ts";
import { checkContent, checkExpires, storeSecret } from "./create-secret.ts";
import { findByKey, findByOwner, findByToken, revealSecret, revokeSecret } from "./reveal-secret.ts";
import { toTime, toTimeOrNull } from "../sql-time.ts";
import { limitedProcedure, router } from "../trpc.ts";
import { secretId as id, secretStatus as status, secretText, time } from "../schemas.ts";

const key = secretText("The key from behind the # of the link, without what follows a dot");
const passphrase = secretText("The passphrase, where the secret has one").max(1024).optional();
const revokeToken = secretText("The token that the sender got on creation");

const create = limitedProcedure("secretCreates")
  .meta({
    openapi: {
      method: "POST",
      path: "/api/secrets",
      summary: "Hand over a secret once",
      description: "Stores the content sealed under a key that only the link holds. It can be read once.",
      tags: ["secrets"],
      protect: false,
    },
    http: {
      body: "content",
      result: "json",
      status: 201,
      text: { field: "url", by: "raw" },
      aliases: ["/", "/secret"],
    },
    errors: [400, 401, 413, 415, 429, 503],
  })
  .input(
    z.strictObject({
      content: secretText("The text to hand over; over REST also called secret, text or data").min(1),
      expires: z
        .int()
        .default(DEFAULT_SECRET_SECONDS)
        .describe(
          `Lifetime in seconds, ${MIN_SECRET_SECONDS} to ${LIMITS.anonymous.secretSeconds} ` +
            `(members: to ${LIMITS.member.secretSeconds})`,
        ),
      isEncrypted: z
        .boolean()
        .default(false)
        .describe("True when the content was encrypted before it was sent"),
      passphrase: secretText("Asked for on reveal; ten wrong ones lock the secret").max(1024).optional(),
    }),
  )
  .output(
    z.object({
      id: z.string().describe("A handle, not a secret"),
      url: z.string().describe("The link to pass on; the key is behind the #"),
      key: z.string().describe("Shown once, never stored"),
      expiry: time,
      status,
      isEncrypted: z.boolean(),
      hasPassphrase: z.boolean(),
      length: z.int().describe("Characters of the content"),
      revokeToken: z.string().describe("Shown once; withdraws the secret and asks its status"),
    }),
  )
  .mutation(async ({ input, ctx: { services, caller, responseHeaders } }) => {
    const length = checkContent(input.content, caller);
    checkExpires(input.expires, caller);
    const owner = caller.tier === "member" ? caller.memberId : null;
    const made = await storeSecret({ ...input, owner }, services);
    responseHeaders.set("location", `/api/secrets/${made.id}`);
    return { ...made, length };
  });

const reveal = limitedProcedure("secretReads")
  .meta({
    openapi: {
      method: "POST",
      path: "/api/secrets/{id}/reveal",
      summary: "Read a secret, once",
      description: "Gives the content and deletes it. A wrong key or passphrase consumes nothing.",
      tags: ["secrets"],
      protect: false,
    },
    http: { body: "fields", result: "json", text: { field: "content", by: "raw" } },
    errors: [400, 401, 403, 404, 410, 413, 415, 429, 503],
  })
  .input(z.strictObject({ id, key, passphrase }))
  .output(z.object({ id: z.string(), content: z.string(), isEncrypted: z.boolean() }))
  .mutation(async ({ input, ctx: { services }, signal }) => {
    const { id: secretId, key: givenKey, passphrase: given } = input;
    const secret = await findByKey({ id: secretId, key: givenKey }, services);
    return revealSecret(secret, { services, key: givenKey, passphrase: given, signal });
  });

const readStatus = limitedProcedure("secretReads")
  .meta({
    openapi: {
      method: "POST",
      path: "/api/secrets/{id}/status",
      summary: "Ask what became of a secret",
      description:
        "Answers whoever holds the key or the revoke token, and the member who made it; changes nothing.",
      tags: ["secrets"],
      protect: false,
    },
    http: { body: "fields", result: "json" },
    errors: [400, 401, 404, 413, 415, 429],
  })
  .input(z.strictObject({ id, key: key.optional(), revokeToken: revokeToken.optional() }))
  .output(
    z.object({
      id: z.string(),
      status,
      expiry: time,
      closed: time.nullable().describe("When it was revealed, revoked, locked or expired"),
      isEncrypted: z.boolean(),
      hasPassphrase: z.boolean(),
    }),
  )
  .mutation(async ({ input, ctx: { services, caller } }) => {
    const { key: givenKey, revokeToken: token } = input;
    if (givenKey) return describe(await findByKey({ id: input.id, key: givenKey }, services));
    if (token) return describe(await findByToken({ id: input.id, token }, services));
    if (caller.tier === "member") {
      return describe(await findByOwner({ id: input.id, owner: caller.memberId }, services));
    }
    throw new ApiError("missing_parameter", 'Parameter "key" is missing; send "key" or "revokeToken"', {
      parameter: "key",
      in: "body",
    });
  });

const revoke = limitedProcedure("secretReads")
  .meta({
    openapi: {
      method: "POST",
      path: "/api/secrets/{id}/revoke",
      summary: "Withdraw a secret",
      description: "Deletes the content for whoever holds the revoke token. Doing it again answers the same.",
      tags: ["secrets"],
      protect: false,
    },
    http: { body: "fields", result: "json" },
    errors: [400, 401, 404, 410, 413, 415, 429],
  })
  .input(z.strictObject({ id, revokeToken }))
  .output(z.object({ id: z.string(), status, closed: time.nullable() }))
  .mutation(async ({ input, ctx: { services } }) => {
    const found = await findByToken({ id: input.id, token: input.revokeToken }, services);
    return revokeSecret(found, services);
  });

function describe({
  id: secretId,
  status: state,
  expiresAt,
  closedAt,
  isEncrypted,
  passVerifier,
}: SecretRecord) {
  const hasPassphrase = passVerifier !== null;
  return {
    id: secretId,
    status: state,
    expiry: toTime(expiresAt),
    closed: toTimeOrNull(closedAt),
    isEncrypted,
    hasPassphrase,
  };
}

export const secrets = router({ create, reveal, status: readStatus, revoke, ...ownSecrets });
