import { isTrackedEnvelope } from "@trpc/server";
import { FastResponse } from "srvx";
import { CallError } from "../../../wire/call-error.ts";
import type { Endpoint, RequestContext, RawInput, WriteResult } from "../adapter.ts";
import { answerHead, answerNothing, answerParts, answerText, hasNoBody } from "../answer/answer-parts.ts";
import { methodsOf, TEXT_PATH } from "../endpoints.ts";
import type { Route } from "../request.ts";
import { answerEvents, EVENTS_CACHE, listenerOf, pauseOf } from "../answer/events.ts";
import { formatThrown, writeError, writtenError } from "../answer/write-error.ts";
import { addTexts, typedInput } from "./raw-input.ts";
import { warnDropped, warnOfBody, warnUnknownParameter } from "./unknown-parameter.ts";
import { utf8, type Bytes } from "../../../wire/bytes.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { prefers, hasTag, notModified } from "../answer/negotiation.ts";
import { answerCompressed, codedTag, codingOf } from "../answer/compressed.ts";
import { base64Within, jsonOf, spliceParts } from "../answer/json-text.ts";
import type { AnswerPart } from "../answer/stream.ts";
import type { HttpMeta } from "../meta.ts";
import { isPromise } from "./json.ts";

/** Headers of an event stream. nginx would buffer what it could send at once. */
const EVENT_HEADERS: readonly [string, string][] = [
  ["Content-Type", "text/event-stream; charset=utf-8"],
  ["X-Accel-Buffering", "no"],
];

/** A route for every path and method of a procedure. */
export function routesOf(endpoint: Endpoint, basePath = ""): Route[] {
  return endpoint.paths.flatMap((template) => {
    const { path, names } = routePath(basePath + template);
    return methodsOf(endpoint).map((method): Route => ({
      method,
      path,
      label: template.replace(/\{([^{}]+)\}/g, ":$1"),
      handle: (context, params) =>
        callProcedure(
          endpoint,
          context,
          names.map((name, i) => [name, params[`p${i}`] ?? ""]),
        ),
    }));
  });
}

/** An OpenAPI path in h3's notation, with parameters named by their order: two procedures may name one differently. */
function routePath(template: string): { path: string; names: readonly string[] } {
  const names: string[] = [];
  const parts = template.split(/\{([^{}]+)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[\\:*()]/g, "\\$&");
    names.push(part);
    return `:p${names.length - 1}`;
  });
  return { path: parts.join(""), names };
}

/** Answers one call: the procedure's own input step reads the body, after everything that comes before it. */
async function callProcedure(
  endpoint: Endpoint,
  context: RequestContext,
  inPath: readonly (readonly [name: string, encoded: string])[],
): Promise<Response> {
  const { procedure, run, rpc: path } = endpoint;
  const { type } = procedure._def;
  const isStreamed = endpoint.isSubscription;
  const { request } = context;
  const isHead = request.method === "HEAD";
  if (isHead && !runsForHead(endpoint)) {
    const type = isPlain(context, endpoint.http) ? TEXT_TYPE : JSON_TYPE;
    return answerHead(context, [endpoint], {
      headers: isStreamed ? [...EVENT_HEADERS, ["Cache-Control", EVENTS_CACHE]] : [["Content-Type", type]],
      read: () => readInput(endpoint, context, inPath),
    });
  }
  // Such a result may turn out to be a generator, too.
  const mayBeLate = endpoint.http.result === "json" && !endpoint.isPlainResult;
  const left = isStreamed || mayBeLate ? listenerOf(context) : undefined;
  let rawInput: RawInput | undefined;
  let input: Promise<unknown> | undefined;
  const read = async () => {
    rawInput = await readInput(endpoint, context, inPath);
    const isNothing = rawInput.locations.size === 0 && rawInput.body !== "object";
    if (isNothing && rawInput.body === "null") return null;
    if (isNothing && endpoint.input.mayBeAbsent) return undefined;
    const typed = await typedInput(rawInput, endpoint);
    // Names that no parameter has are no longer in it.
    if (endpoint.input.dropsInside && !endpoint.body.tellsInside)
      warnDropped(context.warnings, typed, endpoint.input);
    return typed;
  };
  try {
    await context.prepare?.();
    const result = await run({
      path,
      // Each of several inputs asks for it, and a middleware may too.
      getRawInput: () => (input ??= read()),
      ctx: context.trpcContext,
      type,
      signal: left?.signal ?? request.signal,
      batchIndex: 0,
    });
    if (!input) warnUnread(context, endpoint);
    const isStream = isStreamed || Symbol.asyncIterator in Object(result);
    if (isStream && endpoint.http.result !== "file") return writeEvents(result, { context, endpoint, left });
    const response = await endpoint.write(mayBeLate ? await settled(result) : result, context, endpoint);
    return isHead ? withoutBody(response) : response;
  } catch (error) {
    // A subscription that has begun has no listener.
    left?.abort();
    const locate = (name: string) =>
      rawInput?.locations.get(name) ?? usualPlaceOf(name, endpoint, request.method);
    // Only the first contains what came after a file.
    const known = { ...rawInput?.values, ...Object(await input?.catch(() => undefined)) };
    const failed = { path, input: known, locate, ctx: context.trpcContext };
    return writeError(formatThrown(error, context, failed), context);
  }
}

