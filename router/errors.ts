import { TRPCError } from "@trpc/server";
import { DatabaseUnavailable } from "../db/unavailable.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { LIMITS, MAX_FILES, type Tier } from "./limits.ts";

/** Every code a caller can meet, and its HTTP status: the one table behind errors, document and catalogue. */
export const STATUS = {
  missing_parameter: 400,
  invalid_parameter: 400,
  repeated_parameter: 400,
  missing_body: 400,
  invalid_json: 400,
  invalid_base64: 400,
  invalid_text: 400,
  invalid_range: 400,
  invalid_token: 401,
  login_required: 401,
  passphrase_required: 403,
  wrong_passphrase: 403,
  session_required: 403,
  cross_site: 403,
  not_found: 404,
  unknown_tool: 404,
  secret_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  secret_gone: 410,
  file_too_large: 413,
  total_too_large: 413,
  content_too_large: 413,
  text_too_large: 413,
  too_many_files: 413,
  too_many_pages: 413,
  too_many_pixels: 413,
  decompressed_too_large: 413,
  result_too_large: 413,
  uri_too_long: 414,
  unsupported_charset: 415,
  unsupported_content_encoding: 415,
  password_required: 422,
  password_wrong: 422,
  page_out_of_range: 422,
  wrong_file_type: 422,
  damaged_file: 422,
  unsupported_feature: 422,
  not_a_container: 422,
  too_complex: 422,
  rate_limited: 429,
  too_many_concurrent: 429,
  internal: 500,
  overloaded: 503,
  draining: 503,
} as const satisfies Record<string, number>;

export type ProblemCode = keyof typeof STATUS;

export interface Problem {
  readonly error: string;
  readonly code: ProblemCode;
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

// tRPC has no word for 410; the doors send the status of the problem, not of this word.
const TRPC_CODE: Record<number, TRPCError["code"]> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  410: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  414: "BAD_REQUEST",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

/** The one error the router throws on purpose: a problem of the contract that both doors can write. */
export class ApiError extends TRPCError {
  readonly problem: Problem;

  constructor(code: ProblemCode, error: string, fields: Readonly<Record<string, unknown>> = {}) {
    super({ code: TRPC_CODE[STATUS[code]] ?? "INTERNAL_SERVER_ERROR", message: error });
    this.name = "ApiError";
    this.problem = { error, code, status: STATUS[code], fields };
  }
}

const INTERNAL: Problem = {
  error: "Something went wrong on the server; the request id names this event in its log",
  code: "internal",
  status: 500,
  fields: {},
};

// A connection that breaks while a write is acknowledged leaves open whether it happened.
const NO_DATABASE: Problem = {
  error:
    "The database cannot be reached at the moment, and whether this request had an effect is not known; " +
    "send it again later",
  code: "overloaded",
  status: 503,
  fields: { retryAfter: 5 },
};

/**
 * Finds the contract's problem in whatever was thrown. tRPC wraps what a procedure throws, so the cause is
 * looked at as well; all that nobody foresaw is a bare `internal`.
 */
export function problemOf(error: unknown): Problem {
  for (const thrown of [error, error instanceof Error ? error.cause : undefined]) {
    if (thrown instanceof ApiError) return thrown.problem;
    if (thrown instanceof ToolFailure) return fromTool(thrown);
    if (isOverload(thrown)) return fullServer(thrown.retryAfter);
    if (thrown instanceof DatabaseUnavailable) return NO_DATABASE;
  }
  return error instanceof TRPCError ? fromTrpc(error) : INTERNAL;
}

function fromTool(failure: ToolFailure): Problem {
  return { error: failure.message, code: failure.code, status: STATUS[failure.code], fields: failure.fields };
}

// Pool and admission each have a class of their own for "full now"; what they share is this shape.
function isOverload(thrown: unknown): thrown is Error & { retryAfter: number } {
  return thrown instanceof Error && "retryAfter" in thrown && typeof thrown.retryAfter === "number";
}

function fullServer(retryAfter: number): Problem {
  const error = "The server is full at the moment; nothing was kept of this request, send it again later";
  return { error, code: "overloaded", status: 503, fields: { retryAfter } };
}

// What tRPC itself refuses before a procedure runs. Its messages quote the path and pieces of the body.
function fromTrpc(error: TRPCError): Problem {
  if (error.code === "NOT_FOUND") return described("not_found", "There is no procedure of this name");
  if (error.code === "METHOD_NOT_SUPPORTED") {
    return described("method_not_allowed", "Queries are sent with GET, mutations with POST");
  }
  if (error.code === "UNSUPPORTED_MEDIA_TYPE") {
    return described("invalid_json", "An RPC call is application/json or a binary frame");
  }
  if (error.code === "BAD_REQUEST" || error.code === "PARSE_ERROR") {
    return error.message.includes("maximum size")
      ? described("invalid_parameter", "A batch holds at most 10 calls", { parameter: "batch", maximum: 10 })
      : described("invalid_json", "The body of the call is not the JSON that this procedure takes");
  }
  return INTERNAL;
}

function described(code: ProblemCode, error: string, fields: Record<string, unknown> = {}): Problem {
  return { error, code, status: STATUS[code], fields };
}

/** What a caller is told: one flat object, the same through both doors. */
export interface ProblemBody {
  readonly error: string;
  readonly code: ProblemCode;
  readonly status: number;
  readonly requestId: string;
  /** The parameter, what is legal, or the limit that was met. */
  readonly [field: string]: unknown;
}

/** The flat JSON body of a problem (RFC 9457 members are added where they are asked for). */
export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { error, code, status, fields } = problem;
  return { error, code, status, requestId, ...fields };
}

