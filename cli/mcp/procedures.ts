import { inputOf } from "../../adapters/trpc/schema/input.ts";
import type { Meta } from "../../router/meta.ts";
import { toolProcedures } from "../../router/procedures/tools/tools.ts";
import type { JsonSchema } from "./model-schema.ts";

/** A tool as its procedure describes it. */
export interface DescribedTool {
  /** Its key in the typed client. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether it makes a file. */
  readonly makesFile: boolean;
  /** Whether the name of the file that it reads matters to it. */
  readonly readsName: boolean;
  /** Parameters that are whole texts. */
  readonly texts: readonly string[];
  readonly input: JsonSchema;
}

/** The one description of the tools, which REST, RPC, document and catalogue come from too. */
export function describeTools(): DescribedTool[] {
  return Object.entries(toolProcedures).flatMap(([key, procedure]) => {
    // Every tool's procedure has this meta, whose type tRPC does not keep.
    const { tool, openapi, http } = procedure._def.meta as Meta;
    if (!tool || !http) return [];
    const { schema: input } = inputOf(procedure);
    const about = {
      title: tool.title,
      description: `${openapi?.summary ?? tool.title}. ${openapi?.description ?? ""}`,
    };
    const kind = { makesFile: http.result === "file", readsName: http.body === "stream" };
    // A schema of zod is plain JSON.
    return [
      {
        key,
        name: tool.name,
        ...about,
        ...kind,
        texts: http.largeTexts ?? [],
        input: input as JsonSchema,
      },
    ];
  });
}
