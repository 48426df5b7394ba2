import {
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  type AnyTRPCRouter,
  type TRPCProcedureType,
} from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { CallError } from "../../wire/call-error.ts";
import type { FailedCall, FormattedError } from "./adapter.ts";
import { jsonOf } from "./rest/json.ts";

/**
 * The default format of errors: a TRPCError that a procedure throws keeps its message, and unexpected errors reveal
 * nothing.
 */
export function formatUsually(thrown: unknown, failed: FailedCall): FormattedError {
  const error = thrown instanceof TRPCError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof CallError) return error;
  // Within an output or a procedure the same error is a fault of the server.
  const issues = thrown instanceof TRPCError && thrown.code === "BAD_REQUEST" ? issuesOf(error) : [];
  if (issues.length > 0) return formatInput(issues, failed);
  if (!(thrown instanceof TRPCError) || thrown.code === "INTERNAL_SERVER_ERROR") return INTERNAL;
  const { code, message } = thrown;
  return { status: getHTTPStatusCodeFromError(thrown), code: code.toLowerCase(), message, details: {} };
}

/**
 * The same error over REST, with what the router's own `errorFormatter` adds to `data`, as over RPC. For unexpected
 * errors it sees neither message nor stack.
 */
export function addOwnData(
  usual: FormattedError,
  thrown: unknown,
  { router, type, call }: { router: AnyTRPCRouter; type: TRPCProcedureType | "unknown"; call: FailedCall },
): FormattedError {
  const { code, message, cause } = getTRPCErrorFromUnknown(thrown);
  // The adapter's own error, which no formatter knows.
  if (cause instanceof CallError) return usual;
  const hidden = new TRPCError({ code, message: usual.status === 500 ? usual.message : message, cause });
  const error = Object.assign(hidden, { stack: undefined });
  const { path, input, ctx = {} } = call;
  const shape: unknown = getTRPCErrorShape({ config: router._def._config, error, type, path, input, ctx });
  const all = Object.entries(Object(Reflect.get(Object(shape), "data")));
  const own = { data: Object.fromEntries(all.filter(([name]) => !OF_TRPC.includes(name))) };
  // As JSON writes it, without undefined properties.
  const added = JSON.parse(jsonOf(own)) as typeof own;
  if (Object.keys(added.data).length === 0) return usual;
  const details = { ...usual.details, ...added };
  return { status: usual.status, code: usual.code, message: usual.message, details };
}

const OF_TRPC: readonly string[] = ["code", "httpStatus", "path", "stack"];

/** All that a caller learns about an unexpected error. */
const INTERNAL: FormattedError = new CallError("internal", "Something went wrong on the server");

/** One fault of an input, in the form of Standard Schema; validators write its path in several ways. */
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

// zod 4 quotes nothing of what was sent in its messages, except names of keys.
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
  return path.reduce((value: unknown, key): unknown => {
    if (value instanceof Map) return value.get(key);
    // What a schema made of it, for example of a JSON text, is unknown here.
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : value;
  }, input);
}
