import type { ErrorDetails, ErrorField } from "./error-fields.ts";

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
  repeated_parameter: {
    status: 400,
    description: "A parameter was sent more than once.",
    fields: ["parameter", "in"],
  },
  missing_body: {
    status: 400,
    description: "The request has no body, but needs one.",
    fields: ["parameter", "in"],
  },
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
  invalid_text: {
    status: 400,
    description: "The text is not valid UTF-8 or Unicode.",
    fields: ["parameter", "in"],
  },
  invalid_range: {
    status: 400,
    description: "The page range is not written correctly.",
    fields: ["parameter", "received", "maximum", "file"],
  },
  invalid_token: { status: 401, description: "The API token is unknown, expired or revoked.", fields: [] },
  login_required: {
    status: 401,
    description: "Only members can do this; log in or send an API token.",
    fields: [],
  },
  second_factor_required: {
    status: 401,
    description:
      "The password was right, and a code is needed too; or this instance wants a second factor set up first.",
    fields: ["parameter", "in"],
  },
  password_change_required: {
    status: 403,
    description: "An administrator has set the password; it has to be changed before anything else.",
    fields: [],
  },
  password_expired: {
    status: 403,
    description: "An administrator has set the password more than a day ago, and it was not changed.",
    fields: [],
  },
  recovery_wait: {
    status: 403,
    description: "The recovery code has just set the password; a second factor can be set up a day later.",
    fields: ["retryAfter"],
  },
  last_way_in: {
    status: 409,
    description: "Nothing else opens the account; set a password or add a passkey first.",
    fields: [],
  },
  second_factor_exists: {
    status: 409,
    description: "The account has an authenticator app already.",
    fields: [],
  },
  passkey_wrong: {
    status: 422,
    description:
      "The passkey is unknown here, or what it signed is late, was used before, or is of another site.",
    fields: [],
  },
  too_many_passkeys: {
    status: 409,
    description: "The account has as many passkeys as it can have; delete one first.",
    fields: ["limit", "value", "unit"],
  },
  hook_address: {
    status: 422,
    description: "The host of the hook leads to a private address, or has no TLS.",
    fields: ["parameter", "in"],
  },
  hook_unreachable: {
    status: 422,
    description: "The host of the hook could not be reached, or its certificate is not good.",
    fields: ["parameter", "in"],
  },
  hook_refused: {
    status: 422,
    description: "The receiver has not taken the test call: it answered something else than 2xx.",
    fields: ["parameter", "in"],
  },
  second_factor_wrong: {
    status: 422,
    description: "The code of the authenticator app is wrong, old, or was used before.",
    fields: ["parameter", "in"],
  },
  invalid_credentials: {
    status: 401,
    description: "No account has this name with this password or recovery code.",
    fields: [],
  },
  account_deleted: {
    status: 401,
    description: "The account was deleted while the request was running.",
    fields: [],
  },
  passphrase_required: {
    status: 403,
    description: "The secret has a passphrase; send it.",
    fields: ["parameter"],
  },
  wrong_passphrase: {
    status: 403,
    description: "The passphrase is wrong.",
    fields: ["parameter", "attemptsLeft"],
  },
  admin_required: {
    status: 403,
    description: "Only administrators of this instance can do this.",
    fields: [],
  },
  account_disabled: {
    status: 403,
    description: "An administrator has disabled the account; nothing of it was deleted.",
    fields: [],
  },
  own_account: {
    status: 409,
    description: "Administrators cannot disable, reset or delete the account that they are logged in to.",
    fields: [],
  },
  session_required: { status: 403, description: "An API token is not enough for this; log in.", fields: [] },
  hooks_closed: {
    status: 403,
    description: "This server calls no hooks of members; its operator names hosts for them in NOTIFY_HOSTS.",
    fields: [],
  },
  registration_closed: {
    status: 403,
    description: "Only the administrator creates accounts on this server.",
    fields: [],
  },
  passwords_off: {
    status: 403,
    description: "This server takes no passwords; log in with the organisation's account.",
    fields: [],
  },
  oidc_failed: {
    status: 400,
    description:
      "What came back from the organisation's login was late, was used before, or had been changed.",
    fields: [],
  },
  oidc_refused: {
    status: 403,
    description: "The organisation's account may not log in here; the sentence says what it lacks.",
    fields: [],
  },
  oidc_unavailable: {
    status: 503,
    description: "The organisation's login does not answer.",
    fields: ["retryAfter"],
  },
  identity_taken: {
    status: 409,
    description: "The organisation's account belongs to another member here.",
    fields: [],
  },
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
  name_taken: { status: 409, description: "Another account has this name.", fields: ["parameter", "in"] },
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
    fields: ["parameter", "in"],
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
