import { z } from "zod";
import { endSecretDelivery } from "../../../db/deliveries/contents.ts";
import { deleteGivenUp } from "../../../db/secrets/secret-files.ts";
import type { SecretRecord } from "../../../db/secrets/secrets.ts";
import type { Services } from "../../context.ts";
import { MAX_PASSPHRASE_LENGTH } from "../../limits.ts";
import { secretMeta } from "../../meta.ts";
import { requesterOf } from "../../policy/count.ts";
import { answerOnce } from "../../policy/once.ts";
import {
  label,
  notify,
  expires,
  secretId as id,
  secretStatus as status,
  secretText,
  time,
} from "../../schemas.ts";
import { limitedProcedure, router } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";
import { checkContent, checkPassphrase, lifetimeOf, storeSecret } from "./create-secret.ts";
import { fileSecrets } from "./file-secrets.ts";
import { findByKey, findByToken, gone, revokedSecret } from "./find-secret.ts";
import { ownSecrets } from "./own-secrets.ts";
import { revealAtOnce, revealSecret, revokeSecret } from "./reveal-secret.ts";
import { key, revokeToken, statusOfSecrets } from "./secret-status.ts";
import { ticket, isClaimedWith, notClaimed } from "./ticket.ts";

const passphrase = secretText("The passphrase, if the secret has one").max(MAX_PASSPHRASE_LENGTH).optional();
/** Deleting the rows of a larger file takes longer than an answer should. */
const DELETED_AT_ONCE = 1_048_576;

const create = limitedProcedure("secretCreates")
  .meta(
    secretMeta("POST", "/api/secrets", {
      summary: "Share a secret once",
      description: "Encrypts the content with a key that only the link has. It can be read once.",
      body: "content",
      status: 201,
      text: { field: "url", by: "raw" },
      retry: "key",
      aliases: ["/", "/secret"],
      examples: {
        "Input.expires": 86_400,
        raw: `${EXAMPLE.link}\n`,
        "at-root": EXAMPLE.content,
        "at-secret": EXAMPLE.content,
      },
    }),
  )
  .input(
    z.strictObject({
      content: secretText("The text to share; over REST it may also be called secret, text or data").min(1),
      expires,
      isEncrypted: z
        .boolean()
        .default(false)
        .describe("Whether the content was encrypted before it was sent"),
      passphrase: secretText("Needed to reveal the secret; ten wrong ones lock it")
        .max(MAX_PASSPHRASE_LENGTH)
        .optional(),
      label,
      notify,
    }),
  )
  .output(
    z.object({
      id: z.string().describe("A handle, not a secret"),
      url: z.string().describe("The link to share; the key is the part after the #"),
      key: z.string().describe("Shown once, never stored"),
      expiry: time,
      status,
      isEncrypted: z.boolean(),
      hasPassphrase: z.boolean(),
      length: z.int().describe("Number of characters in the content"),
      revokeToken: z.string().describe("Shown once; revokes the secret and reads its status"),
    }),
  )
  .mutation(async ({ input, ctx, path, signal }) => {
    const secret = await answerOnce({ ctx, path, readFields: () => input }, (first) => {
      const length = checkContent(input.content, { ...ctx, isEncrypted: input.isEncrypted });
      const seconds = lifetimeOf(input.expires, ctx);
      checkPassphrase(input.passphrase, ctx);
      const keep = first && ((answer: object) => first.keep(answer, input));
      return storeSecret({ ...input, expires: seconds, length, signal, keep }, ctx);
    });
    ctx.responseHeaders.set("location", `${ctx.services.basePath}/api/secrets/${secret.id}`);
    return secret;
  });

const reveal = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/secrets/{id}/reveal", {
      retry: "ticket",
      summary: "Read a secret, once",
      description:
        "Returns the content and deletes it. A wrong key or passphrase does not use the secret up. With a ticket of " +
        "your own the content is kept for that ticket alone: the same call is answered again for ten minutes, until " +
        "you say that you have received it.",
      body: "fields",
      text: { field: "content", by: "raw" },
      errors: [403, 404, 410, 422],
      examples: { raw: EXAMPLE.content },
    }),
  )
  .input(z.strictObject({ id, key, passphrase, ticket: ticket.optional() }))
  .output(z.object({ id: z.string(), content: z.string(), isEncrypted: z.boolean() }))
  .mutation(async ({ input, ctx, signal }) => {
    const { services } = ctx;
    const { id: secretId, key: givenKey, passphrase: given, ticket: ownTicket } = input;
    const requester = requesterOf(ctx, signal);
    if (!given) {
      const revealed = await revealAtOnce(
        { id: secretId, key: givenKey, ticket: ownTicket },
        { services, requester },
      );
      if (revealed) return revealed;
    }
    const secret = await findByKey({ id: secretId, key: givenKey }, services);
    return revealSecret(secret, {
      services,
      key: givenKey,
      passphrase: given,
      ticket: ownTicket,
      requester,
    });
  });

const received = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/secrets/{id}/received", {
      retry: "idempotent",
      summary: "Say that you have received a secret",
      description:
        "Ends a delivery, of a text or a file, at once: what was kept for its ticket is deleted. Saying it again gives " +
        "the same answer.",
      body: "fields",
      errors: [404, 410],
    }),
  )
  .input(z.strictObject({ id, key, ticket }))
  .output(z.object({ id: z.string(), status: z.literal("revealed") }))
  .mutation(async ({ input, ctx: { services } }) =>
    receiveSecret(await findByKey(input, services), input.ticket, services),
  );

const revoke = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/secrets/{id}/revoke", {
      retry: "idempotent",
      summary: "Revoke a secret",
      description: "Deletes the content; needs the revoke token. Revoking again gives the same answer.",
      body: "fields",
      errors: [404, 410],
      examples: { "Result.status": "revoked", "Result.closed": EXAMPLE.time },
    }),
  )
  .input(z.strictObject({ id, revokeToken }))
  .output(revokedSecret)
  .mutation(async ({ input, ctx: { services } }) => {
    const found = await findByToken({ id: input.id, token: input.revokeToken }, services);
    return revokeSecret(found, services);
  });

export const secrets = router({
  create,
  reveal,
  received,
  revoke,
  ...statusOfSecrets,
  ...fileSecrets,
  ...ownSecrets,
});

/**
 * Ends a delivery; repeating that gives the same response. With another ticket nothing changes.
 * @throws ApiError secret_gone, invalid_parameter
 */
async function receiveSecret(secret: SecretRecord, givenTicket: string, { db }: Pick<Services, "db">) {
  const { id, fileSize, status } = secret;
  if (status === "active") throw notClaimed("secret");
  if (!isClaimedWith(secret, givenTicket)) throw gone(secret);
  await endSecretDelivery(db, id);
  if (fileSize !== null) {
    // The sweep deletes what is not deleted here.
    const deleted = deleteGivenUp(db, id).catch(() => undefined);
    if (fileSize <= DELETED_AT_ONCE) await deleted;
  }
  return { id, status: "revealed" as const };
}
