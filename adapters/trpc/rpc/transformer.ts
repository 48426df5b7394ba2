import type { AnyTRPCRouter } from "@trpc/server";
import { headTransformer } from "../../../wire/byte-tree.ts";
import type { Transform } from "../../../wire/frame.ts";
import { transformData } from "../../../wire/rpc.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";

/** Reads an input by the router's transformer. @throws TypeError, ToolFailure for what no client can have written */
export function readByTransformer(router: AnyTRPCRouter): Transform {
  return refusing(router._def._config.transformer.input);
}

/** The same for the head of a frame, where the transformer applies to it. */
export function headReader(router: AnyTRPCRouter): Transform | undefined {
  const transformer = headTransformer(router._def._config.transformer.input);
  return transformer && refusing(transformer);
}

/** Writes the head of a frame with a result. */
export function headWriter(router: AnyTRPCRouter): Transform | undefined {
  const transformer = headTransformer(router._def._config.transformer.output);
  return transformer && ((answer) => transformData(answer, (data) => transformer.serialize(data)));
}

// Any error of a transformer is about what was sent.
function refusing(transformer: { deserialize: Transform }): Transform {
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
