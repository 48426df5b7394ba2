import { TRPCError } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import { CallError } from "../../../wire/call-error.ts";
import { checkFinite } from "../../../wire/json/json-bounds.ts";
import { type ParsedCalls, inputTrees, type Inputs } from "../../../wire/json/json-calls.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import { rememberName, utf8 } from "../../../wire/bytes.ts";
import { decodeFrame, type FileLabel, headOf, openFrame, type Transform } from "../../../wire/frame.ts";
import type { Utf8Text } from "../../../wire/given-text.ts";
import type { Endpoint, RequestContext, RpcEndpoint } from "../adapter.ts";
import { loopTurn } from "../body/pace.ts";
import { MULTIPART } from "../body/multipart.ts";
import {
  checkJson,
  invalidJson,
  LARGE_JSON_BYTES,
  parseJsonBody,
  restoreText,
  unreadableJson,
} from "../rest/json.ts";
import { isRest } from "../endpoints.ts";
import { ANY } from "../schema/shape.ts";
import { typedInput } from "../rest/raw-input.ts";
import { callLimit, readOnce } from "./answers.ts";
import { FramedFiles } from "./framed-files.ts";
import { headReader, readByTransformer } from "./transformer.ts";

/**
 * Reads the inputs of calls here, once a procedure asks. tRPC 11.25 would parse a body itself
 * (unstable-core-do-not-import/http/contentType.ts), however large, in the one thread that answers everybody. Resolves
 * when nobody needs the body any more; calls do not tell that, since each may be refused before it asks. Undefined
 * where there is none.
 */
export function readInputsHere(
  { calls, isBatchCall }: TRPCRequestInfo,
  context: RequestContext,
): Promise<void> | undefined {
  const { adapter } = context;
  let resolve = () => {};
  const read = new Promise<void>((done) => (resolve = done));
  const isAsked = ({ path }: { path: string }) =>
    (adapter.procedures[path]?.input.takes ?? "nothing") !== "nothing";
  if (!calls.some(isAsked)) resolve();
  const readers = readersOf(
    context,
    calls.map(({ path }) => path),
    isBatchCall,
  );
  for (const [place, call] of calls.entries()) {
    const { path } = call;
    const read = async () => readers[place]?.().finally(resolve);
    Object.assign(call, readOnce(read, context, adapter.procedures[path]));
  }
  return context.request.method === "POST" ? read : undefined;
}

/** Reads the input of each query or mutation in JSON. */
export function readersOf(
  context: RequestContext,
  paths: readonly string[],
  isBatch: boolean,
): (() => Promise<unknown>)[] {
  let inputs: Promise<Inputs> | undefined;
  const isPost = context.request.method === "POST";
  const read = () =>
    (inputs ??= isPost
      ? readJson(context, paths, isBatch).catch(refuseForTrpc)
      : readQuery(context, paths.length, isBatch));
  return paths.map((_, place) => async () => (await read())[place]);
}

async function readQuery({ url, adapter }: RequestContext, count: number, isBatch: boolean): Promise<Inputs> {
  const text = url.searchParams.get("input");
  const { transformer } = adapter.router._def._config;
  if (!text) return {};
  try {
    const mayOverflow = checkJson(utf8(text), adapter, "query");
    const sent: unknown = JSON.parse(text);
    // A transformer may make infinite numbers on purpose, and objects that stand in several places.
    if (mayOverflow) checkFinite(sent, "query");
    if (isBatch && (typeof sent !== "object" || sent === null || Array.isArray(sent))) throw noInputs();
    const trees = inputTrees(sent, count, isBatch);
    return { ...trees.map((tree) => (tree === undefined ? tree : transformer.input.deserialize(tree))) };
  } catch (cause) {
    if (cause instanceof CallError) refuseForTrpc(cause);
    throw cause instanceof TRPCError ? cause : new TRPCError({ code: "BAD_REQUEST", cause });
  }
}

// In tRPC's own words.
function noInputs(): TRPCError {
  const message = '"input" needs to be an object when doing a batch call';
  return new TRPCError({ code: "BAD_REQUEST", message });
}

const TRPC_CODES: Readonly<Record<number, TRPCError["code"]>> = {
  400: "BAD_REQUEST",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
};

// tRPC takes any other error for an unexpected one, and so would a router's own formatter.
export function refuseForTrpc(cause: unknown): never {
  const code = cause instanceof CallError ? TRPC_CODES[cause.status] : undefined;
  if (!code || !(cause instanceof CallError)) throw cause;
  throw new TRPCError({ code, message: cause.message, cause });
}

async function readJson(
  context: RequestContext,
  paths: readonly string[],
  isBatch: boolean,
): Promise<Inputs> {
  const { adapter } = context;
  const [only] = isBatch ? [] : paths.map((path) => adapter.procedures[path]);
  // An object of parameters would take a FormData for an empty object.
  if (only && only.input.takes !== "object") {
    if (context.mediaType === MULTIPART) return { 0: await readFormData(context) };
    if (context.mediaType === OCTETS) return { 0: await readOctets(context) };
  }
  if (only && isRest(only) && [MULTIPART, OCTETS].includes(context.mediaType))
    return { 0: await readAsRest(only, context) };
  if (context.mediaType !== "application/json") throw wrongRpcType();
  const bytes = await readBody(context, "json");
  if (bytes.length === 0) return {};
  const { parsers } = adapter;
  if (parsers.parseCalls && bytes.length >= LARGE_JSON_BYTES) {
    const known = paths.map((path) => [...(adapter.procedures[path]?.input.names ?? [])]);
    return restore(await parsers.parseCalls([bytes, { known, isBatch }], context), context, paths);
  }
  const body = parseJsonBody(bytes, adapter);
  const deserialize = readByTransformer(adapter.router);
  return asInput(() => ({ ...inputTrees(body, paths.length, isBatch).map(deserialize) }));
}

