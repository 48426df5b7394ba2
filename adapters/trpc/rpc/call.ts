import type { Tier } from "../../../router/limits.ts";
import type { HttpMeta } from "../../../router/meta.ts";
import type { ReadOptions } from "../body/request-body.ts";
import { bodyLimit } from "../../service/body-limit.ts";
import { endpoints } from "../endpoints.ts";

const BY_NAME = new Map(endpoints.map((endpoint) => [endpoint.rpc, endpoint]));

/** The procedures that a /trpc path names; a batch names several. */
export function calledProcedures({ pathname }: URL): string[] {
  try {
    return decodeURIComponent(pathname.replace(/^\/trpc\//, "")).split(",");
  } catch {
    return [];
  }
}

/** The keys of a procedure's input; none where there is no procedure. */
export function knownKeys(path: string): string[] {
  return BY_NAME.get(path)?.parameters.map(({ name }) => name) ?? [];
}

/** How REST reads the call of the procedure. */
export function httpMetaOf(path: string): HttpMeta | undefined {
  return BY_NAME.get(path)?.http;
}

/** How large the body of the calls may be that a URL names. */
export function callLimit(
  url: URL,
  { tier, encoding }: { tier: Tier; encoding: "json" | "frame" },
): ReadOptions {
  const called = calledProcedures(url).flatMap((name) => BY_NAME.get(name) ?? []);
  return bodyLimit(called, tier, { encoding });
}
