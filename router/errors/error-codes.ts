import { ACCESS_ERRORS } from "./access-errors.ts";
import { PLACE, type ErrorDetails, type ErrorField } from "./error-fields.ts";

const PARAMETER = [
  "parameter",
  "in",
  "allowed",
  "minimum",
  "maximum",
  "unit",
  "received",
  "issues",
  "tier",
  "file",
  "line",
] as const;
const SIZE = ["limit", "value", "unit", "actual", "tier", "tokenValue", "parameter", "file"] as const;
const RATE = ["limit", "value", "unit", "window", "remaining", "retryAfter", "tier"] as const;

/** Every code a caller can get. Errors, OpenAPI document, catalogue and docs/errors.md derive from this table. */
export const ERRORS = {
  missing_parameter: { status: 400, description: "A required parameter is missing.", fields: PARAMETER },
  invalid_parameter: {
    status: 400,
    description: "A parameter has a value that is not allowed.",
    fields: PARAMETER,
  },
  repeated_parameter: { status: 400, description: "A parameter was sent more than once.", fields: PLACE },
  missing_body: { status: 400, description: "The request has no body, but needs one.", fields: PLACE },
  invalid_json: {
    status: 400,
    description: "The body is not the JSON that this endpoint takes.",
    fields: ["in"],
  },
  invalid_base64: {
    status: 400,
    description: "A file in the JSON is not valid base64.",
    fields: ["parameter", "in", "file"],
  },
  invalid_text: { status: 400, description: "The text is not valid UTF-8 or Unicode.", fields: PLACE },
  invalid_range: {
    status: 400,
    description: "The page range is not written correctly.",
    fields: ["parameter", "received", "maximum", "file"],
  },
  ...ACCESS_ERRORS,
  cross_site: { status: 403, description: "Pages of other sites must not call this.", fields: [] },
  not_found: { status: 404, description: "Nothing exists at this path or under this id.", fields: [] },
  unknown_tool: { status: 404, description: "There is no tool with this name.", fields: ["tools"] },
  secret_not_found: {
    status: 404,
    description: "No secret has this id and key, or this id is not yours.",
    fields: [],
  },
  method_not_allowed: {
    status: 405,
    description: "This path does not take this method.",
    fields: ["allowed"],
  },
  request_timeout: { status: 408, description: "The body arrived too slowly.", fields: [] },
  name_taken: { status: 409, description: "Another account has this name.", fields: PLACE },
  too_many_tokens: {
    status: 409,
    description: "The account has as many API tokens as it can have; revoke one first.",
    fields: ["limit", "value", "unit"],
  },
  too_many_hooks: {
    status: 409,
    description: "The account has as many hooks as it can have; remove one first.",
    fields: ["limit", "value", "unit"],
  },
  request_open: {
    status: 409,
    description: "Nobody has answered the request yet.",
    fields: ["requestStatus"],
  },
  idempotency_in_progress: {
    status: 409,
    description: "Another call with this Idempotency-Key is still running.",
    fields: ["retryAfter"],
  },
  request_closed: {
    status: 410,
    description: "The request was answered, collected, cancelled, or has expired.",
    fields: ["requestStatus", "closed"],
  },
  secret_gone: {
    status: 410,
    description: "The secret was read, revoked, locked, or has expired.",
    fields: ["secretStatus", "closed"],
  },
  file_too_large: { status: 413, description: "A file is too large.", fields: SIZE },
  total_too_large: {
    status: 413,
    description: "The files together, or the body, are too large.",
    fields: SIZE,
  },
  content_too_large: { status: 413, description: "The content of the secret is too long.", fields: SIZE },
  text_too_large: { status: 413, description: "A text is too long.", fields: SIZE },
  too_many_files: { status: 413, description: "The list has too many files.", fields: SIZE },
  too_many_pages: { status: 413, description: "The page range selects too many pages.", fields: SIZE },
  too_many_pixels: { status: 413, description: "The image has too many pixels.", fields: SIZE },
  decompressed_too_large: {
    status: 413,
    description: "The content is too large once it is decompressed.",
    fields: SIZE,
  },
  result_too_large: { status: 413, description: "The result would be too large.", fields: SIZE },
  storage_quota: {
    status: 413,
    description: "You have stored as many bytes as you may; nothing was kept.",
    fields: [...SIZE, "window", "remaining", "retryAfter"],
  },
  uri_too_long: {
    status: 414,
    description: "The URL is too long; send long values in the body.",
    fields: ["limit", "value", "unit"],
  },
  unsupported_charset: {
    status: 415,
    description: "The text is not UTF-8.",
    fields: ["allowed", "received"],
  },
  unsupported_content_encoding: {
    status: 415,
    description: "The body is compressed in a way that is not supported.",
    fields: ["allowed", "received"],
  },
  range_not_satisfiable: {
    status: 416,
    description: "The range does not begin within the file.",
    fields: ["parameter", "length"],
  },
  idempotency_mismatch: {
    status: 422,
    description: "The Idempotency-Key was sent with another body, query or passphrase before.",
    fields: PLACE,
  },
  wrong_kind: {
    status: 422,
    description: "The secret is of the other kind, a text or a file, and is read at another path.",
    fields: ["kind", "path"],
  },
  password_required: {
    status: 422,
    description: "The file does not open without its password.",
    fields: ["passwordNeeded", "parameter", "file"],
  },
  password_wrong: {
    status: 422,
    description: "The password is wrong.",
    fields: ["passwordNeeded", "parameter", "in", "file"],
  },
  identity_required: {
    status: 422,
    description: "The age file is encrypted for recipients and opens with an identity of one of them.",
    fields: ["parameter"],
  },
  identity_wrong: {
    status: 422,
    description: "None of the identities opens the age file.",
    fields: ["parameter"],
  },
  page_out_of_range: {
    status: 422,
    description: "The document does not have one of the pages.",
    fields: ["parameter", "received", "page", "pages", "file"],
  },
  no_bookmarks: {
    status: 422,
    description: "The document has no bookmarks that lead to its pages.",
    fields: [],
  },
  wrong_file_type: {
    status: 422,
    description: "The tool does not take files of this type.",
    fields: ["expected", "detected", "file"],
  },
  damaged_file: { status: 422, description: "The file is damaged.", fields: ["file", "line"] },
  no_pages: { status: 422, description: "The document has no pages.", fields: ["file"] },
  certificate_required: {
    status: 422,
    description: "The document opens only with a certificate, which is not supported.",
    fields: ["file"],
  },
  unsupported_feature: {
    status: 422,
    description: "The file uses something that is not supported.",
    fields: ["supported", "file"],
  },
  not_a_container: { status: 422, description: "The file was not locked by this tool.", fields: [] },
  too_complex: {
    status: 422,
    description: "The file or text would take too much work.",
    fields: ["limit", "value", "unit", "file"],
  },
  rate_limited: { status: 429, description: "You have made too many calls.", fields: RATE },
  too_many_concurrent: {
    status: 429,
    description: "You have too many calls running, or streams of events open, at once.",
    fields: [...RATE, "path"],
  },
  internal: { status: 500, description: "The server failed; its log has the request id.", fields: [] },
  overloaded: {
    status: 503,
    description: "The server is full; nothing was kept, try again later.",
    fields: ["retryAfter"],
  },
  storage_full: {
    status: 503,
    description: "The server cannot store more secrets now; nothing was kept, try again later.",
    fields: ["retryAfter"],
  },
  database_unavailable: {
    status: 503,
    description: "The database cannot be reached; it is not known whether the request had an effect.",
    fields: ["retryAfter"],
  },
  draining: {
    status: 503,
    description: "The server is shutting down; send the request again.",
    fields: ["retryAfter"],
  },
} as const satisfies Record<string, { status: number; description: string; fields: readonly ErrorField[] }>;

export type ErrorCode = keyof typeof ERRORS;

/** The details that an error of this code may have. */
export type DetailsOf<Code extends ErrorCode> = Pick<ErrorDetails, (typeof ERRORS)[Code]["fields"][number]>;

/** The table as a list. */
export function listErrors(): ({ code: ErrorCode } & (typeof ERRORS)[ErrorCode])[] {
  return Object.keys(ERRORS)
    .filter(isErrorCode)
    .map((code) => ({ code, ...ERRORS[code] }));
}

function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
