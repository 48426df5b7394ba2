import type { TRPC_ERROR_CODE_NUMBER } from "@trpc/server/rpc";
import { ERRORS, type DetailsOf, type ErrorCode } from "./error-codes.ts";
import type { ErrorDetails } from "./error-fields.ts";
import { MAX_FILES, type Limits, type Tier } from "../limits.ts";

/** The one error of router and adapters, with all that a caller needs to correct the request. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "ApiError";
  readonly code: Code;
  readonly details: ErrorDetails;

  /** `message` is one sentence that names the thing and the right values. It never contains a secret. */
  constructor(code: Code, message: string, details?: DetailsOf<Code>) {
    super(message);
    this.code = code;
    this.details = details ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

interface ErrorOf<Code extends ErrorCode> {
  /** One sentence that names the thing and the right values. */
  readonly error: string;
  readonly code: Code;
  readonly status: (typeof ERRORS)[Code]["status"];
  /** Also in the server's log. */
  readonly requestId: string;
}

/** What a caller gets: one flat object, the same over REST and RPC. Its code determines which fields it can have. */
export type ErrorBody = { [Code in ErrorCode]: ErrorOf<Code> & DetailsOf<Code> }[ErrorCode];

/** The flat JSON body of an error. */
export function errorBody({ message, code, status, details }: ApiError, requestId: string): ErrorBody {
  // An ApiError has only the details that its code allows.
  return { error: message, code, status, requestId, ...details } as ErrorBody;
}

/** An error of a call in tRPC's form. */
export interface ErrorShape {
  readonly message: string;
  readonly code: TRPC_ERROR_CODE_NUMBER;
  readonly data: ErrorBody & { readonly httpStatus: number };
}

/** A field of the body is missing or wrong; `rule` ends the sentence that begins with its name. */
export function wrongParameter(
  code: "missing_parameter" | "invalid_parameter" | "password_wrong" | "second_factor_wrong",
  parameter: string,
  rule: string,
): ApiError {
  return new ApiError(code, `Parameter "${parameter}" ${rule}`, { parameter, in: "body" });
}

/** The server is at its limit for all callers: a 503, where a 429 means the caller's own quota. */
export function serverFull(retryAfter: number): ApiError {
  const error = "The server is full; nothing of this request was kept. Send it again later";
  return new ApiError("overloaded", error, { retryAfter });
}

interface SizeLimit {
  readonly what: string;
  readonly limit: string;
  readonly value: number;
  readonly unit: string;
  readonly actual?: number | undefined;
  readonly tier: Tier;
  /** The limit of members. */
  readonly tokenValue?: number | undefined;
  readonly parameter?: string;
}

/** Codes of size limits: those whose details have the tier's value and a member's. */
type SizeCode = {
  [Code in ErrorCode]: "tokenValue" extends keyof DetailsOf<Code> ? Code : never;
}[ErrorCode];

/** A size limit was exceeded: which one, and whether an API token would raise it. */
export function tooLarge(code: SizeCode, { what, ...size }: SizeLimit): ApiError {
  const { limit, value, unit, actual, tier, tokenValue, parameter } = size;
  const isRaised = tier === "anonymous" && tokenValue !== undefined && tokenValue > value;
  const hint = isRaised ? `; with an API token the limit is ${formatCount(tokenValue)} ${unit}` : "";
  const message = `${what} exceeds the limit of ${formatCount(value)} ${unit}${hint}; nothing was kept`;
  return new ApiError(code, message, {
    limit,
    value,
    unit,
    ...(actual === undefined ? {} : { actual }),
    tier,
    ...(parameter === undefined ? {} : { parameter }),
    ...(isRaised ? { tokenValue } : {}),
  });
}

/** With separators of thousands, as sentences to callers show numbers. */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}

/** @throws ApiError too_many_files, file_too_large, total_too_large */
export function checkFileSizes(sizes: readonly number[], tier: Tier, limits: Limits): void {
  const files = { what: "The list of files", limit: "files", value: MAX_FILES, unit: "files", tier };
  if (sizes.length > MAX_FILES) throw tooLarge("too_many_files", { ...files, actual: sizes.length });
  const large = sizes.find((size) => size > limits[tier].fileSize);
  if (large !== undefined) throw fileTooLarge(limits, { tier, actual: large });
  const actual = sizes.reduce((total, size) => total + size, 0);
  if (actual <= limits[tier].totalSize) return;
  const total = { what: "All files together", limit: "totalSize", ...tieredBytes(limits, tier, "totalSize") };
  throw tooLarge("total_too_large", { ...total, actual });
}

/** A file exceeds the caller's limit. */
export function fileTooLarge(
  limits: Limits,
  of: { tier: Tier; actual?: number | undefined; name?: "fileSize" | "secretFileSize" },
): ApiError {
  const { tier, actual, name = "fileSize" } = of;
  const file = { what: "The file", limit: name, ...tieredBytes(limits, tier, name) };
  return tooLarge("file_too_large", { ...file, actual });
}

function tieredBytes(limits: Limits, tier: Tier, name: "fileSize" | "secretFileSize" | "totalSize") {
  return { value: limits[tier][name], unit: "bytes", tier, tokenValue: limits.member[name] };
}