// Nothing reads the query or the body for a procedure without an input.
function warnUnread(context: RequestContext, { http }: Endpoint): void {
  const { url, warnings } = context;
  warnOfBody(context);
  for (const name of new Set(url.searchParams.keys()))
    if (name !== "raw" || !http.text) warnUnknownParameter(warnings, name, []);
}

/** Where a parameter belongs that was not sent. */
function usualPlaceOf(name: string, { body, input }: Endpoint, method: string): string {
  if (method === "GET" || method === "HEAD") return "query";
  const parameter = input.parameters.find((each) => each.name === name);
  return parameter && body.isInBody?.(parameter) ? "body" : body.place;
}

/**
 * A result with what its promises become, and theirs, for which tRPC's lines do not wait.
 * @throws TypeError where one of its values is a stream, which tRPC refuses too in an answer that is no stream
 */
function settled(result: unknown): unknown {
  if (Object.getPrototypeOf(result ?? 0) !== Object.prototype) return result;
  const entries = Object.entries(Object(result) as Record<string, unknown>);
  const stream = entries.find(([, value]) => Symbol.asyncIterator in Object(value));
  if (stream) throw new TypeError(`"${stream[0]}" of a result is a stream, which JSON cannot carry`);
  if (!entries.some(([, value]) => isPromise(value))) return result;
  const all = Promise.all(entries.map(async ([name, value]) => [name, await settled(await value)] as const));
  return all.then((known) => Object.fromEntries(known));
}

interface EventResult {
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
  /** Is aborted when nobody listens any more. */
  readonly left: AbortController | undefined;
}

/**
 * Sends what a subscription or a generator yields: `message` with the value as JSON, and an id for tracked values; at the
 * end `done` with the return value, or `error` with the body of an error.
 */
function writeEvents(result: unknown, { context, endpoint, left }: EventResult): Response {
  const headers = new Headers(context.responseHeaders);
  context.adapter.addWarnings(headers, context);
  for (const [name, value] of EVENT_HEADERS) headers.set(name, value);
  const { ping } = context.adapter.router._def._config.sse ?? {};
  return answerEvents(result, {
    context,
    headers,
    left,
    writer: {
      first: [],
      idle: { event: undefined, afterMs: pauseOf(ping?.enabled ? ping.intervalMs : undefined) },
      value: (value) =>
        isTrackedEnvelope(value)
          ? [{ event: "message", id: value[0], data: jsonOf(value[1]) }]
          : [{ event: "message", data: jsonOf(value) }],
      end: (value) => ({ event: "done", data: jsonOf(value) }),
      failure: (thrown) => {
        const failure = formatThrown(thrown, context, { path: endpoint.rpc, ctx: context.trpcContext });
        return { event: "error", data: JSON.stringify(writtenError(failure, context.requestId)) };
      },
    },
  });
}

// Its length, tag or coding is known only once it has run, which GET may do at any time (RFC 9110, 9.3.2).
function runsForHead({ openapi, http }: Endpoint): boolean {
  return (
    openapi.method === "GET" && (http.result === "file" || http.hasTag === true || http.compressed === true)
  );
}

function withoutBody({ status, headers, body }: Response): Response {
  void body?.cancel();
  return new FastResponse(null, { status, headers });
}

