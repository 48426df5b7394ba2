import type { z } from "zod";
import type { Caller } from "../../router/context.ts";
import { LIMITS } from "../../router/limits.ts";
import { checkFileSize, fileTooLarge, ApiError, tooLarge } from "../../router/errors.ts";
import { parameterOf, parametersOf } from "../../router/parameters.ts";
import type { HttpMeta } from "../../router/meta.ts";
import { coerce } from "./coerce.ts";
import type { Bytes } from "../../wire/bytes.ts";
import type { RequestContext } from "../http/request-context.ts";
import { isMultipart, partText, readParts, type Part } from "./multipart.ts";
import {
  formEntries,
  createRawInput,
  addParameter,
  addStrings,
  queryEntries,
  repeatedParameter,
  warnUnknownParameter,
  type RawInput,
} from "./raw-input.ts";
import { asObject, checkCharset, decodeText, mediaType, parseJson } from "../http/content-type.ts";

const KIB = 1024;
const FIELDS_BYTES = 64 * KIB;
const LARGE_JSON_BYTES = 512 * KIB;
const JSON_BYTES = 1024 * KIB;
// What base64 and escapes add to the bytes that a limit speaks of.
const JSON_FACTOR = 1.5;
const FORM_OVERHEAD_BYTES = 64 * KIB;

export interface BodyReader {
  readonly context: RequestContext;
  readonly http: HttpMeta;
  readonly schema: z.ZodObject;
  readonly caller: Caller;
}

/** A tool's file and its options: raw body and query, or a form whose first file part is the file. */
export async function readFile(reading: BodyReader): Promise<RawInput> {
  const { context, schema, http } = reading;
  const rawInput = createRawInput();
  const { warnings, url, request } = context;
  addStrings(rawInput, queryEntries(url), { schema, place: "query", warnings });
  putPasswordHeader(rawInput, reading);
  if (isMultipart(request.headers.get("content-type"))) {
    await putForm(rawInput, reading);
  } else {
    const read = fileLimit(reading);
    const file = http.body === "stream" ? context.body.chunks(read) : await context.body.bytes(read);
    addParameter(rawInput, { name: "file", value: file, place: "body" });
  }
  const { file } = rawInput.values;
  if (http.body === "file" && !(file instanceof Uint8Array && file.length > 0)) throw missingFile();
  return rawInput;
}

function fileLimit({ caller: { tier } }: BodyReader, overhead = 0) {
  return {
    limit: LIMITS[tier].fileSize + overhead,
    tooLarge: (actual?: number) => fileTooLarge(tier, actual),
  };
}

function missingFile(what = "The body is empty"): ApiError {
  return new ApiError(
    "missing_body",
    `${what}; send the file as the raw body, or as the first file part of multipart/form-data`,
    { parameter: "file", in: "body" },
  );
}

// A URL is no place for a password: it is logged on the way. The header takes any text, percent-encoded.
function putPasswordHeader(rawInput: RawInput, { context, schema }: BodyReader): void {
  const value = context.request.headers.get("tool-password");
  if (value === null || !("password" in schema.shape)) return;
  const [[, password] = ["", ""]] = formEntries(`password=${value.replaceAll("+", "%2B")}`, "header");
  addParameter(rawInput, { name: "password", value: password || undefined, place: "header" });
}

async function putForm(rawInput: RawInput, reading: BodyReader): Promise<void> {
  const { context, schema } = reading;
  const { body, request, warnings } = context;
  const read = fileLimit(reading, FORM_OVERHEAD_BYTES);
  const parts = readParts(await body.bytes(read), request.headers.get("content-type") ?? "");
  const [file, ...more] = parts.filter((part) => part.isFile);
  if (!file) throw missingFile("The form has no part with a file name");
  if (more.length > 0) warnings.push("Only the first file part is read; the others were ignored");
  checkFileSize(file.bytes.length, reading.caller.tier);
  // The part is a view on the whole form; a tool is given its bytes alone.
  addParameter(rawInput, { name: "file", value: file.bytes.slice(), place: "body" });
  const texts = parts.filter((part) => !part.isFile);
  addStrings(rawInput, texts.map(textEntry), { schema, place: "body", warnings });
}

function textEntry(part: Part): [string, string] {
  return [part.name, partText(part)];
}

/** The parameters of a call without a body. */
export function readQuery({ context, schema }: BodyReader): RawInput {
  const rawInput = createRawInput();
  const { warnings, url } = context;
  addStrings(rawInput, queryEntries(url), { schema, place: "query", warnings });
  return rawInput;
}

/** A JSON tool's parameters: an object, whatever the Content-Type says, and the query beside it. */
export async function readJson(reading: BodyReader): Promise<RawInput> {
  const { context, schema, caller, http } = reading;
  const rawInput = readQuery(reading);
  const { warnings, body, request } = context;
  if (request.method === "GET") return rawInput;
  const bytes = await body.bytes(jsonLimit(caller, http));
  if (bytes.length === 0 && !parametersOf(schema).some(({ required }) => required)) return rawInput;
  if (bytes.length === 0) throw missingJson(schema);
  for (const [name, value] of Object.entries(asObject(await parseBody(bytes, reading)))) {
    if (Object.hasOwn(schema.shape, name)) addParameter(rawInput, { name, value, place: "body" });
    else warnUnknownParameter(warnings, { name, known: Object.keys(schema.shape) });
  }
  return rawInput;
}

