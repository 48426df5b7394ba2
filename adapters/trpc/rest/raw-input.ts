import { nextTurn, utf8 } from "../../../wire/bytes.ts";
import { CallError } from "../../../wire/call-error.ts";
import { quoteStart } from "../../../wire/escaped-name.ts";
import type { RawInput, RequestContext, RpcEndpoint } from "../adapter.ts";
import type { Parameter } from "../schema/input.ts";
import { readValues } from "../schema/read-value.ts";
import { mayBeNull } from "../schema/shape-parts.ts";
import { MAX_VALUES, repeatedParameter, TextTree, tooManyIn } from "../schema/reading.ts";
import { type DecodedBytes, decodePiece, PIECE_BYTES } from "../body/form-pieces.ts";
import { EXACT } from "../body/request-body.ts";
import { asObject } from "./json.ts";
import { warnUnknownParameter } from "./unknown-parameter.ts";

/** Without a prototype, so that a parameter may be called `constructor`. */
export function createRawInput(): RawInput {
  return { values: Object.create(null), locations: new Map(), hasTexts: false };
}

/** Adds a value once. @throws CallError repeated_parameter */
export function addParameter(
  into: RawInput,
  { name, value, place }: { name: string; value: unknown; place: string },
): void {
  if (into.locations.has(name)) throw repeatedParameter(name, place);
  into.locations.set(name, place);
  if (value !== undefined) into.values[name] = value;
}

/** Adds a JSON value, or warns where the schema would silently drop it. */
export function addValue(
  into: RawInput,
  [name, value]: readonly [string, unknown],
  { context, endpoint }: { context: RequestContext; endpoint: RpcEndpoint },
): void {
  into.body = "object";
  if (skipUnknown(name, context, endpoint)) return;
  addParameter(into, { name, value, place: "body" });
}

/** Adds the keys of a JSON object, or null where the whole input may be that. @throws CallError invalid_json */
export function addFields(
  into: RawInput,
  body: unknown,
  call: { context: RequestContext; endpoint: RpcEndpoint },
): void {
  into.body = body === null && mayBeNull(call.endpoint.input.shape) ? "null" : "object";
  const values = into.body === "null" ? {} : asObject(body);
  for (const entry of Object.entries(values)) addValue(into, entry, call);
}

// Whether a name is unknown and ignored; then the caller is told.
function skipUnknown(name: string, { warnings }: RequestContext, { input, http }: RpcEndpoint): boolean {
  const isIgnored = http.unknown === "warn" || input.unknown === "left out";
  if (!isIgnored || input.names.includes(name)) return false;
  warnUnknownParameter(warnings, name, input.parameters.filter(isText));
  return true;
}

function isText({ type }: Parameter): boolean {
  return type !== "file";
}

/**
 * Adds texts of a query or form; their types are read once all have come. A repeated name is the next item of a list,
 * `a[b]` is inside `a`.
 */
export function addTexts(
  into: RawInput,
  entries: Iterable<readonly [string, string]>,
  { context, endpoint, place }: { context: RequestContext; endpoint: RpcEndpoint; place: string },
): void {
  const { input, http } = endpoint;
  for (const [name, text] of entries) {
    if (place === "body") into.body = "object";
    const parameter = input.parameters.find((each) => each.name === name);
    const [top = name, ...inner] = parameter ? [name] : namesIn(name);
    const isNull = text === "null" && input.files.some((file) => file.name === name && file.isNullable);
    if (parameter?.type === "file" && !isNull) {
      warnUnknownParameter(context.warnings, name, input.parameters.filter(isText));
    } else if (inner.length > 0 && input.names.includes(top)) {
      addSent(into, { path: [top, ...inner], text, place });
    } else if (!parameter && skipUnknown(name, context, endpoint)) {
      continue;
    } else if (text === "" && parameter && http.emptyTexts === "absent") {
      addEmpty(into, parameter, place);
    } else if (parameter && input.texts.has(name)) {
      addParameter(into, { name, value: text, place });
    } else {
      addSent(into, { path: [top, ...inner], text, place });
    }
  }
}

