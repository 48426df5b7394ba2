import { LIMITS } from "../../../router/limits.ts";
import { ApiError, tooLarge } from "../../../router/errors.ts";
import { parameterOf } from "../../../router/parameters.ts";
import { coerce } from "../coerce.ts";
import { isMultipart, partText, readParts } from "../multipart.ts";
import {
  formEntries,
  createRawInput,
  addParameter,
  queryEntries,
  repeatedParameter,
  type RawInput,
} from "../raw-input.ts";
import { CONTENT_NAMES, refuseInQuery, type BodyReader } from "../read.ts";
import { checkCharset, decodeText, mediaType, parseJson } from "../../http/content-type.ts";

const BYTES_PER_CHARACTER = 12;
const OVERHEAD_BYTES = 16 * 1024;

/**
 * The body of a secret's creation, in any of its shapes: JSON (an object or a bare string), a form, parts, or
 * the raw text itself. Nothing is trimmed, and what cannot be told apart is refused rather than cut.
 */
export async function readContent(reading: BodyReader): Promise<RawInput> {
  const { context, schema } = reading;
  refuseInQuery(context.url, { schema, allowed: ["expires", "raw"] });
  checkCharset(context.request);
  const bytes = await context.body.bytes(contentLimit(reading));
  const rawInput = createRawInput();
  for (const [name, value] of readBody(bytes, reading)) putField(rawInput, { name, value, reading });
  putQueryExpires(rawInput, reading);
  if (!rawInput.locations.has("content")) throw missingContent(bytes.length === 0);
  if (rawInput.values.content === "") throw missingContent(true);
  return rawInput;
}

function contentLimit({ caller: { tier } }: BodyReader) {
  const value = LIMITS[tier].secretCharacters;
  const about = { what: "The content", limit: "secretLength", value, unit: "characters", tier };
  const tokenValue = LIMITS.member.secretCharacters;
  return {
    limit: value * BYTES_PER_CHARACTER + OVERHEAD_BYTES,
    tooLarge: () => tooLarge("content_too_large", { ...about, tokenValue }),
  };
}

function readBody(bytes: Uint8Array, { context }: BodyReader): [string, unknown][] {
  const { request } = context;
  const type = mediaType(request);
  if (isJson(type)) return fromJson(parseJson(bytes));
  const text = decodeText(bytes, "body");
  if (isMultipart(request.headers.get("content-type"))) {
    return fromParts(bytes, request.headers.get("content-type") ?? "");
  }
  if (type === "application/x-www-form-urlencoded") return fromForm(text);
  return [["content", text]];
}

function isJson(type: string): boolean {
  return type === "application/json" || type.endsWith("+json");
}

function fromJson(value: unknown): [string, unknown][] {
  if (typeof value === "string") return [["content", value]];
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new ApiError("invalid_json", 'The body must be a JSON object with "content", or a bare JSON string', {
    in: "body",
  });
}

// `curl -d 'p@ss=w&rd'` sends its text as a form: without a field of ours it is the content, byte for byte.
function fromForm(text: string): [string, unknown][] {
  const names = text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => (pair.includes("=") ? pair.slice(0, pair.indexOf("=")) : undefined));
  const isContent = (name: string | undefined) => name !== undefined && CONTENT_NAMES.includes(name);
  const isOption = (name: string | undefined) => name !== undefined && OPTION_NAMES.includes(name);
  if (names.some(isContent)) {
    if (!names.every((name) => isContent(name) || isOption(name))) throw halfForm();
    return formEntries(text, "body");
  }
  if (names.length > 0 && names.every(isOption)) return formEntries(text, "body");
  return [["content", text]];
}

// What stands beside the field may be the rest of the content, so it is not repeated.
function halfForm(): ApiError {
  const allowed = [...CONTENT_NAMES, ...OPTION_NAMES];
  const error = `The form has a content field beside fields that are not known; the fields are ${allowed.join(", ")}`;
  return new ApiError("invalid_parameter", `${error}; send a text with & in it as text/plain`, {
    in: "body",
    allowed,
  });
}

const OPTION_NAMES: readonly string[] = ["expires", "isEncrypted", "passphrase"];

function fromParts(bytes: Uint8Array, contentType: string): [string, unknown][] {
  return readParts(bytes, contentType).map((part) => {
    const isNamed = CONTENT_NAMES.includes(part.name) || OPTION_NAMES.includes(part.name);
    return [part.isFile && !isNamed ? "content" : part.name, partText(part)];
  });
}

interface Field {
  readonly name: string;
  readonly value: unknown;
  readonly reading: BodyReader;
}

function putField(rawInput: RawInput, { name, value, reading }: Field): void {
  if (CONTENT_NAMES.includes(name)) return putContent(rawInput, { name, value });
  const facts = parameterOf(reading.schema, name);
  const isForm = typeof value === "string" && !isJson(mediaType(reading.context.request));
  // JSON says types itself; only `expires` may be a string of digits there, as shells write it.
  const isText = typeof value === "string";
  const typed =
    isText && name === "expires" ? readSeconds(value) : facts && isForm ? coerce(value, facts) : value;
  addParameter(rawInput, { name, value: typed, place: "body" });
}

function putContent(rawInput: RawInput, { name, value }: { name: string; value: unknown }): void {
  if (rawInput.locations.has("content")) throw repeatedParameter(name, "body");
  if (typeof value !== "string") {
    throw new ApiError("invalid_parameter", `Parameter "${name}" must be text`, {
      parameter: name,
      in: "body",
    });
  }
  addParameter(rawInput, { name: "content", value, place: "body" });
}

function putQueryExpires(rawInput: RawInput, { context }: BodyReader): void {
  const given = queryEntries(context.url).filter(([name]) => name === "expires");
  if (given.length > 1) throw repeatedParameter("expires", "query");
  if (!given[0]) return;
  const value = readSeconds(given[0][1]);
  if (!rawInput.locations.has("expires"))
    return addParameter(rawInput, { name: "expires", value, place: "query" });
  if (rawInput.values.expires === value) return;
  throw new ApiError(
    "invalid_parameter",
    'Parameter "expires" differs between body and query; give it once',
    {
      parameter: "expires",
      in: "query",
    },
  );
}

// Longer than a parameter of a tool may be, so that it is told the legal range and not that it is no number.
function readSeconds(text: string): number | string | undefined {
  if (text === "") return undefined;
  return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
}

function missingContent(isEmpty: boolean): ApiError {
  const error = isEmpty
    ? "The content is empty; send the text as the body, or as content, secret, text or data"
    : 'Parameter "content" is missing; send exactly one of content, secret, text or data';
  return new ApiError(isEmpty ? "missing_body" : "missing_parameter", error, {
    parameter: "content",
    in: "body",
  });
}
