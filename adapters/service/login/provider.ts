import { setTimeout as sleep } from "node:timers/promises";
import * as openid from "openid-client";
import { ApiError } from "../../../router/errors/errors.ts";
import { FLOW_SECONDS, type LoginFlow } from "../../../router/accounts/login-flow.ts";
import type { FlowChecks } from "../../../router/context.ts";
import type { Config } from "../../config/settings.ts";
import { AnswerError, boundedFetch, checkBounds, TIMEOUT_SECONDS, withDeadline } from "./bounded-fetch.ts";
import { LogoutTokenError, LogoutTokens, type ProviderLogout } from "./logout-token.ts";

/** Claims of an ID token, together with those of the userinfo endpoint. */
type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** The provider of an organization's logins, by OpenID Connect. */
export interface Provider {
  /** The label of the button that leads to it. */
  readonly name: string;
  readonly issuer: string;
  /**
   * Where to send the browser, and what must come back; a fresh login is requested even for a user whom the provider
   * knows.
   * @throws ApiError oidc_unavailable
   */
  readonly begin: (
    redirectUri: string,
    options: { isFresh: boolean },
  ) => Promise<{ url: string; checks: FlowChecks }>;
  /**
   * The claims of the user who came back, and the seconds since the flow began.
   * @throws ApiError oidc_failed, oidc_unavailable
   */
  readonly finish: (url: URL, flow: LoginFlow, seconds: number) => Promise<Claims>;
  /** The address to log out at the provider too, if it has one. */
  readonly logoutUrl: (returnTo: string) => Promise<string | undefined>;
  /** Whom a logout token logs out. @throws ApiError oidc_failed, oidc_unavailable */
  readonly readLogout: (token: string) => Promise<ProviderLogout>;
  /** Why nobody could log in now, in a sentence; undefined where all is well. */
  readonly findFault: () => Promise<string | undefined>;
}

/** How far the provider's clock may differ. */
const CLOCK_SECONDS = 60;
/** The form of a subject (OpenID Connect Core, 2) that a database accepts. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const RETRY_SECONDS = 10;
/** How long the answer to a logout waits for the provider's metadata, which is known after the first login. */
const LOGOUT_MS = 1000;

/** How an organization's members log in, if they do. */
export function organizationOf(config: Config, onFault: (error: unknown) => void) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  const { oidcName: name, oidcScope: scope, oidcRequire: rules = [], oidcAdmin: admins = [] } = config;
  return {
    provider: createProvider({ issuer, clientId, clientSecret, name, scope }, onFault),
    rules,
    admins,
    maxAge: config.oidcMaxAge,
  };
}

/** A provider whose endpoints are discovered at the first login, and again after a failure. */
function createProvider(
  settings: { issuer: string; clientId: string; clientSecret: string; name: string; scope: string },
  onFault: (error: unknown) => void,
): Provider {
  const { issuer, clientId, clientSecret, name, scope } = settings;
  let discovered: Promise<openid.Configuration> | undefined;
  let logouts: LogoutTokens | undefined;
  const discover = () =>
    (discovered ??= openid
      .discovery(
        new URL(issuer),
        clientId,
        { [openid.clockTolerance]: CLOCK_SECONDS },
        clientAuthentication(clientSecret),
        {
          timeout: TIMEOUT_SECONDS,
          [openid.customFetch]: boundedFetch,
          // Verified by the provider's own keys, and not by TLS alone (OpenID Connect Core, 3.1.3.7, point 6). The
          // library then accepts neither alg=none nor a signature by the client's secret, whatever the metadata says.
          execute: [
            openid.enableNonRepudiationChecks,
            // Only a loopback address may use http; the settings and findMetadataFault ensure that.
            ...(issuer.startsWith("http:") ? [openid.allowInsecureRequests] : []),
          ],
        },
      )
      .then((configuration) => {
        const fault = findMetadataFault(configuration.serverMetadata());
        if (fault !== undefined) throw new MetadataError(fault);
        return configuration;
      })
      .catch((error: unknown) => {
        discovered = undefined;
        onFault(error);
        throw providerUnavailableError(name, error instanceof MetadataError ? error.fault : undefined);
      }));
  return {
    name,
    issuer,
    async begin(redirectUri, { isFresh }) {
      // Callers share one discovery; the deadline of the caller who started it ends it for all.
      const configuration = await withDeadline(discover);
      const checks = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: "S256",
        ...(isFresh && { prompt: "login", max_age: "0" }),
      });
      return { url: url.href, checks };
    },
    finish: (url, { state, nonce, verifier, isFresh }, seconds) =>
      withDeadline(async () => {
        const configuration = await discover();
        try {
          const tokens = await openid.authorizationCodeGrant(configuration, url, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
            ...(isFresh && { maxAge: FLOW_SECONDS }),
          });
          checkBounds(payloadOf(tokens.id_token));
          const claims = tokens.claims();
          if (!claims || !SUBJECT.test(claims.sub)) throw new ClaimError();
          // A provider may ignore prompt=login, so the login must be later than the beginning of this flow.
          // openid-client has checked that auth_time is there.
          if (isFresh && claims.iat - Number(claims.auth_time) > seconds + CLOCK_SECONDS)
            throw new ClaimError();
          return {
            ...(await moreClaims(configuration, tokens.access_token, claims.sub)),
            ...claims,
          };
        } catch (error) {
          onFault(withProviderCode(error));
          if (!isOutage(error)) throw loginFailedError(name);
          // Its endpoints may have moved.
          discovered = logouts = undefined;
          throw providerUnavailableError(name);
        }
      }),
    readLogout: (token) =>
      withDeadline(async () => {
        // findMetadataFault has checked that it exists.
        const { jwks_uri: jwksUri = "" } = (await discover()).serverMetadata();
        logouts ??= new LogoutTokens({ jwksUri, clientId, issuer, clockSeconds: CLOCK_SECONDS });
        return logouts.read(token).catch((error: unknown) => {
          onFault(error);
          throw error instanceof LogoutTokenError ? loginFailedError(name) : providerUnavailableError(name);
        });
      }),
    async findFault() {
      const found = await withDeadline(discover).catch((error: unknown) => error);
      return found instanceof ApiError ? found.message : undefined;
    },
    async logoutUrl(returnTo) {
      const known = withDeadline(discover).catch(() => undefined);
      // The session has ended by now: its answer does not wait for a provider that hangs.
      const configuration = await Promise.race([known, sleep(LOGOUT_MS, undefined, { ref: false })]);
      if (!configuration?.serverMetadata().end_session_endpoint) return undefined;
      return openid.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },
  };
}

