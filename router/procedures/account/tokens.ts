import { z } from "zod";
import { deleteToken, insertToken, listTokens, type NewToken } from "../../../db/accounts/tokens.ts";
import { makeApiToken } from "../../../tools/crypto/api-token.ts";
import { isBase62, randomBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { MAX_HANDLE_LENGTH, MAX_TOKENS, MAX_TOKEN_SECONDS, MIN_TOKEN_SECONDS } from "../../limits.ts";
import {
  API_TOKEN_RANDOM_LENGTH,
  HANDLE_LENGTH,
  chosenName,
  noInput,
  provenAgain,
  time,
} from "../../schemas.ts";
import { repeatable } from "../../policy/once.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";
import { proveAgain } from "../../accounts/step-up.ts";
import { accountMeta } from "../../meta.ts";
import { memberProcedure, router, sessionProcedure } from "../../trpc.ts";

/** `service_token_` and six characters: enough to tell twenty tokens apart, and no help in guessing one. */
const PREFIX_LENGTH = 20;

const described = {
  id: z.string().describe("A handle, not the token"),
  name: z.string(),
  prefix: z.string().describe("The first characters of the token"),
  created: time,
  expiry: time.nullable().describe("RFC 3339, UTC; null: never"),
};

const list = sessionProcedure
  .meta(
    accountMeta("GET", "/api/users/me/tokens", {
      summary: "List your API tokens",
      description: "Newest first. A token itself is shown only once, when it is created.",
    }),
  )
  .input(noInput)
  .output(
    z.object({
      tokens: z.array(
        z.object({
          ...described,
          lastUsed: time.nullable().describe("RFC 3339, UTC; accurate to ten minutes; null: never"),
        }),
      ),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const tokens = await listTokens(services.db, caller.memberId);
    return {
      tokens: tokens.map((token) => ({ ...describe(token), lastUsed: toTimeOrNull(token.lastUsedAt) })),
    };
  });

/** What a token allows in addition to what everybody may do; there is one kind of token. */
const SCOPE = ["limits", "own secrets", "own requests"] as const;

const current = memberProcedure
  .meta(
    accountMeta("GET", "/api/users/me/token", {
      summary: "The API token that you send",
      description: "What the token of this call is, whose, and what it can do.",
      errors: [404],
    }),
  )
  .input(noInput)
  .output(
    z.object({
      ...described,
      scope: z
        .array(z.enum(SCOPE))
        .describe("What it can do: raise limits, list and revoke its member's own"),
      account: z.object({ id: z.string(), name: z.string() }).describe("The member that it belongs to"),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const { memberId, memberName, via, credentialId } = caller;
    const tokens = via === "token" ? await listTokens(services.db, memberId) : [];
    const token = tokens.find(({ id }) => id === credentialId);
    if (!token)
      throw new ApiError(
        "not_found",
        "This call has no API token; send one as `Authorization: Bearer <API_TOKEN>`",
      );
    return { ...describe(token), scope: [...SCOPE], account: { id: memberId, name: memberName } };
  });

const create = sessionProcedure
  .meta(
    accountMeta("POST", "/api/users/me/tokens", {
      retry: "key",
      summary: "Create an API token",
      description:
        "For scripts: it raises limits, and can list and revoke your secrets. It can do nothing else. One that never " +
        "expires takes the password later than ten minutes after a login.",
      body: "fields",
      status: 201,
      errors: [409, 422],
      examples: { "Input.name": "backup job" },
    }),
  )
  .input(
    z.strictObject({
      name: chosenName.describe("What the token is for"),
      expires: z
        .int()
        .min(MIN_TOKEN_SECONDS)
        .max(MAX_TOKEN_SECONDS)
        .nullable()
        .default(MAX_TOKEN_SECONDS)
        .describe("Lifetime in seconds; null: it never expires"),
      ...provenAgain,
    }),
  )
  .output(z.object({ ...described, token: z.string().describe("Shown once, never stored") }))
  .mutation(
    repeatable(async ({ input, ctx, signal, keep }) => {
      const { name, expires } = input;
      const { services, caller } = ctx;
      const { db, now } = services;
      // A token without an expiry is a permanent way in.
      if (expires === null) await proveAgain(input, ctx, { signal });
      const token = makeApiToken(randomBase62(API_TOKEN_RANDOM_LENGTH));
      const row = {
        id: randomBase62(HANDLE_LENGTH),
        member: caller.memberId,
        name,
        prefix: token.slice(0, PREFIX_LENGTH),
        createdAt: now(),
        expiresAt: expires === null ? null : now() + expires,
      };
      const answer = { ...describe(row), token };
      const made = { ...row, hash: digestText(token), ceiling: MAX_TOKENS, keep: await keep?.(answer) };
      if (await insertToken(db, made)) return answer;
      const about = { limit: "tokens", value: MAX_TOKENS, unit: "tokens" };
      throw new ApiError(
        "too_many_tokens",
        `A member has at most ${MAX_TOKENS} API tokens; revoke one first`,
        about,
      );
    }),
  );

const revoke = sessionProcedure
  .meta(
    accountMeta("DELETE", "/api/users/me/tokens/{id}", {
      retry: "key",
      summary: "Revoke an API token",
      description: "From now on, calls with this token are refused.",
      errors: [404],
      events: { ok: "token_revoked" },
    }),
  )
  .input(z.strictObject({ id: z.string().max(MAX_HANDLE_LENGTH).describe("The token's id") }))
  .output(z.object({ id: z.string(), revoked: z.literal(true) }))
  .mutation(
    repeatable(async ({ input: { id }, ctx: { services, caller } }) => {
      if (!isBase62(id, HANDLE_LENGTH) || !(await deleteToken(services.db, caller.memberId, id)))
        throw new ApiError("not_found", "You have no API token with this id");
      return { id, revoked: true as const };
    }),
  );

function describe(token: Omit<NewToken, "hash" | "member">) {
  const { id, name, prefix, createdAt, expiresAt } = token;
  return { id, name, prefix, created: toTime(createdAt), expiry: toTimeOrNull(expiresAt) };
}

export const tokens = router({ list, current, create, revoke });
