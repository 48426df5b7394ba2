import { z } from "zod";
import type { ErrorDetails } from "../../router/errors/error-fields.ts";
import { ERRORS } from "../../router/errors/error-codes.ts";
import { ApiError } from "../../router/errors/errors.ts";
import { type Parameter, type ProcedureInput, inputOf } from "../trpc/schema/input.ts";
import { TRPCError } from "@trpc/server";
import type { Limits } from "../../router/limits.ts";
import type { Context } from "../../router/context.ts";
import { toApiError } from "../../router/errors/to-api-error.ts";
import type { FailedCall } from "../trpc/adapter.ts";
import { MAX_ISSUES } from "../trpc/format-error.ts";
import { quoteStart } from "../../wire/escaped-name.ts";
import { procedures } from "./endpoints.ts";
import { withCallerLifetimes } from "./catalogue.ts";

/**
 * Returns a function that turns whatever a procedure call threw into the ApiError that callers get. Input errors are
 * explained with the input's schema and these limits.
 */
export function explainErrors(limits: Limits) {
  return (error: unknown, { path = "", input, locate, ctx }: FailedCall): ApiError => {
    // An output that its schema refuses, and parse errors within a procedure, are faults of the server.
    const cause = error instanceof TRPCError && error.code === "BAD_REQUEST" ? error.cause : undefined;
    const procedure = procedures[path];
    if (!procedure) return toApiError(error);
    if (!(cause instanceof z.ZodError)) return withPlace(toApiError(error), locate);
    const of = inputOf(procedure);
    const caller = (ctx as Pick<Context, "caller"> | undefined)?.caller;
    const { lifetimes } = limits[caller?.tier ?? "anonymous"];
    const parameters = of.parameters.map((parameter) => withCallerLifetimes(parameter, lifetimes));
    return explainInput(cause, { of: { ...of, parameters }, input, locate });
  };
}

/** Says where a parameter was that the procedure has refused. */
function withPlace(error: ApiError, locate: FailedCall["locate"]): ApiError {
  const { code, message, details } = error;
  const { parameter, in: place } = details;
  if (!locate || parameter === undefined || place !== undefined) return error;
  const fields: readonly string[] = ERRORS[code].fields;
  if (!fields.includes("in")) return error;
  const [top = ""] = parameter.split(/[[.]/);
  return new ApiError(code, message, { ...details, in: locate(top) });
}

/** Characters of a path with its query. */
export const MAX_URI_LENGTH = 8192;

const DRAIN_RETRY_SECONDS = 5;

export function uriTooLong(): ApiError {
  const error = `The path and query exceed ${MAX_URI_LENGTH} bytes; send long values in the body`;
  return new ApiError("uri_too_long", error, { limit: "uri", value: MAX_URI_LENGTH, unit: "bytes" });
}

export function draining(): ApiError {
  return new ApiError("draining", "The server is shutting down; send the request again", {
    retryAfter: DRAIN_RETRY_SECONDS,
  });
}

export function notFound(): ApiError {
  return new ApiError("not_found", "There is nothing at this path");
}

// No answer repeats a file name; a line of sha256sum contains one too.
const FILE_NAME_PARAMETERS: ReadonlySet<string> = new Set(["filename", "name", "nameA", "nameB", "expected"]);

interface InvalidInput {
  readonly of: ProcedureInput;
  /** What was sent, to tell missing values from wrong ones; some values are quoted. */
  readonly input: unknown;
  /** Where REST found a parameter: body, query, path or header. */
  readonly locate?: ((name: string) => string) | undefined;
}

/** Explains zod's error: which parameter, what is allowed, and what was received. */
function explainInput(error: z.ZodError, invalid: InvalidInput): ApiError {
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => explainIssue(issue, invalid));
  const [first = { error: "The input is not valid", code: "invalid_parameter" }] = issues;
  const { error: message, code, ...details } = first;
  return new ApiError(code, message, issues.length > 1 ? { ...details, issues } : details);
}

type Issue = z.core.$ZodIssue;

/** One entry in the list of all issues. */
interface IssueBody extends Pick<
  ErrorDetails,
  "parameter" | "in" | "allowed" | "minimum" | "maximum" | "received"
> {
  readonly error: string;
  readonly code: "missing_parameter" | "invalid_parameter";
}

