/** Reasons to refuse a call before its procedure runs, with the status of the answer (RFC 9110, 15.5). */
const STATUSES = {
  missing_parameter: 400,
  invalid_parameter: 400,
  repeated_parameter: 400,
  missing_body: 400,
  invalid_json: 400,
  invalid_base64: 400,
  invalid_text: 400,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  total_too_large: 413,
  unsupported_charset: 415,
  unsupported_content_encoding: 415,
  range_not_satisfiable: 416,
  internal: 500,
  overloaded: 503,
} as const;

export type CallErrorCode = keyof typeof STATUSES;

/** Machine-readable facts beside the sentence, such as `parameter`, `in`, `allowed`. */
export interface CallErrorDetails {
  readonly parameter?: string;
  readonly in?: string;
  readonly allowed?: readonly (string | number | boolean)[];
  readonly maximum?: number;
  readonly received?: string | number | boolean;
  readonly issues?: readonly object[];
  readonly limit?: string;
  readonly value?: number;
  readonly unit?: string;
  readonly actual?: number;
}

/** The adapter's only error. The message is one sentence for the caller and quotes nothing of a body. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly code: CallErrorCode;
  readonly details: CallErrorDetails;

  constructor(code: CallErrorCode, message: string, details: CallErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUSES[this.code];
  }
}

/**
 * How a secret or a request ended, by its status, as a clause such as "it was revoked at 2026-11-30T23:00:00.000Z".
 * `closed` is the point in time, RFC 3339.
 */
export function describeEnd({ status, closed }: { status: string; closed: string | null }): string {
  const at = closed === null ? "" : ` at ${closed}`;
  if (status === "expired") return `it expired${at}`;
  return status === "locked" ? `it was deleted after ten wrong passphrases${at}` : `it was ${status}${at}`;
}
