import { setTimeout } from "node:timers/promises";
import { type Bytes, utf8 } from "../../wire/bytes.ts";
import { writeOutput } from "../files/output.ts";
import { answerSchema, type ToolAnswer } from "./answers.ts";
import type { LocalService } from "./local-service.ts";
import { checkFlag, toModelSchema, type JsonSchema, type Values } from "./model-schema.ts";
import {
  describeTools,
  type DescribedTool,
  findOutput,
  OUTPUT,
  WRITTEN,
  type ModelTool,
  type ToolContext,
} from "./tool.ts";
import { readValues } from "./read-values.ts";

/** The file tools, run on this machine. */
export function localTools(context: ToolContext, service: () => Promise<LocalService>): ModelTool[] {
  const semaphore = createSemaphore(MOST_AT_ONCE);
  return describeTools().map((tool) => {
    const input = inputOf(tool);
    const isWriting = "output" in (input.properties ?? {});
    return {
      name: tool.name,
      title: tool.title,
      description: `${tool.description} ${aboutResult(tool)}`,
      input,
      output: outputOf(tool, input),
      annotations: { readOnlyHint: !isWriting, openWorldHint: false },
      run: (values, signal) => semaphore(() => runTool(context, { tool, service, values, signal })),
    };
  });
}

/** Two run in the service while the files of two more are read; no other files are in memory. */
const MOST_AT_ONCE = 4;

/** Lets at most `most` run at a time; the others begin in the order in which they came. */
function createSemaphore(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** This tool only computes checksums. */
const WITHOUT_OUTPUT = "file-hash";

function inputOf(tool: DescribedTool): JsonSchema {
  const { properties = {}, required = [], ...input } = toModelSchema(tool.input, tool.texts);
  if (tool.name === WITHOUT_OUTPUT) return { ...input, properties, required };
  const needsOutput = tool.texts.length === 0;
  return {
    ...input,
    properties: { ...properties, ...OUTPUT },
    required: needsOutput ? [...required, "output"] : required,
  };
}

/**
 * Content that goes to a file, text that others wrote, and what the path already says: none of these are facts of an
 * answer.
 */
const NO_FACTS = ["data", "rows", "spans", "patch", "passwords", "filename", "entries", "tool", "name"];

const WARNINGS: JsonSchema = {
  type: "array",
  items: { type: "object", properties: { code: { type: "string" }, message: { type: "string" } } },
  description: "What was lost or ignored",
};

/** The API's schema without the details of warnings, because a model reads it with every tool. */
function outputOf(
  { output }: DescribedTool,
  { properties: parameters = {}, required: given = [] }: JsonSchema,
) {
  const { properties = {}, required = [] } = output;
  const isFact = (name: string) => !NO_FACTS.includes(name);
  const facts = Object.entries(properties).filter(([name]) => isFact(name));
  const written = "output" in parameters ? WRITTEN : {};
  const needed = given.includes("output") ? ["written", "size"] : [];
  const all = {
    ...written,
    ...Object.fromEntries(facts),
    ...(properties["warnings"] && { warnings: WARNINGS }),
  };
  return answerSchema(all, [...new Set([...needed, ...required.filter(isFact)])]);
}

function aboutResult({ name, makesFile, texts }: DescribedTool): string {
  if (name === WITHOUT_OUTPUT) return "";
  if (makesFile) return "The result is written to `output`.";
  if (texts.length > 0)
    return "The answer counts what differs; with `output` the difference is written there, as a patch with format unified, else as JSON.";
  return "The passwords are written to `output`, one in a line. The answer does not contain them, because it becomes part of the conversation.";
}

async function runTool(
  { io, folders }: ToolContext,
  of: { tool: DescribedTool; service: () => Promise<LocalService>; values: Values; signal: AbortSignal },
): Promise<ToolAnswer> {
  const { tool, service, values, signal } = of;
  signal.throwIfAborted();
  const { output, overwrite, ...rest } = values;
  const force = checkFlag("overwrite", overwrite);
  const path = output === undefined ? undefined : (await findOutput(folders, values)).path;
  const input = await readValues(io, folders, { tool, values: rest });
  const { client } = await service();
  signal.throwIfAborted();
  // Which tool and input these are is known only at run time; the procedure checks both.
  const call = client.tools[tool.key as keyof typeof client.tools] as unknown as {
    mutate: (input: Values, options: { signal: AbortSignal }) => Promise<Values>;
  };
  const made = await whenFree(() => call.mutate(input, { signal }), signal);
  const { content, answer } = takeContent(made);
  signal.throwIfAborted();
  if (path === undefined) return answer;
  await writeOutput(io, { path, bytes: content, force, isPrivate: true });
  return { ...answer, facts: { written: path, size: content.length, ...answer.facts } };
}

/** Repeats a call that the service refused because it has no room, which an agent would have to do. */
async function whenFree<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { failureOf } = await import("../../client/client.ts");
      const failure = failureOf(error);
      if (failure?.code !== "overloaded") throw error;
      await setTimeout((failure.retryAfter ?? 1) * 1000, undefined, { signal });
    }
  }
}

/** Separates the content for a file, the answer, and texts of others. */
function takeContent(made: Values): { content: Bytes; answer: ToolAnswer } {
  const { data, rows, spans, patch, passwords, filename, entries, ...about } = made;
  // Only the path decides the name of the result.
  const { tool: _tool, name: _name, ...facts } = about;
  const named = { ...(filename !== undefined && { filename }), ...(entries !== undefined && { entries }) };
  return { content: toBytes({ data, rows, spans, patch, passwords }), answer: { facts, untrusted: named } };
}

function toBytes({ data, rows, spans, patch, passwords }: Values): Bytes {
  // The typed client returns bytes in memory of their own.
  if (data instanceof Uint8Array) return data as Bytes;
  if (Array.isArray(passwords)) return utf8(passwords.map((password) => `${password}\n`).join(""));
  if (typeof patch === "string") return utf8(patch);
  return utf8(`${JSON.stringify(rows ?? spans ?? null, null, 2)}\n`);
}
