import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from "jose";
import { boundedFetch } from "./bounded-fetch.ts";

/** Whose sessions a provider says that it has ended. */
export interface ProviderLogout {
  /** What it calls the person; undefined where it names a session alone. */
  readonly subject: string | undefined;
  /** What it calls its own session; undefined where it means all of the person. */
  readonly session: string | undefined;
  /** Of the token, which is good once. */
  readonly id: string;
}

/** A logout token that is none. */
export class LogoutTokenError extends Error {
  override readonly name = "LogoutTokenError";
  readonly code = "oidc_logout_token";
}

/** What a token is good for at most: so long it has to be remembered that it was used. */
export const LOGOUT_SECONDS = 600;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
/** Types of a JWT (RFC 7519, 5.1; RFC 8725, 3.11). The specification only recommends its own, so many say none. */
const TYPES = /^(?:application\/)?(?:logout\+jwt|jwt)$/i;
const TEXT = /^[\x20-\x7e]{1,255}$/;

/** What tells that a token is wrong, and not that the provider does not answer. */
const REFUSALS = [
  ...[errors.JWTClaimValidationFailed, errors.JWTExpired, errors.JWTInvalid, errors.JWSInvalid],
  ...[errors.JWSSignatureVerificationFailed, errors.JOSEAlgNotAllowed, errors.JWKSNoMatchingKey],
  ...[errors.JOSENotSupported, errors.JWKSMultipleMatchingKeys],
];

/** Reads tokens by which a provider logs people out (OpenID Connect Back-Channel Logout 1.0, 2.4 and 2.6). */
export class LogoutTokens {
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #rules: { issuer: string; audience: string; clockTolerance: number };

  constructor({
    jwksUri,
    clientId,
    issuer,
    clockSeconds,
  }: {
    jwksUri: string;
    clientId: string;
    issuer: string;
    clockSeconds: number;
  }) {
    // The keys that there are, and at most every half minute those that there are now.
    this.#keys = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: boundedFetch as typeof fetch });
    this.#rules = { issuer, audience: clientId, clockTolerance: clockSeconds };
  }

  /** @throws LogoutTokenError; another error where the provider's keys cannot be had */
  async read(token: string): Promise<ProviderLogout> {
    const { payload, protectedHeader } = await jwtVerify(token, this.#keys, {
      ...this.#rules,
      algorithms: ALGORITHMS,
      maxTokenAge: LOGOUT_SECONDS,
      requiredClaims: ["exp", "jti"],
    }).catch((error: unknown) => {
      throw REFUSALS.some((kind) => error instanceof kind) ? new LogoutTokenError("Refused.") : error;
    });
    const { typ = "JWT" } = protectedHeader;
    if (!TYPES.test(typ)) throw new LogoutTokenError("Of another type.");
    return logoutOf(payload);
  }
}

function logoutOf({ sub: subject, sid: session, jti: id, nonce, events }: JWTPayload): ProviderLogout {
  // An object, which may be empty.
  const event: unknown = (Object(events) as Record<string, unknown>)[EVENT];
  const isLogout = typeof event === "object" && event !== null && !Array.isArray(event);
  // With a nonce it would be an ID token.
  if (!isLogout || nonce !== undefined || id === undefined) throw new LogoutTokenError("Of another kind.");
  if (!isText(subject) || !isText(session) || (subject ?? session) === undefined)
    throw new LogoutTokenError("Names nobody.");
  return { subject, session, id };
}

function isText(claim: unknown): claim is string | undefined {
  return claim === undefined || (typeof claim === "string" && TEXT.test(claim));
}
