import { CliError, EXIT } from "../exit.ts";
import { REFERENCE } from "./references.ts";

/** As far as the schemas of the tools go. */
export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly additionalProperties?: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

/** What becomes of a parameter of the API where a model calls: bytes become a path, a secret what names it. */
export type Kind = "file" | "text" | "reference" | "list" | "own" | "same";

export function kindOf(name: string, schema: JsonSchema, texts: readonly string[]): Kind {
  if (schema.format === "binary") return "file";
  if (texts.includes(name)) return "text";
  if (schema.format === "password") return "reference";
  if (schema.items?.properties) return "list";
  // The path says it.
  return name === "filename" || name === "name" ? "own" : "same";
}

const KINDS: Readonly<
  Record<Kind, (schema: JsonSchema, texts: readonly string[]) => JsonSchema | undefined>
> = {
  file: ({ description }) => pathSchema(description),
  text: ({ description }) => pathSchema(description),
  reference: ({ description = "" }) => ({
    type: "string",
    pattern: REFERENCE.pattern,
    description: REFERENCE.description + description,
  }),
  list: ({ items = {}, ...list }, texts) => ({ ...list, items: toModelSchema(items, texts) }),
  own: () => undefined,
  same: (schema) => schema,
};

function pathSchema(about = ""): JsonSchema {
  return { type: "string", description: `Path of a file below the allowed folders. ${about}` };
}

/** The schema of an object of the API as a model sees it. */
export function toModelSchema(schema: JsonSchema, texts: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
    const shown = KINDS[kindOf(name, each, texts)](each, texts);
    return shown ? [[name, shown] as const] : [];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: schema.required ?? [],
    additionalProperties: false,
  };
}

/**
 * An object with all that is required and nothing unknown. Models write null for what they leave out, and no parameter
 * has it as a value. @throws CliError usage
 */
export function checkValues(values: unknown, { properties = {}, required = [] }: JsonSchema): Values {
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw new CliError(EXIT.usage, `It must be an object with ${Object.keys(properties).join(", ")}.`);
  const names = Object.keys(properties);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const called = JSON.stringify(unknown.slice(0, 64));
    throw new CliError(
      EXIT.usage,
      `Parameter ${called} is not known; the parameters are ${names.join(", ")}.`,
    );
  }
  const given: Values = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  const missing = required.find((name) => given[name] === undefined);
  if (missing === undefined) return given;
  throw new CliError(
    EXIT.usage,
    `Parameter "${missing}" is missing. ${properties[missing]?.description ?? ""}`.trim(),
  );
}

/** False where it is absent. @throws CliError usage */
export function checkFlag(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw new CliError(EXIT.usage, `Parameter "${name}" must be true or false.`);
}

/** @throws CliError usage */
export function checkString(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new CliError(EXIT.usage, `Parameter "${name}" must be text.`);
}