/** The names in `a[b][c]`, OpenAPI's deepObject form of nested values. @throws CallError invalid_parameter */
function namesIn(name: string): string[] {
  const at = name.indexOf("[");
  if (at <= 0 || !name.endsWith("]")) return [name];
  const inner = name.slice(at + 1, -1).split("][");
  // Brackets used otherwise are part of an ordinary name.
  if (inner.some((each) => each.includes("[") || each.includes("]"))) return [name];
  if (inner.length < MAX_DEPTH) return [name.slice(0, at), ...inner];
  const parameter = name.slice(0, Math.min(at, 64));
  const error = `Parameter "${parameter}" is nested more than ${MAX_DEPTH} deep`;
  throw new CallError("invalid_parameter", error, { parameter, maximum: MAX_DEPTH });
}

/** The most levels of a name: `a[b]` has two. */
const MAX_DEPTH = 32;

/** Texts with one name must be in one place: in two it would be unclear which is meant. */
function addSent(
  into: RawInput,
  { path: [top = "", ...inner], text, place }: { path: readonly string[]; text: string; place: string },
): void {
  const known = into.values[top];
  if (into.locations.has(top) && !(known instanceof TextTree && into.locations.get(top) === place))
    throw repeatedParameter(top, place);
  const sent = known instanceof TextTree ? known : new TextTree();
  sent.add(inner, text);
  into.hasTexts = true;
  into.locations.set(top, place);
  into.values[top] = sent;
}

// A form sends a field that nobody filled in, such as a password, as an empty text. Where a text has a default, as a
// separator has, the empty one may be meant, unless it cannot be, as for a color.
function addEmpty(
  into: RawInput,
  { name, type, required, enum: allowed, default: fallback, schema: { pattern } }: Parameter,
  place: string,
): void {
  const mayBeMeant = fallback !== undefined && (pattern === undefined || new RegExp(pattern, "u").test(""));
  const isAbsent =
    !required && (type !== "string" || allowed !== undefined || !mayBeMeant) && type !== "boolean";
  const value = type === "boolean" ? true : isAbsent ? undefined : "";
  if (value === "") addSent(into, { path: [name], text: "", place });
  else addParameter(into, { name, value, place });
}

/** The input of a call, typed by its schema. @throws CallError repeated_parameter, invalid_parameter */
export function typedInput(
  { values, locations, hasTexts }: RawInput,
  { input, http }: RpcEndpoint,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  if (!hasTexts && input.isJson) return { ...values };
  return readValues(values, input.shape, { rules: http, placeOf: (name) => locations.get(name) });
}

/** Reads the query, for every kind of body that allows parameters there. */
export function readQuery(context: RequestContext, endpoint: RpcEndpoint): RawInput {
  const rawInput = createRawInput();
  addTexts(rawInput, queryEntries(context.url), { context, endpoint, place: "query" });
  return rawInput;
}

/** Every entry of a query string, decoded. @throws CallError invalid_text */
export function queryEntries(url: URL): Entries {
  return formEntries(url.search.slice(1), "query");
}

