import { peekAllowance, takeAllowance } from "../db/allowance.ts";
import type { Caller, Credential, Services } from "./context.ts";
import { RATES } from "./limits.ts";
import { Refusal } from "./problem.ts";

interface Asking {
  readonly services: Services;
  /** The address as limits know it. */
  readonly address: string;
}

/**
 * Finds out who calls. A credential that is not good is refused; it never makes an anonymous caller.
 * @throws Refusal invalid_token, rate_limited after too many wrong ones
 */
export async function identifyCaller(credential: Credential, asking: Asking): Promise<Caller> {
  if (credential.authorization === null) return { tier: "anonymous" };
  const allowance = await wrongTokenAllowance(asking);
  const left = await peekAllowance(asking.services.db, allowance);
  if (left.remaining <= 0) throw tooManyWrongTokens(left.resetSeconds);
  await takeAllowance(asking.services.db, allowance);
  throw invalidToken();
}

async function wrongTokenAllowance({ services, address }: Asking) {
  const { anonymous: limit, windowSeconds } = RATES.wrongTokens;
  const key = services.rateKey(`address ${address}`);
  return { bucket: "wrongTokens", key, limit, windowSeconds, now: services.now() };
}

function invalidToken(): Refusal {
  return new Refusal(
    "invalid_token",
    "The credential in Authorization is unknown, expired or revoked; send `Bearer <API_TOKEN>`, or no " +
      "Authorization header to call anonymously",
  );
}

function tooManyWrongTokens(retryAfter: number): Refusal {
  const { anonymous: value, windowSeconds } = RATES.wrongTokens;
  return new Refusal("rate_limited", `At most ${value} wrong credentials in ${windowSeconds} seconds`, {
    limit: "wrongTokens",
    value,
    unit: "calls",
    window: windowSeconds,
    remaining: 0,
    retryAfter,
    tier: "anonymous",
  });
}
