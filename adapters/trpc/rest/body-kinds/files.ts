import type { Bytes } from "../../../../wire/bytes.ts";
import { CallError } from "../../../../wire/call-error.ts";
import { isObject } from "../../../../wire/json/json-files.ts";
import { asObject, unreadableJson } from "../json.ts";
import { splitForm } from "../../body/form-pieces.ts";
import { checkFieldBytes, MULTIPART, partText, type Part } from "../../body/multipart.ts";
import { inBase64 } from "../../openapi/generated.ts";
import { BINARY, type MediaType } from "../../openapi/types.ts";
import { addFields, addParameter, readQuery } from "../raw-input.ts";
import { repeatedParameter } from "../../schema/reading.ts";
import { objectsOf } from "../../schema/shape-parts.ts";
import { warnUnknownParameter } from "../unknown-parameter.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../adapter.ts";
import { addParts } from "./fields.ts";

/** Explains better what is wrong with a body that is not JSON; undefined where it cannot. */
type ExplainBody = (body: Uint8Array, howToSend: string) => CallError | undefined;

interface Call {
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
}

/** Several files with their options, as JSON or as the parts of a form, always in the order of the request. */
export function filesKind(explain: ExplainBody = () => undefined): BodyKind {
  return {
    read: (context, endpoint) => readFiles({ context, endpoint }, explain),
    tellsInside: true,
    types: ["application/json", "multipart/form-data"],
    place: "body",
    also: () => [],
    documentParameters: () => [],
    documentBody: (_, json) =>
      json && {
        required: true,
        content: { "application/json": inBase64(json), "multipart/form-data": PARTS },
      },
    curl: () => ["-F file=@FIRST -F file=@SECOND"],
  };
}

const PARTS: MediaType = {
  schema: {
    type: "object",
    description:
      "File parts in the order in which they are joined; range[0], password[1] belong to one of them",
    properties: { file: { type: "array", items: BINARY } },
    required: ["file"],
    // Not only strings: TypeScript's index signature applies to "file" too.
    additionalProperties: true,
  },
};

async function readFiles(call: Call, explain: ExplainBody): Promise<RawInput> {
  const { context, endpoint } = call;
  const rawInput = readQuery(context, endpoint);
  const bytes = await context.body.bytes(await context.adapter.bodyLimit([endpoint], context, "json"));
  if (bytes.length === 0) throw missingFiles();
  const value =
    context.mediaType === MULTIPART
      ? fromParts(await splitForm(bytes, context), { call, rawInput })
      : await fromJson(bytes, { call, rawInput, explain });
  addParameter(rawInput, { name: "files", value, place: "body" });
  return rawInput;
}

const HOW_TO_SEND =
  'send {"files":[{"data":"<base64>"}]} as JSON, or the files as parts of multipart/form-data';

function missingFiles(): CallError {
  return new CallError("missing_body", `The body is empty; ${HOW_TO_SEND}`, {
    parameter: "files",
    in: "body",
  });
}

interface Target {
  readonly call: Call;
  readonly rawInput: RawInput;
}

async function fromJson(
  bytes: Bytes,
  { call, rawInput, explain }: Target & { explain: ExplainBody },
): Promise<unknown> {
  const { context } = call;
  // Called first, because the bytes are transferred to another thread.
  const notJson = explain(bytes, HOW_TO_SEND);
  const parsed = await context.adapter.parsers.parseFiles([bytes], context);
  if ("fault" in parsed) throw notJson ?? unreadableJson(parsed);
  const { files: entries, ...rest } = asObject(parsed.value);
  addFields(rawInput, rest, call);
  warnOfEntries(entries, call);
  return entries;
}

// The keys of one file in the list, by the procedure's schema.
function entryKeys({ input }: Endpoint): string[] {
  const fields = objectsOf(input.shape).flatMap(({ properties }) => properties.get("files") ?? []);
  const lists = fields.flatMap((field) => (field.kind === "list" ? field.others : []));
  return lists.flatMap(objectsOf).flatMap(({ properties }) => [...properties.keys()]);
}

// An envelope is accepted in the list as it is: each of its other keys is a warning, not an error.
function warnOfEntries(entries: unknown, { endpoint, context: { warnings } }: Call): void {
  const known = entryKeys(endpoint);
  // A text in place of an object has a key for each character.
  const objects = Array.isArray(entries) ? entries.filter(isObject) : [];
  const keys = objects.flatMap((entry) => Object.keys(entry));
  const parameters = known.map((name) => ({ name }));
  for (const name of new Set(keys))
    if (!known.includes(name)) warnUnknownParameter(warnings, name, parameters);
}

function fromParts(parts: readonly Part[], { call, rawInput }: Target): unknown[] {
  const { endpoint } = call;
  const entries = parts
    .filter(({ isFile }) => isFile)
    .map(({ fileName, bytes }) => ({ name: fileName, data: bytes }));
  if (entries.length === 0) throw missingFiles();
  const texts = parts.filter(({ isFile }) => !isFile);
  checkFieldBytes(
    texts.reduce((sum, { bytes }) => sum + bytes.length, 0),
    call.context,
  );
  const known = entryKeys(endpoint).filter((key) => key !== "name" && key !== "data");
  const isIndexed = ({ name }: Part) => known.includes(INDEXED.exec(name)?.[1] ?? "");
  for (const part of texts.filter(isIndexed)) addIndexed(entries, part);
  addParts(
    rawInput,
    texts.filter((part) => !isIndexed(part)),
    call,
  );
  return entries;
}

/** `range[0]` belongs to the first file. */
const INDEXED = /^(\w+)\[(\d{1,4})\]$/;

function addIndexed(entries: readonly Record<string, unknown>[], part: Part): void {
  const [, name = "", index = ""] = INDEXED.exec(part.name) ?? [];
  const entry = entries[Number(index)];
  if (!entry) throw noSuchFile(part.name, index, entries.length);
  if (name in entry) throw repeatedParameter(part.name, "body");
  const text = partText(part);
  if (text !== "") entry[name] = text;
}

function noSuchFile(parameter: string, index: string, count: number): CallError {
  const files = count === 1 ? "there is only file 0" : `the files are 0 to ${count - 1}`;
  return new CallError("invalid_parameter", `Parameter "${parameter}" names file ${index}, but ${files}`, {
    parameter,
    in: "body",
    maximum: count - 1,
  });
}
