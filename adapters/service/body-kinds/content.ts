import { ApiError, wrongParameter } from "../../../router/errors/errors.ts";
import { nextTurn, type Bytes } from "../../../wire/bytes.ts";
import { checkCharset, decodeUtf8 } from "../../trpc/body/request-body.ts";
import { parseJson } from "../../../wire/json/json-bounds.ts";
import { parseJsonBody } from "../../trpc/rest/json.ts";
import { splitForm } from "../../trpc/body/form-pieces.ts";
import { MULTIPART, partText, type Part } from "../../trpc/body/multipart.ts";
import { asQuery, documentHeaders, forms } from "../../trpc/openapi/parameters.ts";
import { TEXT } from "../../trpc/openapi/types.ts";
import {
  addHeaders,
  addParameter,
  addTexts,
  createRawInput,
  longFormEntries,
  queryEntries,
  refuseInQuery,
} from "../../trpc/rest/raw-input.ts";
import { repeatedParameter } from "../../trpc/schema/reading.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../trpc/adapter.ts";

const FORM = "application/x-www-form-urlencoded";

/** The names that a secret's content may have. */
export const CONTENT_NAMES: readonly string[] = ["content", "secret", "text", "data"];
const OPTION_NAMES: readonly string[] = ["expires", "isEncrypted", "passphrase", "label", "notify"];

/** For what a body that is the content itself, as a raw text or a file, has no place for. */
export const HEADERS = { passphrase: "Secret-Passphrase" };

/**
 * The body that creates a secret, in any of its forms: JSON (an object or a string), a form, parts, or the raw text
 * itself. Nothing is trimmed, and ambiguous bodies are refused.
 */
export const content: BodyKind = {
  read: readContent,
  types: ["application/json", FORM, "multipart/form-data", "text/plain"],
  place: "body",
  also: ({ name }) => {
    if (name === "passphrase") return [`header ${HEADERS.passphrase}`];
    return name === "expires" ? ["query"] : [];
  },
  documentParameters: (endpoint) => [
    ...asQuery(
      endpoint.input.parameters.filter(({ name }) => name === "expires"),
      endpoint,
    ),
    ...documentHeaders(endpoint, HEADERS),
  ],
  // Only JSON, so that generated clients send that.
  documentBody: (_, json) => json && { required: true, content: { "application/json": json } },
  documentAliasBody: (json) => ({
    required: true,
    content: { ...forms(json), "text/plain": { schema: TEXT } },
  }),
  curl: () => ["--data-binary @-"],
};

async function readContent(context: RequestContext, endpoint: Endpoint): Promise<RawInput> {
  refuseInQuery(context.url, {
    allowed: ["expires", "raw"],
    isBodyField: (name) => CONTENT_NAMES.includes(name) || OPTION_NAMES.includes(name),
  });
  checkCharset(context.request.headers.get("content-type"));
  const bytes = await context.body.bytes(await context.adapter.bodyLimit([endpoint], context, "json"));
  const rawInput = createRawInput();
  const isForm = !isJson(context.mediaType);
  for (const [name, value] of await readEntries(bytes, context)) {
    addField(rawInput, { name, value, isForm, context, endpoint });
  }
  addQueryExpires(rawInput, context.url);
  addHeaders(rawInput, { context, endpoint, headers: HEADERS });
  if (!rawInput.locations.has("content")) throw missingContent(bytes.length === 0);
  if (rawInput.values.content === "") throw missingContent(true);
  return rawInput;
}