async function readInput(
  endpoint: Endpoint,
  context: RequestContext,
  inPath: readonly (readonly [name: string, encoded: string])[],
): Promise<RawInput> {
  const rawInput = await endpoint.body.read(context, endpoint);
  for (const [name, encoded] of inPath) {
    const texts: [string, string][] = [[name, decodePath(encoded, name)]];
    addTexts(rawInput, texts, { context, endpoint, place: "path" });
  }
  addLastEvent(rawInput, context, endpoint);
  return rawInput;
}

// The last event that an EventSource has received; the id in its URL is older then (WHATWG HTML, 9.2.3).
function addLastEvent(rawInput: RawInput, context: RequestContext, endpoint: Endpoint): void {
  const { input } = endpoint;
  const last = context.request.headers.get("last-event-id");
  if (last === null || !endpoint.isSubscription) return;
  if (input.unknown !== "kept" && !input.names.includes("lastEventId")) return;
  rawInput.locations.delete("lastEventId");
  addTexts(rawInput, [["lastEventId", last]], { context, endpoint, place: "header" });
}

// h3 leaves the parts of a path encoded.
function decodePath(encoded: string, parameter: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    const error = `Parameter "${parameter}" in the path is not percent-encoded UTF-8`;
    throw new CallError("invalid_text", error, { parameter, in: "path" });
  }
}

export const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/** Writes a result as JSON, or one field of it as bare text. */
export const writeJson: WriteResult = (result, context, { http, isPlainResult }) => {
  const text = isPlain(context, http) ? plainText(result, http) : undefined;
  // Nothing is thrown from here on, so these need no copy.
  const { responseHeaders: headers, jsonParts, request } = context;
  if (context.warnings.length > 0) context.adapter.addWarnings(headers, context);
  const coding = http.compressed && codingOf(context, headers);
  // A procedure may know whether its result has changed.
  const tag = headers.get("ETag");
  if (tag !== null) {
    headers.set("ETag", codedTag(tag, coding));
    if (hasTag(request, codedTag(tag, coding))) return notModified(headers);
  }
  headers.set("Content-Type", text === undefined ? JSON_TYPE : TEXT_TYPE);
  const answer = { context, status: http.status ?? 200, headers };
  if (hasNoBody(answer.status)) return answerNothing(answer);
  if (text instanceof Uint8Array) return write([text]);
  const written =
    text ?? (isPlainResult ? JSON.stringify(result ?? null) : jsonOf(result, base64Within(jsonParts)));
  if (text === undefined && jsonParts.length > 0) return write(spliceParts(written, jsonParts));
  return coding ? write([utf8(written)]) : answerText(written, answer);

  function write(parts: readonly AnswerPart[]): Response {
    return coding ? answerCompressed(parts, answer, coding) : answerParts(parts, answer);
  }
};

/** Whether a call is answered with one field of its result as bare text. */
function isPlain(context: RequestContext, { text }: HttpMeta): boolean {
  return text !== undefined && (text.by === "raw" ? wantsRaw(context.url) : wantsLines(context));
}

function plainText(result: unknown, { text }: HttpMeta): string | Bytes | undefined {
  if (!text) return undefined;
  const { field, by } = text;
  const value: unknown = Reflect.get(Object(result), field);
  // A link ends with a newline; a revealed content is exactly what was sent.
  if (by === "raw") return field === "url" ? `${String(value)}\n` : String(value);
  if (value instanceof JsonText) return value.lines;
  return Array.isArray(value) ? value.map((line) => `${String(line)}\n`).join("") : undefined;
}

/** Whether a call came by this end of a path; h3's routes take a slash after it too. */
export function endsWithPath({ pathname }: URL, end: string): boolean {
  return pathname.endsWith(end) || pathname.endsWith(`${end}/`);
}

/** Whether a call asks for the bare text. */
export function wantsRaw(url: URL): boolean {
  return endsWithPath(url, TEXT_PATH) || ["true", "1", ""].includes(url.searchParams.get("raw") ?? "false");
}

function wantsLines({ request, url }: RequestContext): boolean {
  const accept = request.headers.get("accept");
  return (
    endsWithPath(url, TEXT_PATH) ||
    (accept !== null && prefers("text/plain", { over: "application/json", accept }))
  );
}
