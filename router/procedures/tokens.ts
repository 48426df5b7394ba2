import { z } from "zod";
import { deleteToken, insertToken, listTokens, type Token } from "../../db/tokens.ts";
import { makeApiToken } from "../../tools/crypto/api-token.ts";
import { isBase62, randomBase62 } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import { MAX_TOKENS, MAX_TOKEN_SECONDS, MIN_TOKEN_SECONDS } from "../limits.ts";
import { API_TOKEN_RANDOM_LENGTH, HANDLE_LENGTH } from "../ids.ts";
import { ApiError } from "../errors.ts";
import { toTime, toTimeOrNull } from "../sql-time.ts";
import { router, sessionProcedure } from "../trpc.ts";
import { time } from "../schemas.ts";

/** `service_token_` and six digits: enough to tell twenty tokens apart, of no use to guess the rest. */
const PREFIX_LENGTH = 20;

const described = {
  id: z.string().describe("A handle, not the token"),
  name: z.string(),
  prefix: z.string().describe("How the token begins"),
  created: time,
  expiry: time.nullable().describe("RFC 3339, UTC; null: never"),
};

const list = sessionProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/api/users/me/tokens",
      summary: "Your API tokens",
      description: "What is known of them, newest first; a token itself is shown only when it is made.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [401, 403],
  })
  .input(z.strictObject({}))
  .output(
    z.object({
      tokens: z.array(
        z.object({
          ...described,
          lastUsed: time.nullable().describe("To the minute, written at most every ten; null: never"),
        }),
      ),
    }),
  )
  .query(async ({ ctx: { services, caller } }) => {
    const tokens = await listTokens(services.db, { member: caller.memberId });
    return {
      tokens: tokens.map((token) => ({ ...describe(token), lastUsed: toTimeOrNull(token.lastUsedAt) })),
    };
  });

const create = sessionProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/users/me/tokens",
      summary: "Make an API token",
      description: "For scripts: raises limits, lists and revokes your secrets, and can do nothing else.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "fields", result: "json", status: 201, ownPagesOnly: true },
    errors: [400, 401, 403, 413, 415],
  })
  .input(
    z.strictObject({
      name: z
        .string()
        .min(1)
        .max(64)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be text without control characters")
        .describe("What it is for, to find it again in the list"),
      expires: z
        .int()
        .min(MIN_TOKEN_SECONDS)
        .max(MAX_TOKEN_SECONDS)
        .nullable()
        .default(MAX_TOKEN_SECONDS)
        .describe("Lifetime in seconds; null: it never expires"),
    }),
  )
  .output(z.object({ ...described, token: z.string().describe("Shown once, never stored") }))
  .mutation(async ({ input: { name, expires }, ctx: { services, caller } }) => {
    const { db, now } = services;
    const token = makeApiToken(randomBase62(API_TOKEN_RANDOM_LENGTH));
    const row = {
      id: randomBase62(HANDLE_LENGTH),
      member: caller.memberId,
      name,
      prefix: token.slice(0, PREFIX_LENGTH),
      createdAt: now(),
      expiresAt: expires === null ? null : now() + expires,
    };
    const inserted = await insertToken(db, { ...row, hash: digestText(token), ceiling: MAX_TOKENS });
    if (!inserted) throw tooManyTokens();
    return { ...describe(row), token };
  });

const revoke = sessionProcedure
  .meta({
    openapi: {
      method: "DELETE",
      path: "/api/users/me/tokens/{id}",
      summary: "Revoke an API token",
      description: "The next call with it is refused.",
      tags: ["account"],
      protect: true,
    },
    http: { body: "none", result: "json", ownPagesOnly: true },
    errors: [400, 401, 403, 404],
  })
  .input(z.strictObject({ id: z.string().max(64).describe("The token's id") }))
  .output(z.object({ id: z.string(), revoked: z.literal(true) }))
  .mutation(async ({ input: { id }, ctx: { services, caller } }) => {
    const isKnown = isBase62(id, HANDLE_LENGTH);
    if (!isKnown || !(await deleteToken(services.db, { member: caller.memberId, id }))) {
      throw new ApiError("not_found", "You have no API token with this id");
    }
    return { id, revoked: true as const };
  });

function describe({
  id,
  name,
  prefix,
  createdAt,
  expiresAt,
}: Omit<Token, "member" | "memberName" | "lastUsedAt">) {
  return { id, name, prefix, created: toTime(createdAt), expiry: toTimeOrNull(expiresAt) };
}

function tooManyTokens(): ApiError {
  return new ApiError(
    "invalid_parameter",
    `A member has at most ${MAX_TOKENS} API tokens; revoke one first`,
    {
      limit: "tokens",
      value: MAX_TOKENS,
      unit: "tokens",
    },
  );
}

export const tokens = router({ list, create, revoke });
