import type { Credential } from "../context.ts";

/**
 * Whether a page of another site sends this. Browsers tell in Sec-Fetch-Site or, without TLS, in Origin. A
 * request with neither does not come from a browser, or only reads.
 */
export function isCrossSite(
  { fetchSite, origin }: Credential,
  { publicUrl }: { publicUrl: string },
): boolean {
  if (fetchSite !== null) return fetchSite !== "same-origin" && fetchSite !== "none";
  return origin !== null && origin !== new URL(publicUrl).origin;
}
