import type { RequestContext } from "../adapter.ts";
import type { ReadOptions } from "../body/request-body.ts";

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
  context: RequestContext,
  encoding: "json" | "frame",
): ReadOptions | Promise<ReadOptions> {
  const { adapter, url } = context;
  const called = calledProcedures(url, adapter.rpcPath).flatMap((path) => adapter.procedures[path] ?? []);
  return adapter.bodyLimit(called, context, encoding);
}