/** Decodes `application/x-www-form-urlencoded` text strictly, where URLSearchParams would write U+FFFD. */
export function formEntries(text: string, place: string): Entries {
  const steps = readEntries(text, place);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same of a text that may be long, with turns for others in between. */
export async function longFormEntries(text: string, place: string): Promise<Entries> {
  const steps = readEntries(text, place);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

type Entries = [name: string, value: string][];

/** Yields where so much was decoded that others should have a turn. */
function* readEntries(text: string, place: string): Generator<void, Entries, void> {
  const pairs = text.split("&", MAX_VALUES + 1);
  if (pairs.length > MAX_VALUES) throw tooManyIn(place, MAX_VALUES);
  const entries: Entries = [];
  let read = 0;
  for (const pair of pairs) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    entries.push([yield* decodeForm(name, place), yield* decodeForm(value, place)]);
    read += pair.length;
    if (read < PIECE_BYTES) continue;
    read = 0;
    yield;
  }
  return entries;
}

// In one pass over bytes: replacing each + and each lone % in a text of 6 MB takes a second and a half.
function* decodeForm(text: string, place: string): Generator<void, string, void> {
  if (!/[+%]/.test(text)) return text;
  const decoding: DecodedBytes = { bytes: utf8(text), at: 0, length: 0 };
  for (decodePiece(decoding); decoding.at < decoding.bytes.length; decodePiece(decoding)) yield;
  try {
    return EXACT.decode(decoding.bytes.subarray(0, decoding.length));
  } catch {
    const error = `The ${place} contains percent-encoded bytes that are not UTF-8`;
    throw new CallError("invalid_text", error, { in: place });
  }
}

/** Headers for parameters, by their names: a URL is logged, and a body may be a file. */
export type ParameterHeaders = Readonly<Record<string, string>>;

/** The table without a prototype: a parameter may be called `constructor`. */
export function bareHeaders(headers: ParameterHeaders = {}): ParameterHeaders {
  return Object.assign(Object.create(null), headers) as ParameterHeaders;
}

/** Adds the parameters that came in headers, percent-encoded. @throws CallError repeated_parameter, invalid_text */
export function addHeaders(
  rawInput: RawInput,
  {
    context,
    endpoint,
    headers,
  }: { context: RequestContext; endpoint: RpcEndpoint; headers: ParameterHeaders },
): void {
  for (const { name } of endpoint.input.parameters) {
    const sent = headers[name] === undefined ? null : context.request.headers.get(headers[name]);
    if (sent === null) continue;
    const value = decodeHeader(sent, String(headers[name]));
    addParameter(rawInput, { name, value: value || undefined, place: "header" });
  }
}

// What is sent unencoded comes as one character for each byte.
function decodeHeader(sent: string, header: string): string {
  try {
    const bytes = Uint8Array.from(sent, (character) => character.charCodeAt(0));
    return decodeURIComponent(EXACT.decode(bytes));
  } catch {
    const error = `The header ${header} must be UTF-8, percent-encoded: a % itself is %25`;
    throw new CallError("invalid_text", error, { parameter: header, in: "header" });
  }
}

/** Refuses what does not belong in a URL, where proxies and browsers would keep it. */
export function refuseInQuery(
  url: URL,
  {
    allowed,
    isBodyField,
  }: {
    /** Names that may be in the query. */
    allowed: readonly string[];
    /** Whether a name belongs in the body. */
    isBodyField: (name: string) => boolean;
  },
): void {
  const entries = queryEntries(url);
  for (const [name, value] of entries) {
    if (name === "raw" && allowed.includes(name)) checkRaw(value, entries);
    if (allowed.includes(name)) continue;
    const parameter = quoteStart(name);
    const places = allowed.length > 0 ? `only ${allowed.join(" and ")} may be there` : "nothing may be there";
    const error = isBodyField(name)
      ? `Parameter "${parameter}" must be in the body; a URL is kept in logs and histories`
      : `Parameter "${parameter}" is not known in the query; ${places}`;
    throw new CallError("invalid_parameter", error, { parameter, in: "query", allowed });
  }
}

// A misspelt `raw` must not run the procedure and then answer in the wrong form.
function checkRaw(value: string, entries: readonly [string, string][]): void {
  if (entries.filter(([name]) => name === "raw").length > 1) throw repeatedParameter("raw", "query");
  if (["", "true", "false", "1", "0"].includes(value)) return;
  throw new CallError("invalid_parameter", 'Parameter "raw" must be true or false', {
    parameter: "raw",
    in: "query",
    allowed: [true, false],
    received: quoteStart(value),
  });
}