/** Says that a size limit was exceeded, which one, and whether a token would raise it. */
export function tooLarge(
  code: ProblemCode,
  { what, limit, value, unit, actual, tier, tokenValue, parameter }: SizeLimit,
): ApiError {
  const raised = tier === "anonymous" && tokenValue !== undefined && tokenValue > value;
  const hint = raised ? `; with an API token the limit is ${count(tokenValue)} ${unit}` : "";
  return new ApiError(code, `${what} exceeds the limit of ${count(value)} ${unit}${hint}; nothing was kept`, {
    limit,
    value,
    unit,
    ...(actual === undefined ? {} : { actual }),
    tier,
    ...(parameter === undefined ? {} : { parameter }),
    ...(raised ? { tokenValue } : {}),
  });
}

/** @throws ApiError file_too_large */
export function checkFileSize(actual: number, tier: Tier): void {
  if (actual > LIMITS[tier].fileSize) throw fileTooLarge(tier, actual);
}

/** @throws ApiError too_many_files, file_too_large , total_too_large */
export function checkFileSizes(sizes: readonly number[], tier: Tier): void {
  const about = { what: "The list of files", limit: "files", value: MAX_FILES, unit: "files", tier };
  if (sizes.length > MAX_FILES) throw tooLarge("too_many_files", { ...about, actual: sizes.length });
  for (const size of sizes) checkFileSize(size, tier);
  const actual = sizes.reduce((total, size) => total + size, 0);
  const value = LIMITS[tier].totalSize;
  if (actual <= value) return;
  const tokenValue = LIMITS.member.totalSize;
  const whole = {
    what: "All files together",
    limit: "totalSize",
    value,
    unit: "bytes",
    actual,
    tier,
    tokenValue,
  };
  throw tooLarge("total_too_large", whole);
}

/** Says that a file is over the caller's size. */
export function fileTooLarge(tier: Tier, actual?: number): ApiError {
  const value = LIMITS[tier].fileSize;
  const tokenValue = LIMITS.member.fileSize;
  return tooLarge("file_too_large", {
    what: "The file",
    limit: "fileSize",
    value,
    unit: "bytes",
    actual,
    tier,
    tokenValue,
  });
}

interface SizeLimit {
  what: string;
  limit: string;
  value: number;
  unit: string;
  actual?: number | undefined;
  tier: Tier;
  tokenValue?: number | undefined;
  parameter?: string;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
