import { initTRPC, type AnyTRPCRouter } from "@trpc/server";
import { headTransformer } from "../../../wire/byte-tree.ts";
import type { Transform } from "../../../wire/frame.ts";
import { checkFinite } from "../../../wire/json/json-bounds.ts";
import { transformData } from "../../../wire/rpc.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";

/** Reads an input by the router's transformer. @throws TypeError, ToolFailure for what no client can have written */
export function readByTransformer(router: AnyTRPCRouter): Transform {
  return refuseUnreadable(router._def._config.transformer.input);
}

/** Reads the head of a frame by the router's transformer, where it applies. The JSON holds no infinite number. */
export function headReader(router: AnyTRPCRouter): Transform | undefined {
  const transformer = headTransformer(ownTransformer(router)?.input);
  const read = transformer && refuseUnreadable(transformer);
  return (
    read &&
    ((tree) => {
      checkFinite(tree);
      return read(tree);
    })
  );
}

/** Writes the head of a frame with a result. */
export function headWriter(router: AnyTRPCRouter): Transform | undefined {
  const transformer = headTransformer(ownTransformer(router)?.output);
  return transformer && ((answer) => transformData(answer, (data) => transformer.serialize(data)));
}

/** What tRPC gives a router that asks for none changes nothing. */
const NONE = initTRPC.create()._config.transformer;

function ownTransformer({ _def }: AnyTRPCRouter) {
  const { transformer } = _def._config;
  return transformer === NONE ? undefined : transformer;
}

// Any error of a transformer is about what was sent.
function refuseUnreadable(transformer: { deserialize: Transform }): Transform {
  return (tree) => {
    // Nothing was sent.
    if (tree === undefined) return undefined;
    try {
      return transformer.deserialize(tree);
    } catch (error) {
      throw error instanceof ToolFailure ? error : new TypeError("The transformer cannot read this");
    }
  };
}
