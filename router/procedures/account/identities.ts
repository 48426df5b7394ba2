import { z } from "zod";
import { deleteIdentity, listIdentities, type TiedIdentity } from "../../../db/accounts/identities.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { encodeBase64Url } from "../../../wire/base64.ts";
import { keepFlow } from "../../accounts/login-flow.ts";
import { wayInRemoval } from "../../accounts/members.ts";
import { proveAgain } from "../../accounts/step-up.ts";
import type { Services } from "../../context.ts";
import { repeatable } from "../../policy/once.ts";
import { ApiError } from "../../errors/errors.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { loginMeta } from "../../meta.ts";
import { confirmation, noInput, provenAgain, time } from "../../schemas.ts";
import { toTime } from "../../clock.ts";
import { factorProcedure, settingsProcedure } from "../../trpc.ts";

/** Characters of the digest of issuer and subject, in base64url. */
const ID_LENGTH = 22;
const id = z.string().max(MAX_HANDLE_LENGTH).describe("The identity's id");

const list = settingsProcedure
  .meta(
    loginMeta("GET", "/api/users/me/identities", {
      summary: "List your identities",
      description: "The accounts of the organization's provider that log in to this one, newest first.",
    }),
  )
  .input(noInput)
  .output(
    z.array(
      z.object({
        id,
        provider: z.string().describe("What the provider is called"),
        name: z
          .string()
          .nullable()
          .describe("What the provider calls the account; null before its next login"),
        created: time,
        lastUsed: time,
      }),
    ),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const own = await listIdentities(services.db, caller.memberId);
    return own.map((identity) => ({
      id: idOf(identity),
      provider: providerOf(identity, services),
      name: identity.name,
      created: toTime(identity.createdAt),
      lastUsed: toTime(identity.lastUsedAt),
    }));
  });

const begin = factorProcedure
  .meta(
    loginMeta("POST", "/api/users/me/identities", {
      retry: "replaces",
      summary: "Begin to tie an identity",
      description:
        "Where the browser logs in at the organization's provider. What comes back shows the identity's name and asks " +
        "before it is tied. Later than ten minutes after a login it takes the password.",
      body: "fields",
      errors: [404, 422, 503],
    }),
  )
  .input(confirmation)
  .output(z.object({ url: z.string().describe("At the provider") }))
  .mutation(async ({ input, ctx, signal }) => {
    const { services, caller, credential, responseHeaders } = ctx;
    await proveAgain(input, ctx, { signal });
    const { oidc } = services.login;
    if (!oidc) throw new ApiError("not_found", "This server has no login of an organization");
    const { url, checks } = await oidc.begin(`${services.publicUrl}/api/account/oidc/callback`, {
      isFresh: false,
    });
    const flow = {
      ...checks,
      next: "/account",
      tie: { member: caller.memberId, session: caller.credentialId },
    };
    for (const cookie of await keepFlow(flow, credential, services))
      responseHeaders.append("set-cookie", cookie);
    return { url };
  });

const remove = factorProcedure
  .meta(
    loginMeta("DELETE", "/api/users/me/identities/{id}", {
      retry: "key",
      summary: "Delete an identity",
      description:
        "From now on it opens nothing here. Later than ten minutes after a login it takes the password.",
      body: "fields",
      errors: [404, 409, 422],
    }),
  )
  .input(z.strictObject({ id, ...provenAgain }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(
    repeatable(async ({ input, ctx, signal }) => {
      const { services, caller } = ctx;
      await proveAgain(input, ctx, { signal });
      const own = await listIdentities(services.db, caller.memberId);
      const found = own.find((identity) => idOf(identity) === input.id);
      if (!found) throw new ApiError("not_found", "You have no identity with this id");
      await deleteIdentity(services.db, { ...found, ...wayInRemoval(caller, services) });
      return { id: input.id, deleted: true as const };
    }),
  );

/** Procedures for members' identities at the organization's provider. */
export const identities = { identities: list, beginIdentity: begin, deleteIdentity: remove };

// The subject itself belongs to the provider.
function idOf({ issuer, subject }: Pick<TiedIdentity, "issuer" | "subject">): string {
  return encodeBase64Url(digestText(JSON.stringify([issuer, subject]))).slice(0, ID_LENGTH);
}

function providerOf({ issuer }: TiedIdentity, { login: { oidc } }: Services): string {
  return oidc?.issuer === issuer ? oidc.name : issuer;
}
