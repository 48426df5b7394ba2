import { z } from "zod";
import { findSecret, type SecretRecord } from "../../../db/secrets/secrets.ts";
import type { CallerContext, MemberCaller } from "../../context.ts";
import { wrongParameter } from "../../errors/errors.ts";
import { followEvents, missingProof, proofHeader } from "../../events/follow.ts";
import { isStillValid } from "../../policy/identify.ts";
import { SECRET_KEY_LENGTH, secretId as id, secretText } from "../../schemas.ts";
import { secretMeta } from "../../meta.ts";
import { limitedProcedure } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";
import {
  findByKey,
  findByToken,
  findOwnSecret,
  describeSecret,
  describeSized,
  sizedSecretInfo,
} from "./find-secret.ts";

export const key = secretText("The key: the part of the link after the #, up to the first dot");
export const revokeToken = secretText("The revoke token that the sender got on creation");

const readStatus = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/secrets/{id}/status", {
      retry: "idempotent",
      summary: "Read the status of a secret",
      description:
        "For anyone with the key or the revoke token, and for the member who created it. Changes nothing.",
      body: "fields",
      errors: [404],
      examples: { "Input.key": EXAMPLE.key },
    }),
  )
  .input(z.strictObject({ id, key: key.optional(), revokeToken: revokeToken.optional() }))
  .output(sizedSecretInfo)
  .mutation(async ({ input, ctx }) => {
    const found = await findProved(input, ctx);
    if (found) return found.describe(found.secret);
    throw wrongParameter("missing_parameter", "key", 'is missing; send "key" or "revokeToken"');
  });

const events = limitedProcedure("secretReads")
  .meta(
    secretMeta("GET", "/api/secrets/{id}/events", {
      summary: "Follow a secret",
      description:
        "Server-sent events: its status now and at each change, as /status answers it, until its end, for an hour at " +
        "most. For anyone with the key or the revoke token, and for the member who created it. Changes nothing.",
      proof: proofHeader("The key, or the revoke token"),
      errors: [404],
      examples: { events: EXAMPLE.events },
    }),
  )
  .input(z.strictObject({ id }))
  .subscription(async ({ input, ctx, signal }) => {
    const { proof, services } = ctx;
    const given = proof?.length === SECRET_KEY_LENGTH ? { key: proof } : { revokeToken: proof ?? "" };
    const found = await findProved({ ...input, ...given }, ctx);
    if (!found) throw missingProof("the key or the revoke token");
    const { owner } = found;
    const read = async () => {
      if (owner && !(await isStillValid(owner, services))) return undefined;
      return findSecret(services.db, input.id, services.now());
    };
    return followEvents(found.secret, { ctx, signal, kind: "secret", read, describe: found.describe });
  });

/**
 * The secret, and what its caller may know about it; with the owner where only that proves it. Undefined without a
 * proof.
 * @throws ApiError secret_not_found
 */
async function findProved(
  of: { id: string; key?: string | undefined; revokeToken?: string | undefined },
  ctx: CallerContext,
) {
  const { id: secretId, key: givenKey, revokeToken: token } = of;
  const { services, caller } = ctx;
  const known = (secret: SecretRecord, describe: typeof describeSized, owner?: MemberCaller) => ({
    secret,
    describe,
    owner,
  });
  if (givenKey) return known(await findByKey({ id: secretId, key: givenKey }, services), describeSized);
  if (token) return known(await findByToken({ id: secretId, token }, services), describeSized);
  if (caller.tier !== "member") return undefined;
  return known(
    await findOwnSecret({ id: secretId, owner: caller.memberId }, services),
    describeSecret,
    caller,
  );
}

/** The current state of a secret, and its changes. */
export const statusOfSecrets = { status: readStatus, events };