function explainIssue(found: Issue, invalid: InvalidInput): IssueBody {
  if (found.code === "unrecognized_keys") return explainUnknown(found.keys[0] ?? "", invalid);
  if (found.path.length === 0) return explainWhole(invalid);
  const facts = invalid.of.parameters.find(({ name }) => name === String(found.path[0] ?? ""));
  // In a query a list is one text with commas, so an index would mean nothing to its sender.
  const issue = facts?.enum ? { ...found, path: found.path.slice(0, 1) } : found;
  const parameter = nameOf(issue.path);
  const value = valueAt(invalid.input, found.path);
  const place = invalid.locate ? { in: invalid.locate(String(issue.path[0] ?? "")) } : {};
  if (value === undefined) {
    const error = `Parameter "${parameter}" is missing${facts && issue.path.length === 1 ? `; it ${mustBe(facts, issue)}` : ""}`;
    return { error, code: "missing_parameter", parameter, ...place, ...allowedValues(facts, issue) };
  }
  // What is sent in place of a list of files may be one of them.
  const isList = facts?.type === "array" || facts?.type === "object";
  const isOfFiles = facts?.type === "file" || (isList && !facts.enum);
  const isQuotable = facts && !facts.secret && !isOfFiles && !FILE_NAME_PARAMETERS.has(facts.name);
  const received = isQuotable && issue.path.length === 1 ? quotable(value) : undefined;
  const got = received === undefined ? "" : `; received ${JSON.stringify(received)}`;
  return {
    error: `Parameter "${parameter}" ${facts ? mustBe(facts, issue) : "is not valid"}${hint(facts, value)}${got}`,
    code: "invalid_parameter",
    parameter,
    ...place,
    ...allowedValues(facts, issue),
    ...(received === undefined ? {} : { received }),
  };
}

// Only a typed call can lack the object of parameters.
function explainWhole({ of, input }: InvalidInput): IssueBody {
  const names = of.names.join(", ");
  const what = names === "" ? "{}" : `an object with ${names}`;
  return input === undefined
    ? { error: `The input is missing; it must be ${what}`, code: "missing_parameter" }
    : { error: `The input must be ${what}`, code: "invalid_parameter" };
}

function explainUnknown(key: string, { of, locate }: InvalidInput): IssueBody {
  const names = of.names.filter((name) => name !== "id");
  const parameter = quoteStart(key);
  const place = locate ? { in: locate(key) } : {};
  const lifetime = /^(ttl|expiration|expires_?in|lifetime|expiry)$/i.test(key) && names.includes("expires");
  const others = names.length > 0 ? `; the parameters are ${names.join(", ")}` : "";
  const error = lifetime
    ? `Parameter "${parameter}" is not known; the lifetime in seconds is called "expires"`
    : `Parameter "${parameter}" is not known${others}`;
  return { error, code: "invalid_parameter", parameter, ...place, allowed: names };
}

// Inside a list only zod knows which rule failed; at the top level the schema has the whole rule.
function mustBe(facts: Parameter, issue: Issue): string {
  if (issue.path.length > 1 && issue.code === "too_big" && issue.origin === "string")
    return `must be text${bounds(undefined, Number(issue.maximum), " characters")}`;
  if (issue.path.length > 1 && issue.code === "invalid_type" && issue.expected in NOUNS)
    return `must be ${NOUNS[issue.expected]}`;
  if (issue.path.length > 1 && issue.message.startsWith("must be")) return issue.message;
  if (issue.path.length > 1) return `has an item that is not valid: ${lowerFirst(issue.message)}`;
  // A pattern has its own message.
  if (issue.code === "invalid_format") return issue.message;
  const { enum: allowed, minimum, maximum, type, nullable } = facts;
  if (allowed) return `must be ${type === "array" ? "a list of" : "one of"} ${allowed.join(", ")}`;
  if (type === "file") return "must be the bytes of a file";
  if (type === "boolean") return "must be true or false";
  if (type === "array")
    return issue.code === "too_small" ? "is empty; it needs at least one item" : "must be a list";
  const noun = type === "string" ? "text" : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
  return `must be ${noun}${bounds(minimum, maximum, type === "string" ? " characters" : "")}${nullable ? ", or null" : ""}`;
}

const NOUNS: Readonly<Record<string, string>> = {
  string: "text",
  object: "an object",
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  number: "a number",
};

function bounds(minimum: number | undefined, maximum: number | undefined, unit: string): string {
  if (minimum === 1 && maximum === undefined && unit !== "") return " that is not empty";
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}${unit}`;
  if (maximum !== undefined) return ` of at most ${maximum}${unit}`;
  return minimum === undefined ? "" : ` of at least ${minimum}${unit}`;
}

function allowedValues(facts: Parameter | undefined, issue: Issue): Partial<IssueBody> {
  if (!facts) return {};
  if (issue.code === "invalid_value" && issue.path.length > 1)
    return {
      allowed: issue.values.filter((value) => typeof value === "string" || typeof value === "number"),
    };
  if (issue.code === "too_big" && issue.path.length > 1) return { maximum: Number(issue.maximum) };
  const { minimum, maximum } = facts;
  const allowed = facts.enum ?? (facts.type === "boolean" ? [true, false] : undefined);
  return {
    ...(allowed ? { allowed } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

const LONGEST_NAME = 64;

// The two common mistakes with names of formats.
function hint(facts: Parameter | undefined, value: unknown): string {
  if (!facts?.enum || typeof value !== "string" || value.length > LONGEST_NAME) return "";
  const wanted = value.toLowerCase() === "jpg" ? "jpeg" : value.toLowerCase();
  return wanted !== value && facts.enum.includes(wanted) ? `; did you mean "${wanted}"?` : "";
}

function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i ? "." : ""}${String(part)}`))
    .join("");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

function quotable(value: unknown): string | number | boolean | undefined {
  if (typeof value === "string") return quoteStart(value);
  return typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
