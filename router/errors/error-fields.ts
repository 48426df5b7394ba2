/** The details of an error; each is a key of the flat JSON body. */
export interface ErrorDetails {
  readonly parameter?: string;
  readonly in?: string;
  readonly allowed?: readonly (string | number | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly received?: string | number | boolean;
  readonly supported?: readonly (string | number)[];
  readonly issues?: readonly object[];
  readonly limit?: string;
  readonly value?: number;
  readonly unit?: string;
  readonly actual?: number;
  readonly tier?: "anonymous" | "member";
  readonly tokenValue?: number;
  readonly window?: number;
  readonly remaining?: number;
  readonly retryAfter?: number;
  readonly attemptsLeft?: number;
  readonly secretStatus?: string;
  readonly kind?: "text" | "file";
  readonly path?: string;
  readonly requestStatus?: string;
  readonly closed?: string | null;
  readonly tools?: readonly string[];
  readonly passwordNeeded?: boolean;
  readonly page?: number;
  readonly pages?: number;
  readonly expected?: readonly string[];
  readonly detected?: string;
  readonly file?: number;
  readonly length?: number;
  readonly line?: number;
}

export type ErrorField = keyof ErrorDetails;

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const list = { type: "array", items: {} } as const;

/** The same fields as JSON Schema, for the document. */
export const ERROR_FIELDS = {
  parameter: { ...text, description: "The parameter that is wrong" },
  in: { ...text, description: "Where it was found: body, query, path or header" },
  allowed: { ...list, description: "The values or methods that are allowed" },
  minimum: number,
  maximum: number,
  received: { description: "The value that was sent, cut off at 64 characters; never a secret" },
  supported: { ...list, description: "The versions that are supported" },
  issues: { type: "array", items: { type: "object" }, description: "All problems, when there are several" },
  limit: { ...text, description: "The limit that was reached" },
  value: { ...number, description: "Its value" },
  unit: text,
  actual: { ...number, description: "The size that was sent, where it is known" },
  tier: { type: "string", enum: ["anonymous", "member"] },
  tokenValue: { ...number, description: "The limit with an API token, when that is higher" },
  window: { ...number, description: "Seconds" },
  remaining: number,
  retryAfter: { ...number, description: "Seconds" },
  attemptsLeft: { ...number, description: "Wrong passphrases that are left before the secret is deleted" },
  secretStatus: { ...text, description: "How the secret ended" },
  kind: { type: "string", enum: ["text", "file"], description: "What the secret is" },
  path: { ...text, description: "Where it is read, or asked for instead" },
  requestStatus: { ...text, description: "Where the request stands" },
  closed: { type: ["string", "null"], description: "When it ended (RFC 3339, UTC)" },
  tools: { ...list, description: "The tools there are" },
  passwordNeeded: { type: "boolean" },
  page: number,
  pages: { ...number, description: "Pages of the document" },
  expected: { ...list, description: "The file types that the tool takes" },
  detected: { ...text, description: "The type of the file, judged by its content" },
  file: { type: "integer", description: "Index of the file in the list" },
  length: { type: "integer", description: "Bytes of the whole file" },
  line: { type: "integer", description: "Number of the line that is wrong, from 1" },
} as const satisfies Record<ErrorField, Readonly<Record<string, unknown>>>;

/** The fields of an error about one parameter. */
export const PLACE = ["parameter", "in"] as const;