async function readEntries(bytes: Bytes, context: RequestContext): Promise<[string, unknown][]> {
  if (isJson(context.mediaType)) return fromJson(parseJsonBody(bytes, context.adapter));
  if (context.mediaType === MULTIPART) return fromParts(await splitForm(bytes, context));
  // What is handed over as it is stays so: another encoding would be other bytes.
  const text = decodeUtf8(bytes, "body");
  // Reading, decoding and checking a long one take up to ten milliseconds each.
  const isLong = bytes.length > 2 ** 20;
  if (isLong) await nextTurn();
  const isForm = context.mediaType === FORM;
  const entries: [string, unknown][] = isForm ? await fromForm(text) : [["content", text]];
  if (isLong) await nextTurn();
  if (["", FORM].includes(context.mediaType) && /^\s*\{/.test(text) && looksLikeFields(bytes))
    context.warnings.push({ code: "body_stored_as_is" });
  return entries;
}

// Without a type, or with the one that curl gives to all that it sends by -d, it is unclear whether the fields were
// meant or this JSON itself is the content.
function looksLikeFields(bytes: Bytes): boolean {
  const parsed = parseJson(bytes);
  return "value" in parsed && CONTENT_NAMES.some((name) => Object.hasOwn(Object(parsed.value), name));
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

const startOf = (names: readonly string[]) => `(?:${names.join("|")})=`;
const HAS_CONTENT = new RegExp(`(?:^|&)${startOf(CONTENT_NAMES)}`);
const HAS_OPTION = new RegExp(`(?:^|&)${startOf(OPTION_NAMES)}`);
const HAS_OTHERS = new RegExp(`(?:^|&)(?!&|$|${startOf([...CONTENT_NAMES, ...OPTION_NAMES])})`);

// `curl -d 'p@ss=w&rd'` sends its text as a form: without a known field it is the content, byte for byte. A list of its
// fields takes a hundred times as long, where a text is nothing but `&`.
async function fromForm(text: string): Promise<[string, unknown][]> {
  const hasOthers = HAS_OTHERS.test(text);
  if (HAS_CONTENT.test(text) && hasOthers) {
    // What stands beside the field may be the rest of the content, so it is not quoted.
    const allowed = [...CONTENT_NAMES, ...OPTION_NAMES];
    const error = `The form has unknown fields beside its content; the fields are ${allowed.join(", ")}`;
    const advice = "send a text that contains & as text/plain";
    throw new ApiError("invalid_parameter", `${error}; ${advice}`, { in: "body", allowed });
  }
  const isForm = !hasOthers && (HAS_CONTENT.test(text) || HAS_OPTION.test(text));
  return isForm ? await longFormEntries(firstPairs(text), "body") : [["content", text]];
}

// A known name is in them twice where there are more: to decode a hundred thousand of them would be of no use.
function firstPairs(text: string): string {
  let end = 0;
  for (let pairs = 0; pairs <= CONTENT_NAMES.length + OPTION_NAMES.length; pairs++) {
    while (text[end] === "&") end++;
    const next = text.indexOf("&", end);
    if (next < 0) return text;
    end = next;
  }
  return text.slice(0, end);
}

function fromParts(parts: readonly Part[]): [string, unknown][] {
  return parts.map((part) => {
    const isNamed = CONTENT_NAMES.includes(part.name) || OPTION_NAMES.includes(part.name);
    return [part.isFile && !isNamed ? "content" : part.name, partText(part)];
  });
}

interface Field {
  readonly name: string;
  readonly value: unknown;
  /** Whether all values are text, as in every form. */
  readonly isForm: boolean;
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
}

// JSON has types of its own; only `expires` may be a string of digits there, as shells write it.
function addField(rawInput: RawInput, { name, value, isForm, ...call }: Field): void {
  if (CONTENT_NAMES.includes(name)) return addContent(rawInput, name, value);
  if (isForm && typeof value === "string" && name !== "expires")
    return addTexts(rawInput, [[name, value]], { ...call, place: "body" });
  const seconds = name === "expires" && typeof value === "string" ? readSeconds(value) : value;
  addParameter(rawInput, { name, value: seconds, place: "body" });
}

function addContent(rawInput: RawInput, name: string, value: unknown): void {
  if (rawInput.locations.has("content")) throw repeatedParameter(name, "body");
  if (typeof value !== "string") throw wrongParameter("invalid_parameter", name, "must be text");
  addParameter(rawInput, { name: "content", value, place: "body" });
}

function addQueryExpires(rawInput: RawInput, url: URL): void {
  const [first, ...more] = queryEntries(url).filter(([name]) => name === "expires");
  if (more.length > 0) throw repeatedParameter("expires", "query");
  if (!first) return;
  const value = readSeconds(first[1]);
  if (!rawInput.locations.has("expires"))
    return addParameter(rawInput, { name: "expires", value, place: "query" });
  if (rawInput.values.expires === value) return;
  const error = 'Parameter "expires" differs between body and query; give it once';
  throw new ApiError("invalid_parameter", error, { parameter: "expires", in: "query" });
}

// Digits beyond what a tool's parameter may have are read too, so that the error names the legal range instead of
// saying that it is not a number.
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
