/** What a tool may refuse on purpose, and whose part it is to mend it. */
const FAULTS = {
  missing_parameter: "request",
  invalid_parameter: "request",
  invalid_range: "request",
  invalid_base64: "request",
  missing_body: "request",
  password_required: "file",
  password_wrong: "file",
  page_out_of_range: "file",
  wrong_file_type: "file",
  damaged_file: "file",
  unsupported_feature: "file",
  not_a_container: "file",
  too_complex: "file",
  file_too_large: "limit",
  total_too_large: "limit",
  text_too_large: "limit",
  too_many_files: "limit",
  too_many_pages: "limit",
  too_many_pixels: "limit",
  decompressed_too_large: "limit",
  result_too_large: "limit",
} as const satisfies Record<string, "request" | "file" | "limit">;

type FailureCode = keyof typeof FAULTS;

/** Machine-readable facts beside the sentence, such as `page`, `pages`, `limit`, `value`, `unit`. */
type FailureFields = Readonly<Record<string, unknown>>;

/**
 * The one error a tool throws on purpose. The message is a whole sentence for the caller and holds no
 * content, file name, key or password.
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

  get fault(): "request" | "file" | "limit" {
    return FAULTS[this.code];
  }
}

/** A failure as plain data, as it crosses between a worker and whoever asked. */
export type PackedFailure = Pick<ToolFailure, "code" | "message" | "fields">;

export function packFailure({ code, message, fields }: ToolFailure): PackedFailure {
  return { code, message, fields };
}

export function unpackFailure({ code, message, fields }: PackedFailure): ToolFailure {
  return new ToolFailure(code, message, fields);
}