// In the body where a provider accepts that: in a header it is encoded (RFC 6749, 2.3.1), which some providers do not
// decode.
function clientAuthentication(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)];
  return (provider, ...rest) => {
    // The default where a provider says nothing (OpenID Connect Discovery, 3).
    const taken = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (taken.includes("client_secret_post") ? inBody : inHeader)(provider, ...rest);
  };
}

// Providers may give name, mail and groups only for the access token (OpenID Connect Core, 5.4).
async function moreClaims(configuration: openid.Configuration, token: string, sub: string): Promise<object> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {};
  return openid.fetchUserInfo(configuration, token, sub);
}

// The provider's own error code (RFC 6749, 5.2), such as invalid_client, tells an operator what to fix:
// OAUTH_INVALID_CLIENT.
function withProviderCode(error: unknown): unknown {
  const isWord = error instanceof openid.ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error);
  return isWord ? Object.assign(error, { code: `OAUTH_${error.error.toUpperCase()}` }) : error;
}

/** The claims of an ID token, as JSON. */
function payloadOf(idToken = ""): Uint8Array {
  return Buffer.from(idToken.split(".")[1] ?? "", "base64url");
}

/** Unusable metadata of a provider. */
class MetadataError extends Error {
  override readonly name = "MetadataError";
  readonly code = "oidc_metadata";
  readonly fault: string;

  constructor(fault: string) {
    super("The provider's metadata cannot be used");
    this.fault = fault;
  }
}

/** An ID token that is invalid, or names nobody. */
class ClaimError extends Error {
  override readonly name = "ClaimError";
  readonly code = "oidc_claims";
}

const OUTAGES = ["TIMEOUT", "RESPONSE_IS_NOT_CONFORM", "RESPONSE_IS_NOT_JSON", "PARSE_ERROR"].map(
  (code) => `OAUTH_${code}`,
);

// An answer that no provider would give, or none; all other errors concern what came back with the browser.
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AnswerError || error.cause instanceof AnswerError) return true;
  const code = "code" in error ? String(error.code) : "";
  return code === "" || OUTAGES.includes(code);
}

function providerUnavailableError(name: string, fault?: string): ApiError {
  const what = fault === undefined ? "does not answer; try again later" : `cannot be used: ${fault}`;
  return new ApiError("oidc_unavailable", `The login by ${name} ${what}`, { retryAfter: RETRY_SECONDS });
}

/** What came back was not what was sent away: too late, repeated, changed, or of another origin. */
export function loginFailedError(name: string): ApiError {
  return new ApiError("oidc_failed", `The login by ${name} was not completed; begin it again`);
}

const REQUIRED_ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
const ENDPOINTS = [...REQUIRED_ENDPOINTS, "userinfo_endpoint", "end_session_endpoint"] as const;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * What is wrong with a provider's metadata (OpenID Connect Discovery, 3), with the name of the endpoint. The client's
 * secret and tokens are sent there, so it must be https, or http on a loopback address.
 */
function findMetadataFault(metadata: openid.ServerMetadata): string | undefined {
  const missing = REQUIRED_ENDPOINTS.find((name) => metadata[name] === undefined);
  if (missing !== undefined) return `its metadata has no ${missing}`;
  const wrong = ENDPOINTS.find((name) => metadata[name] !== undefined && !isSafe(metadata[name]));
  return wrong === undefined ? undefined : `the ${wrong} in its metadata must be an https URL`;
}

function isSafe(endpoint: unknown): boolean {
  const url = typeof endpoint === "string" ? URL.parse(endpoint) : null;
  return url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
}
