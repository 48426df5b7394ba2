/** The reasons for which a tool refuses a file; docs/errors.md explains each. */
type FailureCode =
  | ("missing_parameter" | "invalid_parameter" | "invalid_range" | "invalid_base64" | "missing_body")
  | ("password_required" | "password_wrong" | "page_out_of_range" | "wrong_file_type" | "damaged_file")
  | (
      | "no_pages"
      | "no_bookmarks"
      | "certificate_required"
      | "identity_required"
      | "identity_wrong"
      | "unsupported_feature"
      | "not_a_container"
      | "too_complex"
    )
  | ("file_too_large" | "total_too_large" | "text_too_large" | "decompressed_too_large" | "result_too_large")
  | ("too_many_files" | "too_many_pages" | "too_many_pixels");

/** Machine-readable facts beside the sentence, such as `page`, `pages`, `limit`, `value`, `unit`. */
type FailureFields = Readonly<Record<string, unknown>>;

/**
 * The only error that a tool throws on purpose. The message is a whole sentence for the caller and contains no content,
 * file name, key or password.
 */
export class ToolFailure extends Error {
  readonly code: FailureCode;
  readonly fields: FailureFields;

  constructor(code: FailureCode, message: string, fields: FailureFields = {}) {
    super(message);
    this.name = "ToolFailure";
    this.code = code;
    this.fields = fields;
  }
}

/** A failure as plain data, for the way between a worker and its caller. */
export type PackedFailure = Pick<ToolFailure, "code" | "message" | "fields">;

export function packFailure({ code, message, fields }: ToolFailure): PackedFailure {
  return { code, message, fields };
}

export function unpackFailure({ code, message, fields }: PackedFailure): ToolFailure {
  return new ToolFailure(code, message, fields);
}
