import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { CallError } from "../../wire/call-error.ts";
import type { FailedCall, FormattedError } from "./adapter.ts";

/**
 * A failure as it is answered where nobody formats it in another way: what a procedure throws as a TRPCError with its
 * message, what nobody expected without a word of it.
 */
export function formatUsually(thrown: unknown, failed: FailedCall): FormattedError {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof CallError) return error;
  // Of an output, or inside of a procedure, the same is a fault of the server.
  const issues = thrown instanceof TRPCError && thrown.code === "BAD_REQUEST" ? issuesOf(error) : [];
  if (issues.length > 0) return formatInput(issues, failed);
  if (!(thrown instanceof TRPCError) || thrown.code === "INTERNAL_SERVER_ERROR") return INTERNAL;
  const { code, message } = thrown;
  return { status: getHTTPStatusCodeFromError(thrown), code: code.toLowerCase(), message, details: {} };
}

/** All that a caller learns of a failure that nobody expected. */
const INTERNAL: FormattedError = new CallError("internal", "Something went wrong on the server");

/** One fault of an input, as Standard Schema has it; the validators name their places in several ways. */
interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

function issuesOf(error: unknown): Issue[] {
  const issues: unknown = Reflect.get(Object(error), "issues");
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown) => {
    const { message, path = [] }: { message?: unknown; path?: unknown } = Object(issue);
    return typeof message === "string" && Array.isArray(path) ? [{ message, path: path.map(keyOf) }] : [];
  });
}

function keyOf(part: unknown): PropertyKey {
  const key: unknown = typeof part === "object" && part !== null ? Reflect.get(part, "key") : part;
  return typeof key === "number" || typeof key === "symbol" ? key : String(key);
}

// zod 4 quotes nothing of what was sent in its messages but the names of keys.
function formatInput(issues: readonly Issue[], { input, locate }: FailedCall): FormattedError {
  const all = issues.map(({ path, message }) => {
    const parameter = path.map(String).join(".");
    const isMissing = path.length > 0 && valueAt(input, path) === undefined;
    const error = isMissing ? `Parameter "${parameter}" is missing` : `Parameter "${parameter}": ${message}`;
    return { parameter, isMissing, error: path.length > 0 ? error : message };
  });
  const [{ parameter, isMissing, error } = { parameter: "", isMissing: false, error: "Invalid input" }] = all;
  const [name = ""] = parameter.split(".");
  const place = name && locate ? { in: locate(name) } : {};
  const details = {
    ...(name && { parameter }),
    ...place,
    ...(all.length > 1 && {
      issues: all.map((issue) => ({ parameter: issue.parameter, error: issue.error })),
    }),
  };
  return new CallError(isMissing ? "missing_parameter" : "invalid_parameter", error, details);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  const inner = (value: unknown, key: PropertyKey): unknown =>
    value instanceof Map ? value.get(key) : Reflect.get(Object(value), key);
  return path.reduce(inner, input);
}
