import type { Adapter } from "../adapter.ts";
import type { ReadOptions } from "../body/request-body.ts";
import { inputSchemaOf } from "../introspect.ts";
import type { HttpMeta } from "../meta.ts";
import { parametersOf } from "../parameters.ts";
import type { RequestContext } from "../request-context.ts";

/** The procedures that a path of RPC names; a batch names several. */
export function calledProcedures({ pathname }: URL, rpcPath: string): string[] {
  try {
    return decodeURIComponent(pathname.slice(rpcPath.length + 1)).split(",");
  } catch {
    return [];
  }
}

/** The keys of a procedure's input; none where there is no procedure. */
export function knownKeys(adapter: Adapter, path: string): string[] {
  const procedure = adapter.procedures[path];
  return procedure ? parametersOf(inputSchemaOf(procedure)).map(({ name }) => name) : [];
}

/** How REST reads the call of the procedure. */
export function httpMetaOf(adapter: Adapter, path: string): HttpMeta | undefined {
  return adapter.endpoints.find(({ rpc }) => rpc === path)?.http;
}

/** How large the body of the calls may be that a URL names. */
export function callLimit(
  adapter: Adapter,
  { context, encoding }: { context: RequestContext; encoding: "json" | "frame" },
): ReadOptions | Promise<ReadOptions> {
  const called = calledProcedures(context.url, adapter.rpcPath).filter((path) => adapter.procedures[path]);
  return adapter.bodyLimit(called, { context, encoding });
}
