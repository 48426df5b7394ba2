import type { Config } from "../config/settings.ts";
import { BASE_HEADERS } from "../trpc/request.ts";

/** For how long browsers keep to https. */
const YEAR_SECONDS = 31_536_000;

/**
 * What every answer of this service says, beside what every answer of the adapter does. What is shown as a page or a
 * picture says more of itself; what is not may load, run and be framed nowhere, and no other site may embed it.
 */
export function securityHeaders({ publicUrl, hsts }: Pick<Config, "publicUrl" | "hsts">): Headers {
  const headers = new Headers([
    ...BASE_HEADERS,
    ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
  ]);
  // Over http browsers do not heed it, and a service there has no business with it.
  if (publicUrl.startsWith("https:") && hsts !== "off")
    headers.set("Strict-Transport-Security", `max-age=${YEAR_SECONDS}${SCOPES[hsts]}`);
  return headers;
}

/** Who is asked by https alone (RFC 6797): this host, or also the hosts below it. */
const SCOPES = { host: "", subdomains: "; includeSubDomains" } as const;
