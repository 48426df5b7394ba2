import {
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  type AnyTRPCRouter,
  type TRPCProcedureType,
} from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import type { TRPCErrorShape } from "@trpc/server/rpc";
import { CallError } from "../../wire/call-error.ts";
import type { Adapter, FailedCall, FormattedError } from "./adapter.ts";
import { jsonOf } from "./answer/json-text.ts";

/**
 * The default format of errors: a TRPCError that a procedure throws keeps its message, and unexpected errors reveal
 * nothing.
 */
export function formatUsually(thrown: unknown, failed: FailedCall): FormattedError {
  const error = causeOf(thrown);
  if (error instanceof CallError) return error;
  // Within an output or a procedure the same error is a fault of the server.
  const issues = isTrpcError(thrown) && thrown.code === "BAD_REQUEST" ? issuesOf(error) : [];
  if (issues.length > 0) return formatInput(issues, failed);
  if (!isTrpcError(thrown) || thrown.code === "INTERNAL_SERVER_ERROR") return INTERNAL;
  const { code, message } = thrown;
  return { status: getHTTPStatusCodeFromError(thrown), code: code.toLowerCase(), message, details: {} };
}

/** Whether an error is one of tRPC's, which may be those of another copy: a program has CommonJS beside its modules. */
function isTrpcError(thrown: unknown): thrown is TRPCError {
  return thrown instanceof TRPCError || (thrown instanceof Error && thrown.name === "TRPCError");
}

/** What was thrown first: tRPC wraps what a procedure throws. */
export function causeOf(thrown: unknown): unknown {
  return isTrpcError(thrown) ? (thrown.cause ?? thrown) : thrown;
}

/**
 * An error as formatters may see it: without its stack and, where it was unexpected, without its message and the issues of
 * a result, which many formatters would write like those of an input. The error itself stays, since a program may throw
 * it again.
 */
function hiddenError(error: TRPCError, { status, message }: FormattedError): TRPCError {
  const none = { value: undefined };
  const unexpected = {
    message: { value: message },
    ...(issuesOf(error.cause).length > 0 && { cause: none }),
  };
  return Object.create(error, { stack: none, ...(status === 500 && unexpected) }) as TRPCError;
}

/**
 * The router with an error formatter in front of its own, which would write the message of unexpected errors, and
 * stacks during development. tRPC 11.25 makes a new error where a promise inside a streamed result fails
 * (http/resolveResponse.ts), so `onError` could not change what is written.
 */
export function withHiddenErrors({ router, formatError }: Adapter): AnyTRPCRouter {
  const { _config: config } = router._def;
  const errorFormatter = (options: Parameters<AnyTRPCRouter["_def"]["_config"]["errorFormatter"]>[0]) => {
    const { path, input, shape } = options;
    const error = hiddenError(options.error, formatError(options.error, { path, input }));
    const { stack: _, ...data } = shape.data;
    return config.errorFormatter({ ...options, error, shape: { ...shape, message: error.message, data } });
  };
  return { ...router, _def: { ...router._def, _config: { ...config, errorFormatter } } };
}

/**
 * Hides the same in what `.errors()` of a procedure has made of an error, which tRPC 11.25 keeps with it
 * (unstable-core-do-not-import/error/getErrorShape.ts) and writes as it is.
 */
export function hideInShape(error: TRPCError, { status, message }: FormattedError): void {
  const kept = keptShapeOf(error);
  if (!kept) return;
  const shape = { ...kept.shape };
  if (status === 500 && shape.message === error.message) shape.message = message;
  if (typeof shape.data === "object") {
    const { stack: _, ...data } = { ...shape.data } as Record<string, unknown>;
    shape.data = data;
  }
  Reflect.set(error, kept.symbol, shape);
}

function keptShapeOf(
  error: TRPCError,
): { symbol: symbol; shape: { message?: unknown; data?: unknown } } | undefined {
  const isShape = ({ description }: symbol) => description === "trpc_formattedErrorShape";
  const symbol = Object.getOwnPropertySymbols(error).find(isShape);
  const shape: unknown = symbol && Reflect.get(error, symbol);
  return symbol && typeof shape === "object" && shape !== null ? { symbol, shape } : undefined;
}

/**
 * The status of a failed call over RPC: what a formatter of the router says, or else the adapter's. `shape` is what is
 * written.
 */
export function rpcStatus(
  error: TRPCError,
  { status }: FormattedError,
  { data }: Pick<TRPCErrorShape, "data">,
): number {
  const own: unknown = Reflect.get(Object(data), "httpStatus");
  return typeof own === "number" && own !== getHTTPStatusCodeFromError(error) ? own : status;
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
  const known = getTRPCErrorFromUnknown(thrown);
  // The adapter's own error, which no formatter knows.
  if (known.cause instanceof CallError) return usual;
  const error = hiddenError(known, usual);
  const { path, input, ctx } = call;
  const config = router._def._config;
  const shape: unknown =
    keptShapeOf(known)?.shape ?? getTRPCErrorShape({ config, error, type, path, input, ctx });
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
export const INTERNAL: FormattedError = new CallError("internal", "Something went wrong on the server");

/** One fault of an input, in the form of Standard Schema; validators write its path in several ways. */
interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

function issuesOf(error: unknown): Issue[] {
  // ArkType throws them under a name of its own.
  const issues: unknown = Reflect.get(Object(error), "issues") ?? Reflect.get(Object(error), "arkErrors");
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

/** Nobody reads more, and each item of a list can have one. */
export const MAX_ISSUES = 20;

// zod 4 quotes nothing of what was sent in its messages, except names of keys.
function formatInput(issues: readonly Issue[], { input, locate }: FailedCall): FormattedError {
  const all = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
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
