import { CliError, EXIT, usageError } from "../exit.ts";
import { referenceTo } from "./references.ts";

/** The parts of JSON Schema that the tools use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly additionalProperties?: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** What replaces a parameter of the API for a model: bytes become a path, a secret becomes a reference. */
type Kind = "file" | "text" | "reference" | "list" | "own" | "same";

export function kindOf(name: string, schema: JsonSchema, texts: readonly string[]): Kind {
  if (schema.format === "binary") return "file";
  if (texts.includes(name)) return "text";
  if (schema.format === "password") return "reference";
  if (schema.items?.properties) return "list";
  // The path contains the name.
  return name === "filename" || name === "name" ? "own" : "same";
}

const KINDS: Readonly<
  Record<Kind, (schema: JsonSchema, texts: readonly string[]) => JsonSchema | undefined>
> = {
  file: ({ description }) => pathSchema(description),
  text: ({ description }) => pathSchema(description),
  reference: ({ description = "" }) => referenceTo(description),
  list: ({ items = {}, ...list }, texts) => ({ ...list, items: toModelSchema(items, texts) }),
  own: () => undefined,
  same: (schema) => schema,
};

function pathSchema(about = ""): JsonSchema {
  return { type: "string", description: `Path of a file below the allowed folders. ${about}` };
}

/** Turns an object schema of the API into the one that a model sees. */
export function toModelSchema(schema: JsonSchema, texts: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const shown = KINDS[kindOf(name, each, texts)](each, texts);
    return shown ? [[name, shown] as const] : [];
  });
  return inputSchema(Object.fromEntries(properties), schema.required);
}

/** The schema of what a tool takes: these parameters and no others. */
export function inputSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/**
 * Checks that all required parameters are there and no unknown ones. Null counts as absent: models write it for what
 * they leave out, and no parameter has it as a value.
 * @throws CliError usage
 */
export function checkValues(
  values: unknown,
  { properties = {}, required = [] }: JsonSchema,
  subject = "The arguments",
): Values {
  const names = Object.keys(properties);
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw usageError(`${subject} must be an object with ${names.join(", ")}.`);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const called = JSON.stringify(unknown.slice(0, 64));
    throw usageError(`Parameter ${called} is not known; the parameters are ${names.join(", ")}.`);
  }
  const given: Values = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  for (const [name, value] of Object.entries(given)) checkExtent(name, value, properties[name] ?? {});
  const missing = required.find((name) => given[name] === undefined);
  if (missing === undefined) return given;
  throw usageError(`Parameter "${missing}" is missing. ${properties[missing]?.description ?? ""}`.trim());
}

/** No list that a model writes is longer; checked before the files in it are read. */
const MOST_ITEMS = 1_000;
/** For texts whose schema has no maximum. */
const MOST_LETTERS = 32_768;

/**
 * Refuses values that are deeper than their schema, or longer than any text or list may be. The procedure checks the
 * rest, but the values are written as JSON first, which fails for those.
 * @throws CliError usage, limit
 */
function checkExtent(name: string, value: unknown, schema: JsonSchema): void {
  const subject = `Parameter ${JSON.stringify(name)}`;
  if (typeof value === "string") checkText(subject, value, schema);
  if (typeof value !== "object") return;
  if (schema.type !== "array" || !Array.isArray(value))
    throw usageError(`${subject} must be ${describeValue(schema)}.`);
  if (value.length > MOST_ITEMS)
    throw new CliError(
      EXIT.limit,
      `${subject} has ${value.length.toLocaleString("en-US")} items; at most 1,000 are taken here.`,
    );
  const isDeep = !schema.items?.properties && value.some((item) => typeof item === "object");
  if (isDeep) throw usageError(`${subject} must be ${describeValue(schema)}.`);
}

function checkText(subject: string, text: string, { maxLength = MOST_LETTERS }: JsonSchema): void {
  if (text.length > maxLength)
    throw new CliError(EXIT.limit, `${subject} has at most ${maxLength.toLocaleString("en-US")} characters.`);
  if (!text.isWellFormed())
    throw usageError(`${subject} holds half of a surrogate pair, which is not a character.`);
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
};

function describeValue({ type, enum: values, const: only, items = {} }: JsonSchema): string {
  if (type === "array") return items.enum ? `a list of ${items.enum.join(", ")}` : "a list";
  if (values) return `one of ${values.join(", ")}`;
  return only === undefined ? (TYPES[String(type)] ?? "a plain value") : String(only);
}

/** False where it is absent. @throws CliError usage */
export function checkFlag(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw usageError(`Parameter "${name}" must be true or false.`);
}

/** @throws CliError usage */
export function checkString(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw usageError(`Parameter "${name}" must be text.`);
}
