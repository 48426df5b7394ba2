import type { Bytes } from "../../../../wire/bytes.ts";
import type { ToolWarning } from "../../../../wire/tool-warning.ts";
import { ApiError } from "../../../../router/errors/errors.ts";
import { bodyLimit } from "../../../service/body-limit.ts";
import { asObject, unreadableJson } from "../json.ts";
import { MULTIPART, partText, splitForm, textEntry, type Part } from "../../body/multipart.ts";
import { inBase64 } from "../../openapi/generated.ts";
import { BINARY, type MediaType } from "../../openapi/types.ts";
import { addParameter, addStrings, repeatedParameter, type RawInput } from "../raw-input.ts";
import { warnUnknownParameter } from "../unknown-parameter.ts";
import { requesterOfCall, type BodyKind, type Call } from "./body-kind.ts";
import { addFields } from "./json.ts";
import { readQuery } from "./none.ts";

/** Several files with their options, as JSON or as the parts of a form, always in the order of the request. */
export const files: BodyKind = {
  read: readFiles,
  types: ["application/json", "multipart/form-data"],
  place: "body",
  also: () => [],
  limits: [],
  documentParameters: () => [],
  documentBody: (_, json) =>
    json && {
      required: true,
      content: { "application/json": inBase64(json), "multipart/form-data": PARTS },
    },
  curl: () => ["-F file=@FIRST -F file=@SECOND"],
};

const PARTS: MediaType = {
  schema: {
    type: "object",
    description:
      "File parts in the order in which they are joined; range[0], password[1] belong to one of them",
    properties: { file: { type: "array", items: BINARY } },
    required: ["file"],
    // Not strings alone: an index signature of TypeScript holds for "file" too.
    additionalProperties: true,
  },
};

async function readFiles(call: Call): Promise<RawInput> {
  const rawInput = readQuery(call);
  const bytes = await call.context.body.bytes(bodyLimit([call.endpoint], call.caller.tier));
  if (bytes.length === 0) throw missingFiles();
  const value =
    call.context.mediaType === MULTIPART
      ? fromParts(splitForm(bytes, call.context), { call, rawInput })
      : await fromJson(bytes, { call, rawInput });
  addParameter(rawInput, { name: "files", value, place: "body" });
  return rawInput;
}

const PDF_HEADER = "%PDF-";

/** A file by itself is the most likely mistake, as the other tools take one. */
function pdfByItself(bytes: Uint8Array): ApiError | undefined {
  const isPdf = [...PDF_HEADER].every((character, i) => bytes[i] === character.charCodeAt(0));
  if (!isPdf) return undefined;
  return new ApiError("invalid_json", `The body is a PDF by itself; ${HOW_TO_SEND}`, { in: "body" });
}

const HOW_TO_SEND =
  'send {"files":[{"data":"<base64>"}]} as JSON, or the files as parts of multipart/form-data';

function missingFiles(): ApiError {
  return new ApiError("missing_body", `The body is empty; ${HOW_TO_SEND}`, {
    parameter: "files",
    in: "body",
  });
}

interface Target {
  readonly call: Call;
  readonly rawInput: RawInput;
}

async function fromJson(bytes: Bytes, { call, rawInput }: Target): Promise<unknown> {
  const { services } = call.context.trpcContext;
  // Asked first, as the bytes go to another thread.
  const notJson = pdfByItself(bytes);
  const parsed = await services.runJob("parseFiles", [bytes], requesterOfCall(call));
  if ("fault" in parsed) throw notJson ?? unreadableJson(parsed);
  const { files: entries, ...rest } = asObject(parsed.value);
  addFields(rawInput, rest, call);
  warnOfEntries(entries, call.context.warnings);
  return entries;
}

const ENTRY_KEYS = ["name", "data", "password", "range"].map((name) => ({ name }));

// An envelope is accepted in the list as it is: each of its other keys is a warning, no error.
function warnOfEntries(entries: unknown, warnings: ToolWarning[]): void {
  const keys = Array.isArray(entries) ? entries.flatMap((entry: unknown) => Object.keys(Object(entry))) : [];
  for (const name of new Set(keys)) {
    const isKnown = ENTRY_KEYS.some((key) => key.name === name);
    if (!isKnown) warnUnknownParameter(warnings, { name, parameters: ENTRY_KEYS });
  }
}

function fromParts(parts: readonly Part[], { call, rawInput }: Target): unknown[] {
  const { context, endpoint } = call;
  const entries = parts
    .filter(({ isFile }) => isFile)
    .map(({ fileName, bytes }) => ({ name: fileName, data: bytes }));
  if (entries.length === 0) throw missingFiles();
  const texts = parts.filter(({ isFile }) => !isFile);
  for (const part of texts.filter(({ name }) => INDEXED.test(name))) addIndexed(entries, part);
  const plain = texts.filter(({ name }) => !INDEXED.test(name)).map(textEntry);
  const { parameters } = endpoint;
  addStrings(rawInput, plain, { parameters, place: "body", warnings: context.warnings });
  return entries;
}

const INDEXED = /^(range|password)\[(\d{1,4})\]$/;

function addIndexed(entries: readonly Record<string, unknown>[], part: Part): void {
  const [, name = "", index = ""] = INDEXED.exec(part.name) ?? [];
  const entry = entries[Number(index)];
  if (!entry) throw noSuchFile(part.name, { index, count: entries.length });
  if (name in entry) throw repeatedParameter(part.name, "body");
  const text = partText(part);
  if (text !== "") entry[name] = text;
}

function noSuchFile(parameter: string, { index, count }: { index: string; count: number }): ApiError {
  const files = count === 1 ? "there is only file 0" : `the files are 0 to ${count - 1}`;
  return new ApiError("invalid_parameter", `Parameter "${parameter}" names file ${index}, but ${files}`, {
    parameter,
    in: "body",
    maximum: count - 1,
  });
}
