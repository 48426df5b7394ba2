import type { Adapter, RequestContext } from "../adapter.ts";
import type { ReadOptions } from "../body/request-body.ts";

type CalledBy = Pick<Adapter, "rpcPath" | "router">;

/** The procedures that a path of RPC names; a batch names several. */
export function calledProcedures({ pathname }: URL, { rpcPath, router }: CalledBy): string[] {
  try {
    const { pathSeparator: separator = "." } = router._def._config;
    const called = decodeURIComponent(pathname.slice(rpcPath.length + 1)).split(",");
    return separator === "." ? called : called.map((path) => path.replaceAll(separator, "."));
  } catch {
    return [];
  }
}

/** How large the body of the calls may be that a URL names. */
export function callLimit(
  context: RequestContext,
  encoding: "json" | "frame",
): ReadOptions | Promise<ReadOptions> {
  const { adapter, url } = context;
  const called = calledProcedures(url, adapter).flatMap((path) => adapter.procedures[path] ?? []);
  return adapter.bodyLimit(called, context, encoding);
}
