import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import { appRouter } from "../../router/app.ts";
import { ERROR_FIELDS } from "../../router/errors/error-fields.ts";

/** What JSON Schema says of a value, as far as it is written beside its type. */
interface ValueDescription {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ValueDescription>>;
  readonly items?: ValueDescription;
  readonly anyOf?: readonly ValueDescription[];
  readonly oneOf?: readonly ValueDescription[];
}

// Declarations as the compiler writes them: a property on each line, and names of what is around it where a line ends
// with a brace.
const PROPERTY = /^( +)(?:readonly )?(\w+)\??: /;

/** The declaration of the router, with what its schemas and summaries say above each procedure and property. */
export function describeRouter(declaration: string): string {
  return describeLines(declaration, describePath);
}

/** Describes the fields of errors. */
export function describeErrorFields(declaration: string): string {
  const fields: Readonly<Record<string, object>> = ERROR_FIELDS;
  return describeLines(declaration, ([name = "", ...inner]) => (inner.length > 0 ? undefined : fields[name]));
}

function describeLines(
  declaration: string,
  find: (path: readonly string[]) => ValueDescription | undefined,
): string {
  const around: string[] = [];
  const lines = declaration.split("\n").flatMap((line) => {
    const [, indent = "", name = ""] = PROPERTY.exec(line) ?? [];
    const isEnd = /^ *\}/.test(line);
    const ended = isEnd ? around.pop() : undefined;
    const comment = name === "" ? undefined : commentOf(find([...around.slice(1), name]));
    if (line.endsWith("{")) around.push(ended ?? name);
    return comment === undefined ? [line] : [indent + comment, line];
  });
  return lines.join("\n");
}

export function commentOf(described: ValueDescription | undefined): string | undefined {
  if (!described?.description) return undefined;
  const usual = described.default === undefined ? "" : ` @default ${JSON.stringify(described.default)}`;
  return `/** ${described.description}${usual} */`.replace(/\*\/(?!$)/g, "*\\/");
}

/** What is known of a place in the router, such as tools, pdfRotate, input, angle. */
function describePath(path: readonly string[]): ValueDescription | undefined {
  // The type of the record is that of the nested one.
  const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, AnyTRPCProcedure>>;
  for (let end = 1; end <= path.length; end++) {
    const procedure = procedures[path.slice(0, end).join(".")];
    if (!procedure) continue;
    const [side, ...inner] = path.slice(end);
    if (side === undefined) return describeProcedure(procedure);
    return inner.length === 0 ? undefined : propertyOf(schemaOf(procedure, side), inner);
  }
  return undefined;
}

function describeProcedure({ _def }: AnyTRPCProcedure): ValueDescription {
  const { openapi } = (_def.meta ?? {}) as { openapi?: { summary?: string; description?: string } };
  const sentences = [openapi?.summary, openapi?.description].filter((text) => text !== undefined);
  return { description: sentences.map((text) => text.replace(/[^.]$/, "$&.")).join(" ") };
}

function schemaOf({ _def }: AnyTRPCProcedure, side: string): ValueDescription | undefined {
  // tRPC types neither of the two.
  const { inputs, output } = _def as unknown as { inputs?: readonly unknown[]; output?: unknown };
  const schema = side === "input" ? inputs?.[0] : side === "output" ? output : undefined;
  if (!(schema instanceof z.ZodType)) return undefined;
  const io = side === "input" ? "input" : "output";
  // JSON Schema, of which these are keywords.
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as ValueDescription;
}

function propertyOf(
  schema: ValueDescription | undefined,
  path: readonly string[],
): ValueDescription | undefined {
  const [name, ...inner] = path;
  if (!schema || name === undefined) return schema;
  const found = schema.properties?.[name];
  if (found) return propertyOf(found, inner);
  const others = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  for (const other of others) {
    const there = propertyOf(other, path);
    if (there) return there;
  }
  return undefined;
}
