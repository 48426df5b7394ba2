// Describes schemas that nobody keeps, and prints by how many bytes the process has grown. Node runs it with
// `--expose-gc`.
import { z } from "zod";
import { jsonSchemaOf } from "../../../adapters/trpc/schema/json-schema.ts";

const TEXT = "x".repeat(100_000);

function describeMany(from: number): number {
  for (let i = from; i < from + 30; i++) {
    const description = TEXT + i;
    const node = z.object({ next: z.lazy((): z.ZodType => node.optional()) }).describe(description);
    jsonSchemaOf(z.object({ node }), "input");
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const before = describeMany(0);
console.log(describeMany(30) - before);
