import type { Adapter } from "../adapter.ts";
import type { ReadOptions } from "../body/request-body.ts";
import type { RequestContext } from "../request-context.ts";

/** The procedures that a path of RPC names; a batch names several. */
export function calledProcedures({ pathname }: URL, rpcPath: string): string[] {
  try {
    return decodeURIComponent(pathname.slice(rpcPath.length + 1)).split(",");
  } catch {
    return [];
  }
}

/** How large the body of the calls may be that a URL names. */
export function callLimit(
  adapter: Adapter,
  { context, encoding }: { context: RequestContext; encoding: "json" | "frame" },
): ReadOptions | Promise<ReadOptions> {
  const called = calledProcedures(context.url, adapter.rpcPath);
  return adapter.bodyLimit(
    called.flatMap((path) => adapter.procedures[path] ?? []),
    { context, encoding },
  );
}
