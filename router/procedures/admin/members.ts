import { z } from "zod";
import { disableMember, enableMember } from "../../../db/accounts/administered.ts";
import { listMembers, type ListedMember } from "../../../db/accounts/member-list.ts";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { WAYS_IN } from "../../../db/accounts/act-on-member.ts";
import { isBase62 } from "../../../tools/crypto/base62.ts";
import { newName } from "../../accounts/account-rules.ts";
import { checkPasswords, createMember, nameTaken, type MemberCredentials } from "../../accounts/members.ts";
import { proveAgain } from "../../accounts/step-up.ts";
import { randomPassword, renewCredentials } from "../../administration.ts";
import type { Context, MemberCaller } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { HANDLE_LENGTH, paging, nextPage, provenAgain, time } from "../../schemas.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { adminMeta } from "../../meta.ts";
import { requesterOf } from "../../policy/count.ts";
import { repeatable } from "../../policy/once.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";
import { adminProcedure } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";

const id = z.string().max(MAX_HANDLE_LENGTH).describe("The member's id");
const shownOnce = {
  password: z
    .string()
    .describe(
      "The member's new password, which is good for a day and changed at the first login; shown once",
    ),
  recoveryCode: z.string().describe("Shown once; sets a new password, once"),
};
const counted = (of: string) => z.int().describe(`How many ${of}`);

const member = z.object({
  id: z.string(),
  name: z.string(),
  created: time,
  disabled: time
    .nullable()
    .describe("Since when the member can do nothing, RFC 3339, UTC; null: not disabled"),
  lastUsed: time
    .nullable()
    .describe("When a login or an API token that there still is was last used, to ten minutes; null: none"),
  isAdmin: z.boolean(),
  hasPassword: z.boolean(),
  hasTotp: z.boolean().describe("Whether a login asks for a code of an authenticator app"),
  passkeys: counted("passkeys there are"),
  tokens: counted("API tokens are valid"),
  secrets: counted("secrets can still be opened"),
});

const list = adminProcedure
  .meta(
    adminMeta("GET", "/api/admin/members", {
      summary: "List the members",
      description: "By name. Of what they have shared there is only a number.",
      reads: "admin.members_listed",
    }),
  )
  .input(
    z
      .strictObject({
        name: z.string().max(MAX_HANDLE_LENGTH).optional().describe("Only names with this part"),
        disabled: z.boolean().optional().describe("true: only disabled members; false: only the others"),
        limit: paging.limit,
        cursor: z
          .string()
          .max(MAX_HANDLE_LENGTH)
          .regex(/^[a-z0-9._-]+$/, "must be the `next` of an earlier answer")
          .optional()
          .describe("The `next` of the previous answer"),
      })
      .prefault({}),
  )
  .output(z.object({ members: z.array(member), next: nextPage }))
  .query(async ({ input, ctx: { services } }) => {
    const { name, disabled: isDisabled, limit, cursor: after } = input;
    const page = { now: services.now(), limit, after, isDisabled, name: name?.toLowerCase() };
    const { members, hasMore } = await listMembers(services.db, page);
    return { members: members.map(describe), next: hasMore ? (members.at(-1)?.name ?? null) : null };
  });

const add = adminProcedure
  .meta({
    ...adminMeta("POST", "/api/admin/members", {
      retry: "key",
      summary: "Add a member",
      description:
        "Makes a password and a recovery code, and shows them once; also where registration is closed.",
      body: "fields",
      status: 201,
      errors: [409, 422],
      events: { ok: "account_added" },
    }),
    ownLogin: true,
  })
  .input(z.strictObject({ name: newName, ...provenAgain }))
  .output(z.object({ id: z.string(), name: z.string(), ...shownOnce }))
  .mutation(
    repeatable(async ({ input: { name, ...given }, ctx, signal, keep }) => {
      checkPasswords(ctx.services);
      await proveAgain(given, ctx, { signal });
      const password = randomPassword();
      const made = { name, password, requester: requesterOf(ctx, signal) };
      const answerOf = (m: MemberCredentials) => ({ id: m.id, name, password, recoveryCode: m.recoveryCode });
      const keepMade = keep && ((created: MemberCredentials) => keep(answerOf(created)));
      const created = await createMember({ ...made, isAdministrators: true, keep: keepMade }, ctx.services);
      if (!created) throw nameTaken();
      return answerOf(created);
    }),
  );

