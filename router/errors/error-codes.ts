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
const COUNT = ["limit", "value", "unit"] as const;
const SIZE = [...COUNT, "actual", "tier", "tokenValue", "parameter", "file"] as const;
const RATE = [...COUNT, "window", "remaining", "retryAfter", "tier"] as const;

/** A row of the table: a status, a sentence for the document, and the details that an error may have. */
function row<const Status extends number, const Fields extends readonly ErrorField[]>(
  status: Status,
  description: string,
  ...fields: Fields
) {
  return { status, description, fields };
}

/** Every code a caller can get. Errors, OpenAPI document, catalogue and docs/errors.md derive from this table. */
export const ERRORS = {
  missing_parameter: row(400, "A required parameter is missing.", ...PARAMETER),
  invalid_parameter: row(400, "A parameter has a value that is not allowed.", ...PARAMETER),
  repeated_parameter: row(400, "A parameter was sent more than once.", ...PLACE),
  missing_body: row(400, "The request has no body, but needs one.", ...PLACE),
  invalid_json: row(400, "The body is not the JSON that this endpoint takes.", "in"),
  invalid_base64: row(400, "A file in the JSON is not valid base64.", "parameter", "in", "file"),
  invalid_text: row(400, "The text is not valid UTF-8 or Unicode.", ...PLACE),
  invalid_range: row(
    400,
    "The page range is not written correctly.",
    "parameter",
    "received",
    "maximum",
    "file",
  ),
  invalid_token: row(401, "The API token is unknown, expired or revoked."),
  login_required: row(401, "Only members can do this; log in or send an API token."),
  second_factor_required: row(
    401,
    "The password was right, and a code is needed too; or this server wants a second factor set up first.",
    ...PLACE,
  ),
  password_change_required: row(
    403,
    "An administrator has set the password; it has to be changed before anything else.",
  ),
  password_expired: row(
    403,
    "An administrator has set password and recovery code more than a day ago, and they were not used.",
  ),
  recovery_wait: row(
    403,
    "The recovery code has just set the password; a second factor can be set up a day later.",
    "retryAfter",
  ),
  last_way_in: row(409, "Nothing else opens the account; set a password or add a passkey first."),
  second_factor_exists: row(409, "The account has an authenticator app already."),
  passkey_wrong: row(
    422,
    "The passkey is unknown here, or what it signed is late, was used before, or is of another site.",
  ),
  too_many_passkeys: row(409, "The account has as many passkeys as it can have; delete one first.", ...COUNT),
  hook_address: row(422, "The host of the hook leads to a private address, or has no TLS.", ...PLACE),
  hook_unreachable: row(
    422,
    "The host of the hook could not be reached, or its certificate is not good.",
    ...PLACE,
  ),
  hook_refused: row(
    422,
    "The receiver has not taken the test call: it answered something else than 2xx.",
    ...PLACE,
  ),
  second_factor_wrong: row(
    422,
    "The code of the authenticator app is wrong, old, or was used before.",
    ...PLACE,
  ),
  invalid_credentials: row(
    401,
    "No account has this name with this password or recovery code, or what opened it was changed meanwhile.",
  ),
  account_deleted: row(401, "The account was deleted while the request was running."),
  passphrase_required: row(403, "The secret has a passphrase; send it.", "parameter"),
  wrong_passphrase: row(403, "The passphrase is wrong.", "parameter", "attemptsLeft"),
  admin_required: row(403, "Only administrators of this server can do this."),
  account_disabled: row(403, "An administrator has disabled the account; nothing of it was deleted."),
  own_account: row(
    409,
    "Administrators cannot disable, reset or delete the account that they are logged in to, and the last one stays.",
  ),
  session_required: row(403, "An API token is not enough for this; log in."),
  hooks_closed: row(
    403,
    "This server calls no hooks of members; its operator names hosts for them in NOTIFY_HOSTS.",
  ),
  registration_closed: row(403, "Only the administrator creates accounts on this server."),
  passwords_off: row(403, "This server takes no passwords; log in with the organization's account."),
  oidc_failed: row(
    400,
    "What came back from the organization's login was late, was used before, or had been changed.",
  ),
  oidc_refused: row(403, "The organization's account may not log in here; the sentence says what it lacks."),
  oidc_unavailable: row(503, "The organization's login does not answer.", "retryAfter"),
  identity_taken: row(409, "The organization's account belongs to another member here."),
  cross_site: row(403, "Pages of other sites must not call this."),
  not_found: row(404, "Nothing exists at this path or under this id."),
  unknown_tool: row(404, "There is no tool with this name.", "tools"),
  secret_not_found: row(404, "No secret has this id and key, or this id is not yours."),
  method_not_allowed: row(405, "This path does not take this method.", "allowed"),
  request_timeout: row(408, "The body arrived too slowly."),
  name_taken: row(409, "Another account has this name.", ...PLACE),
  too_many_tokens: row(409, "The account has as many API tokens as it can have; revoke one first.", ...COUNT),
  too_many_hooks: row(409, "The account has as many hooks as it can have; remove one first.", ...COUNT),
  request_open: row(409, "Nobody has answered the request yet.", "requestStatus"),
  idempotency_in_progress: row(409, "Another call with this Idempotency-Key is still running.", "retryAfter"),
  request_closed: row(
    410,
    "The request was answered, collected, cancelled, or has expired.",
    "requestStatus",
    "closed",
  ),
  secret_gone: row(
    410,
    "The secret was read or revoked, has expired, or was deleted after ten wrong passphrases.",
    "secretStatus",
    "closed",
  ),
  file_too_large: row(413, "A file is too large.", ...SIZE),
  total_too_large: row(413, "The files together, or the body, are too large.", ...SIZE),
  content_too_large: row(413, "The content of the secret is too long.", ...SIZE),
  text_too_large: row(413, "A text is too long.", ...SIZE),
  too_many_files: row(413, "The list has too many files.", ...SIZE),
  too_many_pages: row(413, "The page range selects too many pages.", ...SIZE),
  too_many_pixels: row(413, "The image has too many pixels.", ...SIZE),
  decompressed_too_large: row(413, "The content is too large once it is decompressed.", ...SIZE),
  result_too_large: row(413, "The result would be too large.", ...SIZE),
  storage_quota: row(
    413,
    "You have stored as many bytes as you may; nothing was kept.",
    ...SIZE,
    "window",
    "remaining",
    "retryAfter",
  ),
  uri_too_long: row(414, "The URL is too long; send long values in the body.", ...COUNT),
  unsupported_charset: row(415, "The text is not UTF-8.", "allowed", "received"),
  unsupported_content_encoding: row(
    415,
    "The body is compressed in a way that is not supported.",
    "allowed",
    "received",
  ),
  range_not_satisfiable: row(416, "The range does not begin within the file.", "parameter", "length"),
  idempotency_mismatch: row(
    422,
    "The Idempotency-Key was sent with another body, query or passphrase before.",
    ...PLACE,
  ),
  wrong_kind: row(
    422,
    "The secret is of the other kind, a text or a file, and is read at another path.",
    "kind",
    "path",
  ),
  password_required: row(
    422,
    "The file does not open without its password.",
    "passwordNeeded",
    "parameter",
    "file",
  ),
  password_wrong: row(422, "The password is wrong.", "passwordNeeded", "parameter", "in", "file"),
  identity_required: row(
    422,
    "The age file is encrypted for recipients and opens with an identity of one of them.",
    "parameter",
  ),
  identity_wrong: row(422, "None of the identities opens the age file.", "parameter"),
  page_out_of_range: row(
    422,
    "The document does not have one of the pages.",
    "parameter",
    "received",
    "page",
    "pages",
    "file",
  ),
  no_bookmarks: row(422, "The document has no bookmarks that lead to its pages."),
  wrong_file_type: row(422, "The tool does not take files of this type.", "expected", "detected", "file"),
  damaged_file: row(422, "The file is damaged.", "file", "line"),
  no_pages: row(422, "The document has no pages.", "file"),
  certificate_required: row(
    422,
    "The document opens only with a certificate, which is not supported.",
    "file",
  ),
  unsupported_feature: row(422, "The file uses something that is not supported.", "supported", "file"),
  not_a_container: row(422, "The file was not locked by this tool."),
  too_complex: row(422, "The file or text would take too much work.", ...COUNT, "file"),
  rate_limited: row(429, "You have made too many calls.", ...RATE),
  too_many_concurrent: row(
    429,
    "You have too many calls running, or streams of events open, at once.",
    ...RATE,
    "path",
  ),
  internal: row(500, "The server failed; its log has the request id."),
  overloaded: row(503, "The server is full; nothing was kept, try again later.", "retryAfter"),
  storage_full: row(
    503,
    "The server cannot store more secrets now; nothing was kept, try again later.",
    "retryAfter",
  ),
  database_unavailable: row(
    503,
    "The database cannot be reached; it is not known whether the request had an effect.",
    "retryAfter",
  ),
  draining: row(503, "The server is shutting down; send the request again.", "retryAfter"),
} as const;

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
