import { encodeBase64 } from "../../../wire/base64.ts";
import { isFreeOf, type Shape } from "./shape.ts";

/** Whether JSON writes every value of this shape as it is meant. */
export function isWrittenAsIs(shape: Shape): boolean {
  return isFreeOf(OTHER, shape);
}

// A date writes itself as ISO 8601; of anything nobody knows.
const OTHER: ReadonlySet<Shape["kind"]> = new Set(["any", "bigint", "set", "map", "file"]);

/**
 * A result as JSON, by JSON's habit for what it has no type for: big integers as digits, sets as lists, maps as objects,
 * or as lists of pairs where a key is no text, bytes as base64, which `encode` writes or gives a mark for.
 */
export function jsonOf(result: unknown, encode = encodeBase64): string {
  const writeOther = (_: string, value: unknown): unknown => {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Set) return [...value];
    if (value instanceof Map) return writeMap(value);
    return value instanceof Uint8Array ? encode(value) : value;
  };
  return JSON.stringify(result ?? null, writeOther) ?? "null";
}

function writeMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const pairs = [...map];
  return pairs.every(([key]) => typeof key === "string") ? Object.fromEntries(map) : pairs;
}
