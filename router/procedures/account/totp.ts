import { z } from "zod";
import { beginTotp, endTotp } from "../../../db/accounts/totp.ts";
import { repeatable } from "../../policy/once.ts";
import { ApiError } from "../../errors/errors.ts";
import { sealFor } from "../../instance-key.ts";
import { MAX_HANDLE_LENGTH } from "../../limits.ts";
import { loginMeta } from "../../meta.ts";
import { countPasswordCheck } from "../../accounts/login-tries.ts";
import { existingMember } from "../../accounts/members.ts";
import { describeTotp, makeTotpKey, useCode } from "../../accounts/second-factor.ts";
import { renewSession } from "../../accounts/start-session.ts";
import { checkMayEnrol, proveAgain } from "../../accounts/step-up.ts";
import { confirmation, secretText } from "../../schemas.ts";
import { factorProcedure, settingsProcedure } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";

const code = secretText("The six digits that the authenticator app shows").max(MAX_HANDLE_LENGTH);

const begin = factorProcedure
  .meta(
    loginMeta("POST", "/api/users/me/totp", {
      retry: "replaces",
      summary: "Begin with an authenticator app",
      description:
        "Makes a key for an app that shows codes of six digits (RFC 6238). A login asks for them once one of them was " +
        "confirmed; until then another call makes another key. Later than ten minutes after a login it takes the password.",
      body: "fields",
      errors: [409, 422],
      examples: { "Input.password": EXAMPLE.password },
    }),
  )
  .input(confirmation)
  .output(
    z.object({
      secret: z.string().describe("The key in base32, to be typed; shown once"),
      uri: z.string().describe("The same as otpauth://, for a QR code"),
    }),
  )
  .mutation(async ({ input, ctx, signal }) => {
    const { services, caller } = ctx;
    await proveAgain(input, ctx, { signal });
    const seed = makeTotpKey();
    const key = await sealFor(seed, services.keys.seeds, caller.memberId);
    if (!(await beginTotp(services.db, caller.memberId, key))) throw secondFactorExists();
    return describeTotp(seed, caller.memberName, services);
  });

// Also for members who logged in without the app, in a session that is too weak otherwise.
const confirm = settingsProcedure
  .meta(
    loginMeta("POST", "/api/users/me/totp/confirm", {
      retry: "key",
      summary: "Confirm the authenticator app",
      description: "From now on a login asks for a code of the app beside the password. A code is good once.",
      body: "fields",
      errors: [409, 422],
    }),
  )
  .input(z.strictObject({ code }))
  .output(z.object({ confirmed: z.literal(true) }))
  .mutation(
    repeatable(async ({ input, ctx }) => {
      const { services, caller } = ctx;
      const member = await existingMember(caller.memberId, services);
      // With the app of the account, a session is made strong; without one, the first code sets it up.
      if (!member.hasTotp) await checkMayEnrol(caller, services);
      // Otherwise whoever finds such a session could use up the codes of the day.
      else if (caller.isStrong) throw secondFactorExists();
      await countPasswordCheck(caller, services);
      await useCode(input.code, { member, services });
      await renewSession(ctx, { isStrong: true });
      return { confirmed: true as const };
    }),
  );

const end = factorProcedure
  .meta(
    loginMeta("DELETE", "/api/users/me/totp", {
      retry: "key",
      summary: "Do without the authenticator app",
      description:
        "Takes the password or a code, and later than ten minutes after a login with the app both. Where the app is lost, " +
        "log in with the recovery code in place of the code first.",
      body: "fields",
      errors: [404, 422],
      examples: { "Input.code": EXAMPLE.totpCode },
    }),
  )
  .input(confirmation)
  .output(z.object({ ended: z.literal(true) }))
  .mutation(
    repeatable(async ({ input, ctx, signal }) => {
      const { services, caller } = ctx;
      if (input.password === undefined && input.code !== undefined) {
        const member = await proveAgain({}, ctx, { signal });
        await countPasswordCheck(caller, services);
        await useCode(input.code, { member, services });
        await renewSession(ctx, { isStrong: true });
      } else {
        await proveAgain(input, ctx, { signal, always: true });
      }
      if (!(await endTotp(services.db, caller.memberId)))
        throw new ApiError("not_found", "This account has no authenticator app");
      return { ended: true as const };
    }),
  );

function secondFactorExists(): ApiError {
  return new ApiError(
    "second_factor_exists",
    "This account has an authenticator app already; end that first, with DELETE",
  );
}

/** What members do with an authenticator app. */
export const totp = { beginTotp: begin, confirmTotp: confirm, endTotp: end };
