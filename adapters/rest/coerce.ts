import type { Parameter } from "../../router/parameters.ts";

/**
 * Turns a string from a query or form into the type that the schema wants. What does not fit stays a string,
 * so that the schema refuses it in its own words.
 */
export function coerce(text: string, facts: Parameter): unknown {
  const { type, enum: allowed, default: fallback, required, nullable } = facts;
  if (nullable && text === "null") return null;
  switch (type) {
    case "integer":
    case "number":
      return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : text === "" && !required ? undefined : text;
    case "boolean":
      return text === "" ? true : (BOOLEANS.get(text) ?? text);
    case "array":
      return text === "" && !required ? undefined : text.split(",").map((part) => part.trim());
    default:
      // An empty separator is a wish; an empty password is a field that nobody filled in.
      return text === "" && !required && (allowed || fallback === undefined) ? undefined : text;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);
