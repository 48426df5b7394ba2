import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Io } from "../terminal/io.ts";
import type { AllowedFolders } from "./allowed-folders.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import type { ToolAnswer } from "./answers.ts";
import { checkFlag, checkString, type JsonSchema, type Values } from "./model-schema.ts";
import { outputOf } from "../../adapters/trpc/introspect.ts";
import { inputOf } from "../../adapters/trpc/schema/input.ts";
import { jsonSchemaOf } from "../../adapters/trpc/schema/json-schema.ts";
import type { Meta } from "../../router/meta.ts";
import { toolProcedures } from "../../router/procedures/tools/tools.ts";

/** What a tool works with. */
export interface ToolContext {
  /** Its fetch contacts allowed hosts only. */
  readonly io: Io;
  readonly hosts: AllowedHosts;
  readonly folders: AllowedFolders;
  /** Whether links that open something may only be written to files. */
  readonly linksToFiles: boolean;
}

/** What a model can call. */
export interface ModelTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** The schema of its answer. */
  readonly output: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Called with values that have been checked. The signal aborts when the agent no longer waits. */
  readonly run: (values: Values, signal: AbortSignal) => Promise<ToolAnswer>;
}

/** Part of the description of every tool that contacts a server. */
export const OVER_NETWORK =
  "Goes over the network: it asks the server of HUSHKIT_URL, or that of the link where its host is allowed.";

/** Parameters of every tool that writes a file. */
export const OUTPUT = {
  output: {
    type: "string",
    description: "Path of the file to write, below the allowed folders; only its owner can read it",
  },
  overwrite: {
    type: "boolean",
    default: false,
    description: "Whether a file of that name may be replaced",
  },
} as const satisfies Record<string, JsonSchema>;

/** Where a tool is to write, as these parameters say. @throws CliError usage */
export async function findOutput(
  folders: AllowedFolders,
  values: Values,
  parameter = "output",
): Promise<{ path: string; force: boolean }> {
  const force = checkFlag("overwrite", values.overwrite);
  const named = { parameter, path: checkString(parameter, values[parameter]) };
  return { path: await folders.findOutput(named, { overwrite: force }), force };
}

/** The facts that every tool returns about a file it wrote. */
export const WRITTEN = {
  written: { type: "string", description: "Path of the file" },
  size: { type: "integer", description: "Its size in bytes" },
} as const satisfies Record<string, JsonSchema>;

/** A tool as its procedure describes it. */
export interface DescribedTool extends Omit<ModelTool, "annotations" | "run"> {
  /** Its key in the typed client. */
  readonly key: string;
  /** Whether it makes a file. */
  readonly makesFile: boolean;
  /** Whether the tool uses the name of its input file. */
  readonly readsName: boolean;
  /** Parameters that are whole texts. */
  readonly texts: readonly string[];
}

/** The description that REST, RPC, document and catalogue are made from too. */
export function describeTools(): DescribedTool[] {
  return Object.entries(toolProcedures).flatMap(([key, procedure]) => {
    // Every tool's procedure has this meta; tRPC does not keep its type.
    const { tool, openapi, http } = procedure._def.meta as Meta;
    if (!tool || !http) return [];
    const { schema: input } = inputOf(procedure);
    const output = jsonSchemaOf(outputOf(procedure), "output");
    return [
      {
        key,
        name: tool.name,
        title: tool.title,
        description: `${openapi?.summary ?? tool.title}. ${openapi?.description ?? ""}`,
        makesFile: http.result === "file",
        readsName: http.body === "stream",
        texts: http.largeTexts ?? [],
        // JSON schemas written by zod.
        input: input as JsonSchema,
        output: output as JsonSchema,
      },
    ];
  });
}