const OCTETS = "application/octet-stream";

// What tRPC's own links send for a FormData, a Blob, a File or bytes.
async function readFormData(context: RequestContext): Promise<FormData> {
  const bytes = await readBody(context, "frame");
  const type = context.request.headers.get("content-type") ?? "";
  return new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw new CallError("invalid_parameter", "The multipart/form-data body cannot be read", { in: "body" });
  });
}

async function readOctets(context: RequestContext): Promise<ReadableStream<Uint8Array>> {
  const chunks = context.body.chunks(await callLimit(context, "frame"));
  return new ByteStream(chunks, context.body.declaredBytes).stream();
}

// A form or a file for a procedure that takes an object, read as REST reads it.
async function readAsRest(endpoint: Endpoint, context: RequestContext): Promise<unknown> {
  if (!endpoint.body.types.includes(context.mediaType)) throw wrongRpcType();
  return typedInput(await endpoint.body.read(context, endpoint), endpoint);
}

/** The input of an unknown procedure; the call is refused later. */
const NO_INPUT = { shape: ANY, files: [] };

/** The input of a call that came as a frame. */
export async function readFrame(context: RequestContext, path: string): Promise<unknown> {
  const { adapter } = context;
  const deserialize = headReader(adapter.router);
  if (context.request.method === "GET") return readQueryInput(context, deserialize);
  const called = adapter.procedures[path];
  const streamed = called && isRest(called) ? called.body.streamed : undefined;
  if (streamed) return readStreamed(context, streamed === "last", deserialize);
  const bytes = await readBody(context, "frame");
  // Stands for an undefined input, which JSON cannot write.
  if (bytes.length === 0) return undefined;
  const head = asInput(() => headOf(bytes));
  const { parsers } = adapter;
  if (!parsers.parseFrame || deserialize || head.length < LARGE_JSON_BYTES) {
    checkJson(head, adapter);
    const files = new FramedFiles();
    const input = asInput(() => decodeFrame(bytes, { deserialize, makeFile: files.makeFile }));
    if (!deserialize) checkFinite(input);
    return files.fit(input, called?.input ?? NO_INPUT);
  }
  const parsed = await parsers.parseFrame([bytes, [...(called?.input.names ?? [])]], context);
  const [input] = Object.values(await restore(parsed, context, [path]));
  return input;
}

// The input of a query that wants a frame: JSON, as tRPC's links write it.
function readQueryInput({ url, adapter }: RequestContext, deserialize: Transform = (tree) => tree): unknown {
  const input = url.searchParams.get("input");
  if (input === null) return undefined;
  const tree = parseJsonBody(utf8(input), adapter);
  return asInput(() => deserialize(tree));
}

// A procedure that takes a file as it arrives has few other fields, so its head is short.
async function readStreamed(
  context: RequestContext,
  streamLast: boolean,
  deserialize: Transform | undefined,
): Promise<unknown> {
  const source = context.body.chunks(await callLimit(context, "frame"));
  const checkHead = (bytes: Uint8Array) => checkJson(bytes, context.adapter);
  const head = { maxHeadBytes: LARGE_JSON_BYTES, checkHead };
  const labelStream = (file: ByteStream, { name }: FileLabel) => rememberName(file, name);
  const options = { ...head, streamLast, labelStream, deserialize };
  const input = await openFrame(source, options).catch(refuseInput);
  if (!deserialize) checkFinite(input);
  return input;
}

async function readBody(context: RequestContext, encoding: "json" | "frame") {
  return context.body.bytes(await callLimit(context, encoding));
}

/** The body of an RPC call has a type that no procedure takes. */
function wrongRpcType(): CallError {
  return new CallError("invalid_json", "An RPC call is application/json or a binary frame");
}

/** Puts long texts back, which came from the worker as UTF-8. */
async function restore(
  parsed: ParsedCalls,
  context: RequestContext,
  paths: readonly string[],
): Promise<Inputs> {
  if ("fault" in parsed) throw unreadableJson(parsed);
  for (const { place, text } of parsed.texts) {
    const [call, name = "", ...inner] = place;
    const called = context.adapter.procedures[paths[Number(call)] ?? ""];
    if (called && paths.length > 1) await checkAlone(text.length, called, context);
    // Deeper in an input there are no texts to restore as parameters.
    const http = inner.length > 0 ? undefined : called?.http;
    putAt(parsed.inputs, place, restoreText(text, { name, http }));
    await loopTurn(text.length);
  }
  return parsed.inputs;
}

/** Refuses what a call could not send by itself: beside a large one in a batch there would be room for it. */
async function checkAlone(length: number, called: RpcEndpoint, context: RequestContext): Promise<void> {
  const { limit, tooLarge } = await context.adapter.bodyLimit([called], context, "json");
  if (length > limit) throw tooLarge(length);
}

function putAt(inputs: Inputs, place: readonly string[], text: string | Utf8Text): void {
  const [last = "", ...path] = place.toReversed();
  // The worker took the text from there, so every key leads to an object or array.
  const table = path.reduceRight<unknown>((node, name) => Reflect.get(Object(node), name), inputs);
  Reflect.set(Object(table), last, text);
}

function asInput<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return refuseInput(error);
  }
}

function refuseInput(error: unknown): never {
  if (error instanceof TypeError) throw invalidJson("The body is not the input of a call");
  throw error;
}
