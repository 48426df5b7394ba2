import { CallError } from "../../../wire/call-error.ts";
import type { Adapter } from "../adapter.ts";
import type { HttpMeta } from "../meta.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { Utf8Text } from "../../../wire/given-text.ts";
import {
  describeBound,
  infiniteNumber,
  inspectJson,
  MAX_JSON_DEPTH,
  parseJson,
  type Fault,
  type JsonBounds,
} from "../../../wire/json/json-bounds.ts";
import { repeatedParameter } from "../schema/reading.ts";
import { decodeText } from "../body/request-body.ts";
import type { Shape } from "../schema/shape.ts";
import { isBeyondJson, isFreeOf } from "../schema/shape-parts.ts";

/** From this size on, JSON is parsed in a worker: 50 MB take half a second, in which nobody would be answered. */
export const LARGE_JSON_BYTES = 512 * 1024;

/** Parses a JSON body. @throws CallError as inspectJson says; it quotes nothing of the body */
export function parseJsonBody(given: Bytes, limits: JsonLimits): unknown {
  const most = boundsOf(limits);
  const parsed = parseJson(given, most);
  if ("fault" in parsed) throw unreadableJson(parsed, most.values);
  return parsed.value;
}

/**
 * Refuses JSON that would become too many objects, or lose values; returns whether a number may be infinite.
 * @throws CallError invalid_json, repeated_parameter
 */
export function checkJson(json: Uint8Array, limits: JsonLimits, place?: string): boolean {
  const most = boundsOf(limits);
  const { fault, mayOverflow } = inspectJson(json, most);
  if (fault) throw unreadableJson(fault, most.values, place);
  return mayOverflow;
}

function boundsOf({ maxJsonValues: values = Infinity }: JsonLimits): JsonBounds {
  return { depth: MAX_JSON_DEPTH, values };
}

type JsonLimits = Pick<Adapter, "maxJsonValues">;

/** The body is not the JSON that it should be; the message quotes nothing of it. */
export function invalidJson(error: string, place = "body"): CallError {
  return new CallError("invalid_json", error, { in: place });
}

/** A body that could not be parsed, here or by a worker. */
export function unreadableJson(found: Fault, values?: number, place = "body"): CallError {
  switch (found.fault) {
    case "invalid_parameter":
      return infiniteNumber(found.parameter, place);
    case "repeated_parameter":
      return repeatedParameter(found.parameter, place);
    case "invalid_text":
      return new CallError("invalid_text", "The body is not UTF-8", { in: place });
    case "invalid_json":
      return invalidJson(
        found.bound ? describeBound(found.bound, values) : `The ${place} is not valid JSON`,
        place,
      );
  }
}

/** A long text that a worker took out of a body. @throws CallError invalid_text */
export function restoreText(
  text: Bytes,
  { name, http }: { name: string; http?: HttpMeta | undefined },
): string | Utf8Text {
  return http?.largeTexts?.includes(name) ? new Utf8Text(text) : decodeText(text, "body");
}

/** @throws CallError invalid_json */
export function asObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw invalidJson("The body must be a JSON object with the parameters as its keys");
}

/** Whether JSON writes every value of this shape as intended. */
export function isWrittenAsIs(shape: Shape): boolean {
  return isFreeOf(isOther, shape);
}

// Dates become ISO 8601 by themselves; for anything else it is unknown.
function isOther(shape: Shape): boolean {
  const { kind } = shape;
  if (kind === "any" || kind === "file" || shape.isChanged) return true;
  return kind !== "date" && isBeyondJson(shape);
}

/** Whether a part of a result comes later, which JSON would write as an empty object. */
export function isPromise(value: unknown): boolean {
  return typeof Reflect.get(Object(value), "then") === "function";
}

/** Handles the rejections of promises in a result that nobody waits for: an unhandled one would end the program. */
export function ignoreRejections(result: unknown): void {
  if (Array.isArray(result)) return;
  for (const value of Object.values(Object(result)))
    if (value instanceof Promise) value.catch(() => undefined);
}