const reset = adminProcedure
  .meta({
    ...adminMeta("POST", "/api/admin/members/{id}/reset", {
      retry: "key",
      summary: "Give a member a new password",
      description:
        "Makes a password and a recovery code, and shows them once. Ends sessions, API tokens, passkeys, authenticator " +
        "app, identities and hooks but those in `keep`, and says how many.",
      body: "fields",
      errors: [404, 409, 422],
      events: { ok: "account_reset" },
    }),
    ownLogin: true,
  })
  .input(
    z.strictObject({
      id,
      ...provenAgain,
      keep: z.array(z.enum(WAYS_IN)).max(WAYS_IN.length).default([]).describe("What goes on"),
    }),
  )
  .output(
    z.object({
      id: z.string(),
      name: z.string(),
      ...shownOnce,
      ended: z.object({
        sessions: counted("sessions were ended"),
        tokens: counted("API tokens were revoked"),
        passkeys: counted("passkeys were deleted"),
        totp: counted("authenticator apps were forgotten"),
        identities: counted("identities were deleted"),
        hooks: counted("hooks were deleted"),
      }),
      kept: z.array(z.enum(WAYS_IN)).describe("What was left as it was"),
    }),
  )
  .mutation(
    repeatable(async ({ input, ctx, signal }) => {
      checkPasswords(ctx.services);
      const { name } = await findOther(input.id, ctx);
      await proveAgain(input, ctx, { signal });
      const password = randomPassword();
      const { keep } = input;
      const made = { ...actOf(input, ctx), password, keep, requester: requesterOf(ctx, signal) };
      const renewed = await renewCredentials(made, ctx.services);
      if (!renewed) throw unknownMember();
      return { id: input.id, name, password, ...renewed, kept: [...new Set(keep)] };
    }),
  );

const disable = adminProcedure
  .meta(
    adminMeta("POST", "/api/admin/members/{id}/disable", {
      retry: "idempotent",
      summary: "Disable a member",
      description:
        "Ends all sessions; every login and every API token of the member fails from now on. Nothing is deleted, and " +
        "links go on working.",
      body: "fields",
      errors: [404, 409, 422],
      events: { ok: "account_disabled" },
      examples: { "Result.disabled": EXAMPLE.time },
    }),
  )
  .input(z.strictObject({ id, ...provenAgain }))
  .output(z.object({ id: z.string(), disabled: time }))
  .mutation(async ({ input, ctx, signal }) => {
    const { db, now, embedded } = ctx.services;
    await findOther(input.id, ctx);
    await proveAgain(input, ctx, { signal });
    await disableMember(db, { ...actOf(input, ctx), now: now() });
    embedded?.forget(input.id);
    const disabledAt = (await findMember(db, { id: input.id }))?.disabledAt;
    if (disabledAt === undefined || disabledAt === null) throw unknownMember();
    return { id: input.id, disabled: toTime(disabledAt) };
  });

const enable = adminProcedure
  .meta(
    adminMeta("POST", "/api/admin/members/{id}/enable", {
      retry: "idempotent",
      summary: "Enable a member",
      description: "Passwords, passkeys and API tokens are good again; the member has to log in anew.",
      body: "fields",
      errors: [404, 409, 422],
      events: { ok: "account_enabled" },
    }),
  )
  .input(z.strictObject({ id, ...provenAgain }))
  .output(z.object({ id: z.string(), enabled: z.literal(true) }))
  .mutation(async ({ input, ctx, signal }) => {
    await findOther(input.id, ctx);
    await proveAgain(input, ctx, { signal });
    if (!(await enableMember(ctx.services.db, actOf(input, ctx)))) throw unknownMember();
    return { id: input.id, enabled: true as const };
  });

const remove = adminProcedure
  .meta(
    adminMeta("DELETE", "/api/admin/members/{id}", {
      retry: "key",
      summary: "Delete a member",
      description: "With all sessions and tokens. `secrets` decides what happens to unread secrets.",
      body: "fields",
      errors: [404, 409, 422],
      events: { ok: "account_deleted" },
    }),
  )
  .input(
    z.strictObject({
      id,
      ...provenAgain,
      secrets: z
        .enum(["keep", "revoke"])
        .describe("keep: unread secrets can still be read with their links; revoke: they are deleted"),
    }),
  )
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(
    repeatable(async ({ input, ctx, signal }) => {
      const { db, now, embedded } = ctx.services;
      await findOther(input.id, ctx);
      await proveAgain(input, ctx, { signal });
      if (!(await deleteMember(db, { ...actOf(input, ctx), now: now(), secrets: input.secrets })))
        throw unknownMember();
      embedded?.forget(input.id);
      return { id: input.id, deleted: true as const };
    }),
  );

/**
 * What administrators do with members, each after a new proof, because its effects last. Only the command line or a
 * claim makes administrators.
 */
export const members = {
  members: list,
  addMember: add,
  resetMember: reset,
  disableMember: disable,
  enableMember: enable,
  deleteMember: remove,
};

type AdminContext = Context & { readonly caller: MemberCaller };

// An administrator who was disabled since the call came in can do nothing any more.
function actOf({ id }: { id: string }, { caller }: AdminContext) {
  return { id, by: caller.memberId };
}

// Never the caller, so that an administrator always remains.
async function findOther(memberId: string, { caller, services }: AdminContext) {
  if (memberId === caller.memberId)
    throw new ApiError(
      "own_account",
      "This is your own account; another administrator, or `hushkit admin user`, can do that",
    );
  const found = isBase62(memberId, HANDLE_LENGTH) && (await findMember(services.db, { id: memberId }));
  if (!found) throw unknownMember();
  return found;
}

function describe({ createdAt, disabledAt, lastUsedAt, ...rest }: ListedMember) {
  return {
    ...rest,
    created: toTime(createdAt),
    disabled: toTimeOrNull(disabledAt),
    lastUsed: toTimeOrNull(lastUsedAt),
  };
}

function unknownMember(): ApiError {
  return new ApiError("not_found", "There is no member with this id");
}