// Half a second for 50 MB, in which nobody else would be answered.
async function parseBody(bytes: Bytes, { context }: BodyReader): Promise<unknown> {
  if (bytes.length < LARGE_JSON_BYTES) return parseJson(bytes);
  const { services } = context.trpcContext;
  const { signal } = context.request;
  const parsed = await services.runJob("parseTexts", [bytes], { signal });
  if ("fault" in parsed)
    throw new ApiError(parsed.fault, "The body is not valid JSON in UTF-8", { in: "body" });
  const texts = Object.entries(parsed.texts).map(([name, text]) => [name, decodeText(text, "body")]);
  return { ...asObject(parsed.value), ...Object.fromEntries(texts) };
}

function missingJson(schema: z.ZodObject): ApiError {
  const names = Object.keys(schema.shape).join(", ");
  return new ApiError("missing_body", `The body is empty; send a JSON object with ${names}`, { in: "body" });
}

function jsonLimit({ tier }: Caller, { largeJson }: HttpMeta) {
  const value = largeJson ? LIMITS[tier].totalSize : JSON_BYTES;
  const limit = largeJson ? "totalSize" : "bodySize";
  const about = { what: "The body", limit, value, unit: "bytes", tier };
  const tokenValue = largeJson ? LIMITS.member.totalSize : undefined;
  return {
    limit: largeJson ? value * JSON_FACTOR + JSON_BYTES : value,
    tooLarge: (actual?: number) => tooLarge("total_too_large", { ...about, actual, tokenValue }),
  };
}

/** The few fields of a secret's reveal, status or revoke: JSON or either kind of form, never the query. */
export async function readFields({ context, schema, caller, http }: BodyReader): Promise<RawInput> {
  const rawInput = createRawInput();
  const { url, request, body } = context;
  refuseInQuery(url, { schema, allowed: http.text?.by === "raw" ? ["raw"] : [] });
  checkCharset(request);
  const bytes = await body.bytes(fieldsLimit(caller));
  const type = mediaType(request);
  if (bytes.length === 0) return rawInput;
  if (isMultipart(request.headers.get("content-type"))) {
    const parts = readParts(bytes, request.headers.get("content-type") ?? "");
    putFields(rawInput, typed(parts.map(textEntry), schema));
  } else if (type === "application/x-www-form-urlencoded") {
    putFields(rawInput, typed(formEntries(decodeText(bytes, "body"), "body"), schema));
  } else {
    putFields(rawInput, Object.entries(asObject(parseJson(bytes))));
  }
  return rawInput;
}

// A form says everything as text.
function typed(entries: [string, string][], schema: z.ZodObject): [string, unknown][] {
  return entries.map(([name, text]) => {
    const facts = parameterOf(schema, name);
    return [name, facts ? coerce(text, facts) : text];
  });
}

function putFields(rawInput: RawInput, entries: Iterable<[string, unknown]>): void {
  for (const [name, value] of entries) addParameter(rawInput, { name, value, place: "body" });
}

function fieldsLimit({ tier }: Caller) {
  const about = { what: "The body", limit: "bodySize", value: FIELDS_BYTES, unit: "bytes", tier };
  return {
    limit: FIELDS_BYTES,
    tooLarge: (actual?: number) => tooLarge("content_too_large", { ...about, actual }),
  };
}

interface InQuery {
  readonly schema: z.ZodObject;
  readonly allowed: readonly string[];
}

/** Refuses what has no business in a URL, where proxies and browsers would keep it. */
export function refuseInQuery(url: URL, { schema, allowed }: InQuery): void {
  const entries = queryEntries(url);
  for (const [name, value] of entries) {
    if (name === "raw" && allowed.includes(name)) checkRaw(value, entries);
    if (allowed.includes(name)) continue;
    const parameter = name.slice(0, 64);
    const error =
      Object.hasOwn(schema.shape, name) || CONTENT_NAMES.includes(name)
        ? `Parameter "${parameter}" must be in the body; a URL is kept in logs and histories`
        : `Parameter "${parameter}" is not known in the query; ${allowed.length ? `only ${allowed.join(" and ")} may be there` : "nothing may be there"}`;
    throw new ApiError("invalid_parameter", error, { parameter, in: "query", allowed });
  }
}

// A reading with a misspelt `raw` must not consume the secret only to answer in the wrong shape.
function checkRaw(value: string, entries: readonly [string, string][]): void {
  if (entries.filter(([name]) => name === "raw").length > 1) throw repeatedParameter("raw", "query");
  if (["", "true", "false", "1", "0"].includes(value)) return;
  throw new ApiError("invalid_parameter", 'Parameter "raw" must be true or false', {
    parameter: "raw",
    in: "query",
    allowed: [true, false],
    received: value.slice(0, 64),
  });
}

/** What a secret's content may be called. */
export const CONTENT_NAMES: readonly string[] = ["content", "secret", "text", "data"];
