import { peekAllowance, takeAllowance } from "../../db/allowance.ts";
import { findSession } from "../../db/sessions.ts";
import { findToken } from "../../db/tokens.ts";
import { isApiToken } from "../../tools/crypto/api-token.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { Caller, Credential, MemberCaller, Services } from "../context.ts";
import { isCrossSite } from "./cross-site.ts";
import { isSessionValue, readSessionCookie } from "./session-cookie.ts";
import { rateLimited, windowOf } from "./count.ts";
import { SESSION_IDLE_SECONDS } from "../limits.ts";
import { ApiError } from "../errors.ts";

interface IdentifyOptions {
  readonly services: Services;
  /** The address that limits are counted by. */
  readonly address: string;
}

/**
 * Identifies the caller by the bearer token if there is one, else by the cookie. A bad token is refused. The
 * cookie of an ended session is not the same as no cookie: such a caller must not silently become anonymous.
 * @throws ApiError invalid_token, rate_limited after too many wrong ones
 */
export async function identifyCaller(credential: Credential, options: IdentifyOptions): Promise<Caller> {
  const { authorization, cookie } = credential;
  if (authorization !== null) return findByBearer(authorization, options);
  const value = cookie === null ? undefined : readSessionCookie(cookie);
  if (value === undefined || isCrossSite(credential, options.services)) return { tier: "anonymous" };
  return (await findBySession(value, options.services)) ?? { tier: "anonymous", hasEndedSession: true };
}

async function findByBearer(authorization: string, options: IdentifyOptions): Promise<MemberCaller> {
  const { services } = options;
  const window = windowOf("wrongTokens", { services, who: `address ${options.address}` });
  const left = await peekAllowance(services.db, window);
  if (left.remaining <= 0) throw tooManyWrongTokens(left.resetSeconds);
  const [, text = ""] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  // The checksum shows a typo without a query.
  const token = isApiToken(text)
    ? await findToken(services.db, { hash: digestText(text), now: services.now() })
    : undefined;
  if (token) {
    const { id, member, memberName } = token;
    return { tier: "member", memberId: member, memberName, via: "token", credentialId: id };
  }
  const taken = await takeAllowance(services.db, window);
  throw taken.allowed ? invalidToken() : tooManyWrongTokens(taken.resetSeconds);
}

async function findBySession(value: string, { db, now }: Services): Promise<MemberCaller | undefined> {
  if (!isSessionValue(value)) return undefined;
  const living = { now: now(), idleSeconds: SESSION_IDLE_SECONDS };
  const session = await findSession(db, { hash: digestText(value), ...living });
  if (!session) return undefined;
  const { id, member, memberName } = session;
  return { tier: "member", memberId: member, memberName, via: "session", credentialId: id };
}

function invalidToken(): ApiError {
  return new ApiError(
    "invalid_token",
    "The credential in Authorization is unknown, expired or revoked; send `Bearer <API_TOKEN>`, or no " +
      "Authorization header to call anonymously",
  );
}

function tooManyWrongTokens(retryAfter: number): ApiError {
  return rateLimited("wrongTokens", { tier: "anonymous", retryAfter, what: "wrong credentials" });
}
