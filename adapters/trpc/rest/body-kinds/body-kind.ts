import type { Adapter, BodyKind } from "../../adapter.ts";
import type { Endpoint } from "../../endpoints.ts";

/** The kind of body that a procedure takes. */
export function bodyKindOf({ http, rpc }: Endpoint, kinds: Adapter["bodyKinds"]): BodyKind {
  const kind = kinds[http.body];
  if (!kind) throw new Error(`Nobody reads the body "${http.body}" of ${rpc}`);
  return kind;
}
