import { CallError } from "../call-error.ts";

/**
 * Refuses what JSON.parse has made of numbers such as 1e999: Infinity, which no JSON can carry back, nor from a worker.
 * @throws CallError invalid_parameter with the parameter's name
 */
export function checkFinite(tree: unknown, place = "body"): void {
  const path = findInfinite(tree);
  if (path) throw infiniteNumber(nameOf(path), place);
}

/** The keys that lead to a number that is not finite, if there is one. */
export function findInfinite(tree: unknown): readonly string[] | undefined {
  if (typeof tree === "number") return Number.isFinite(tree) ? undefined : [];
  if (!isTable(tree)) return undefined;
  for (const [name, value] of Object.entries(tree)) {
    const inner = findInfinite(value);
    if (inner) return [name, ...inner];
  }
  return undefined;
}

/** What its caller is told of a number past all numbers. */
export function infiniteNumber(parameter: string, place = "body"): CallError {
  const name = parameter.slice(0, 64);
  const error = name === "" ? "The body has a number" : `Parameter "${name}" is a number`;
  return new CallError("invalid_parameter", `${error} beyond 1.8e308, the largest there is`, {
    ...(name === "" ? {} : { parameter: name }),
    in: place,
  });
}

/** A parameter as errors name it, such as `files[0].range`. Calls of a batch are keys too, and no part of it. */
export function nameOf([first = "", ...rest]: readonly string[]): string {
  const [top, inner] =
    /^\d+$/.test(first) && rest.length > 0 ? [rest[0] ?? "", rest.slice(1)] : [first, rest];
  return top + inner.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join("");
}

// What came as bytes or as a stream holds no numbers.
function isTable(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
