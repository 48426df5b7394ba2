import type { TRPCRequestInfo } from "@trpc/server/http";
import { CallError } from "../../../wire/call-error.ts";
import type { ParsedCalls } from "../../../wire/json-calls.ts";
import { decodeBase64Tree } from "../../../wire/base64-tree.ts";
import { inputTrees, type Inputs } from "../../../wire/call-inputs.ts";
import { decodeFrame, headOf, openFrame } from "../../../wire/frame.ts";
import type { Utf8Text } from "../../../wire/utf8-text.ts";
import type { Adapter } from "../adapter.ts";
import type { RequestContext } from "../request-context.ts";
import {
  checkBounds,
  invalidJson,
  LARGE_JSON_BYTES,
  parseJson,
  restoreText,
  unreadableJson,
} from "../rest/json.ts";
import { callLimit, httpMetaOf, knownKeys } from "./call.ts";

/**
 * Has the calls of a POST read their inputs here, once a procedure asks. tRPC 11.25 would parse the body itself
 * (unstable-core-do-not-import/http/contentType.ts), however large, in the one thread that answers everybody.
 */
export function readInputsHere({ calls, isBatchCall }: TRPCRequestInfo, { adapter, context }: Reading): void {
  if (context.request.method !== "POST") return;
  let inputs: Promise<Inputs> | undefined;
  const paths = calls.map(({ path }) => path);
  for (const [place, call] of calls.entries()) {
    let input: unknown;
    call.getRawInput = async () => {
      inputs ??= readJson({ adapter, context }, { paths, isBatch: isBatchCall });
      return (input = (await inputs)[place]);
    };
    call.result = () => input;
  }
}

interface Reading {
  readonly adapter: Adapter;
  readonly context: RequestContext;
}

interface Calls {
  readonly paths: readonly string[];
  readonly isBatch: boolean;
}

async function readJson(reading: Reading, { paths, isBatch }: Calls): Promise<Inputs> {
  const { adapter, context } = reading;
  if (context.mediaType !== "application/json") throw wrongRpcType();
  const bytes = await readBody(reading, "json");
  if (bytes.length === 0) return {};
  if (bytes.length >= LARGE_JSON_BYTES) {
    const known = paths.map((path) => knownKeys(adapter, path));
    return restore(await adapter.parsers.parseCalls([bytes, { known, isBatch }], context), {
      adapter,
      paths,
    });
  }
  const body = parseJson(bytes);
  return asInput(() => ({ ...inputTrees(body, { count: paths.length, isBatch }).map(decodeBase64Tree) }));
}

/** The input of a call that came as a frame. */
export async function readFrame(
  context: RequestContext,
  { adapter, path }: { adapter: Adapter; path: string },
): Promise<unknown> {
  const reading = { adapter, context };
  const { streamed } = adapter.bodyKinds[httpMetaOf(adapter, path)?.body ?? ""] ?? {};
  if (streamed) return readStreamed(reading, { streamLast: streamed === "last" });
  const bytes = await readBody(reading, "frame");
  const head = asInput(() => headOf(bytes));
  if (head.length < LARGE_JSON_BYTES) {
    checkBounds(head);
    return asInput(() => decodeFrame(bytes));
  }
  const known = knownKeys(adapter, path);
  const parsed = await adapter.parsers.parseFrame([bytes, { known }], context);
  const [input] = Object.values(restore(parsed, { adapter, paths: [path] }));
  return input;
}

// What takes a file as it arrives has few other fields, so its head is short.
async function readStreamed(
  { adapter, context }: Reading,
  { streamLast }: { streamLast: boolean },
): Promise<unknown> {
  const source = context.body.chunks(await callLimit(adapter, { context, encoding: "frame" }));
  const head = { maxHeadBytes: LARGE_JSON_BYTES, checkHead: checkBounds };
  return openFrame(source, { ...head, streamLast }).catch(refuseInput);
}

async function readBody({ adapter, context }: Reading, encoding: "json" | "frame") {
  return context.body.bytes(await callLimit(adapter, { context, encoding }));
}

/** The body of an RPC call has a type that no procedure takes. */
function wrongRpcType(): CallError {
  return new CallError("invalid_json", "An RPC call is application/json or a binary frame");
}

/** Puts long texts back, which came from the worker as UTF-8. */
function restore(
  parsed: ParsedCalls,
  { adapter, paths }: { adapter: Adapter; paths: readonly string[] },
): Inputs {
  if ("fault" in parsed) throw unreadableJson(parsed);
  for (const { place, text } of parsed.texts) {
    const [call, name = "", ...inner] = place;
    // Deeper in an input stands no text of its own.
    const http = inner.length > 0 ? undefined : httpMetaOf(adapter, paths[Number(call)] ?? "");
    putAt(parsed.inputs, { place, text: restoreText(text, { name, http }) });
  }
  return parsed.inputs;
}

function putAt(inputs: Inputs, { place, text }: { place: readonly string[]; text: string | Utf8Text }): void {
  const [last = "", ...path] = place.toReversed();
  // The worker took the text from there, so every key leads to a list or an object.
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
