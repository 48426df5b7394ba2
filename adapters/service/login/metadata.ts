import type { ServerMetadata } from "openid-client";

const NEEDED = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;
const ENDPOINTS = [...NEEDED, "userinfo_endpoint", "end_session_endpoint"] as const;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * What is wrong with what a provider says of itself (OpenID Connect Discovery, 3), with the name of the endpoint. The
 * client's secret and the tokens go there, so it is https, on a loopback address alone also http.
 */
export function findMetadataFault(metadata: ServerMetadata): string | undefined {
  const missing = NEEDED.find((name) => metadata[name] === undefined);
  if (missing !== undefined) return `its metadata has no ${missing}`;
  const wrong = ENDPOINTS.find((name) => metadata[name] !== undefined && !isSafe(metadata[name]));
  return wrong === undefined ? undefined : `the ${wrong} in its metadata must be an https URL`;
}

function isSafe(endpoint: unknown): boolean {
  const url = typeof endpoint === "string" ? URL.parse(endpoint) : null;
  return url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
}
