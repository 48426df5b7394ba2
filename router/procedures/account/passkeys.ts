import { z } from "zod";
import { deletePasskey, listPasskeys, type Passkey } from "../../../db/accounts/passkeys.ts";
import { repeatable } from "../../policy/once.ts";
import { ApiError } from "../../errors/errors.ts";
import { loginMeta } from "../../meta.ts";
import { existingMember, wayInRemoval } from "../../accounts/members.ts";
import { memberOfPasskey, passkeyCreation, passkeyRequest, storePasskey } from "../../accounts/passkeys.ts";
import { renewSession, startSession } from "../../accounts/start-session.ts";
import { proveAgain } from "../../accounts/step-up.ts";
import { chosenName, confirmation, noInput, provenAgain, time } from "../../schemas.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";
import { factorProcedure, limitedAuthProcedure, settingsProcedure } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";

/** Characters of a credential id in base64url: WebAuthn, 4 allows 1,023 bytes. */
const MAX_ID_LENGTH = 1400;
const id = z.string().max(MAX_ID_LENGTH).describe("The passkey's id, in base64url");
const options = z
  .looseObject({ challenge: z.string() })
  .describe("For navigator.credentials, with bytes in base64url");
const response = z
  .looseObject({ id, type: z.literal("public-key"), response: z.looseObject({}) })
  .describe("What navigator.credentials gave, with bytes in base64url (toJSON)");
const described = {
  id,
  name: z.string(),
  created: time,
  lastUsed: time.nullable().describe("RFC 3339, UTC; null: never"),
};

const list = settingsProcedure
  .meta(
    loginMeta("GET", "/api/users/me/passkeys", {
      summary: "List your passkeys",
      description: "Newest first.",
    }),
  )
  .input(noInput)
  .output(z.object({ passkeys: z.array(z.object(described)) }))
  .query(async ({ ctx: { services, caller } }) => {
    return { passkeys: (await listPasskeys(services.db, caller.memberId)).map(describe) };
  });

const begin = factorProcedure
  .meta(
    loginMeta("POST", "/api/users/me/passkeys/options", {
      retry: "replaces",
      summary: "Begin to add a passkey",
      description:
        "What a browser needs to make one. Later than ten minutes after a login it takes the password.",
      body: "fields",
      errors: [422],
      examples: { "Input.password": EXAMPLE.password },
    }),
  )
  .input(confirmation)
  .output(options)
  .mutation(async ({ input, ctx, signal }) => {
    await proveAgain(input, ctx, { signal });
    return { ...(await passkeyCreation(ctx.caller, ctx.services)) };
  });

const add = factorProcedure
  .meta(
    loginMeta("POST", "/api/users/me/passkeys", {
      retry: "key",
      summary: "Add a passkey",
      description: "Takes what the browser has made. It logs in without name and password.",
      body: "json",
      status: 201,
      errors: [409, 422],
      examples: { "Input.name": "Laptop", "Input.response": EXAMPLE.passkey },
    }),
  )
  .input(z.strictObject({ name: chosenName.describe("What you call it"), response }))
  .output(z.object(described))
  .mutation(
    repeatable(async ({ input, ctx }) => {
      const passkey = await storePasskey(ctx.caller, input, ctx.services);
      await renewSession(ctx, { isStrong: true });
      return describe(passkey);
    }),
  );

const remove = factorProcedure
  .meta(
    loginMeta("DELETE", "/api/users/me/passkeys/{id}", {
      retry: "key",
      summary: "Delete a passkey",
      description:
        "It can no longer be used to log in. Later than ten minutes after a login it takes the password.",
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
      const passkey = { id: input.id, ...wayInRemoval(caller, services) };
      if (!/^[\w-]+$/.test(input.id) || !(await deletePasskey(services.db, passkey)))
        throw new ApiError("not_found", "You have no passkey with this id");
      return { id: input.id, deleted: true as const };
    }),
  );

const beginLogin = limitedAuthProcedure("accountCalls")
  .meta(
    loginMeta("POST", "/api/account/passkey/options", {
      retry: "replaces",
      summary: "Begin to log in with a passkey",
      description: "What a browser needs to ask for a passkey of any account.",
    }),
  )
  .input(noInput)
  .output(options)
  .mutation(async ({ ctx: { services } }) => ({ ...(await passkeyRequest(services)) }));

const login = limitedAuthProcedure("logins")
  .meta(
    loginMeta("POST", "/api/account/passkey", {
      retry: "key",
      summary: "Log in with a passkey",
      description: "Takes what the browser has signed, and sets the cookie of a new session.",
      body: "json",
      errors: [422],
      loginBy: "passkey",
      events: {
        passkey_wrong: "login_failed",
        invalid_credentials: "login_failed",
        account_disabled: "login_failed",
        oidc_refused: "login_failed",
        rate_limited: "login_locked",
      },
      examples: { "Input.response": EXAMPLE.passkey },
    }),
  )
  .input(z.strictObject({ response }))
  .output(z.object({ id: z.string(), name: z.string(), created: time }))
  .mutation(
    repeatable(
      async ({ input, ctx, keep }) => {
        const { services } = ctx;
        const memberId = await memberOfPasskey(input.response, services);
        const member = await existingMember(memberId, services);
        const answer = { id: member.id, name: member.name, created: toTime(member.createdAt) };
        const keepCookie = keep && ((cookie: string) => keep(answer, cookie));
        const by = { passkey: input.response.id };
        await startSession(member.id, ctx, { factors: ["passkey"], by, keep: keepCookie });
        return answer;
      },
      { by: "address", isLogin: true },
    ),
  );

function describe({ id: passkeyId, name, createdAt, lastUsedAt }: Passkey) {
  return { id: passkeyId, name, created: toTime(createdAt), lastUsed: toTimeOrNull(lastUsedAt) };
}

/** What members do with passkeys (WebAuthn level 3). */
export const passkeys = {
  passkeys: list,
  beginPasskey: begin,
  addPasskey: add,
  deletePasskey: remove,
  beginPasskeyLogin: beginLogin,
  passkeyLogin: login,
};
