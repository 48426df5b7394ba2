import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from "jose";
import { boundedFetch } from "./bounded-fetch.ts";

/** The sessions that a provider says it has ended. */
export interface ProviderLogout {
  /** The user's id at the provider; undefined where only a session is named. */
  readonly subject: string | undefined;
  /** The id of the provider's session; undefined where all of the user's are meant. */
  readonly session: string | undefined;
  /** The token's id, which counts once. */
  readonly id: string;
  /** Unix seconds, by the provider's clock. */
  readonly issuedAt: number;
}

/** An invalid logout token. */
export class LogoutTokenError extends Error {
  override readonly name = "LogoutTokenError";
  readonly code = "oidc_logout_token";
}

/** The longest age of an accepted token. */
const MAX_AGE_SECONDS = 600;
/**
 * For how long a token's id is remembered against replay, and its logout for logins that are under way: a minute longer
 * at either end, because clocks may differ.
 */
export const LOGOUT_SECONDS = MAX_AGE_SECONDS + 120;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
/**
 * Types of a JWT (RFC 7519, 5.1; RFC 8725, 3.11). The specification only recommends its own, so many tokens have none.
 */
const TYPES = /^(?:application\/)?(?:logout\+jwt|jwt)$/i;
const TEXT = /^[\x20-\x7e]{1,255}$/;

/** Errors that mean a wrong token, rather than a provider that does not answer. */
const REFUSALS = [
  ...[errors.JWTClaimValidationFailed, errors.JWTExpired, errors.JWTInvalid, errors.JWSInvalid],
  ...[errors.JWSSignatureVerificationFailed, errors.JOSEAlgNotAllowed, errors.JWKSNoMatchingKey],
  ...[errors.JOSENotSupported, errors.JWKSMultipleMatchingKeys],
];

/** Reads the tokens by which a provider logs users out (OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6). */
export class LogoutTokens {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #rules: { issuer: string; audience: string; clockTolerance: number };

  constructor(of: { jwksUri: string; clientId: string; issuer: string; clockSeconds: number }) {
    const { jwksUri, clientId, issuer, clockSeconds } = of;
    // Uses the known keys, and fetches current ones at most every half minute.
    this.#keys = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: boundedFetch as typeof fetch });
    this.#rules = { issuer, audience: clientId, clockTolerance: clockSeconds };
  }

  /** @throws LogoutTokenError; another error where the provider's keys are not available */
  async read(token: string): Promise<ProviderLogout> {
    const { payload, protectedHeader } = await jwtVerify(token, this.#keys, {
      ...this.#rules,
      algorithms: ALGORITHMS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ["exp", "jti"],
    }).catch((error: unknown) => {
      throw REFUSALS.some((kind) => error instanceof kind) ? new LogoutTokenError("Refused.") : error;
    });
    const { typ = "JWT" } = protectedHeader;
    if (!TYPES.test(typ)) throw new LogoutTokenError("Of another type.");
    return logoutOf(payload);
  }
}

function logoutOf({ sub: subject, sid: session, jti: id, iat, nonce, events }: JWTPayload): ProviderLogout {
  // An object, which may be empty.
  const event: unknown = (Object(events) as Record<string, unknown>)[EVENT];
  const isLogout = typeof event === "object" && event !== null && !Array.isArray(event);
  // A token with a nonce would be an ID token.
  if (!isLogout || nonce !== undefined || id === undefined || iat === undefined)
    throw new LogoutTokenError("Of another kind.");
  if (!isText(subject) || !isText(session) || (subject ?? session) === undefined)
    throw new LogoutTokenError("Names nobody.");
  return { subject, session, id, issuedAt: iat };
}

function isText(claim: unknown): claim is string | undefined {
  return claim === undefined || (typeof claim === "string" && TEXT.test(claim));
}
