import { LIMITS } from "../../../router/limits.ts";
import { ApiError, tooLarge } from "../../../router/errors.ts";
import { isMultipart, partText, readParts, type Part } from "../multipart.ts";
import {
  addParameter,
  addStrings,
  repeatedParameter,
  warnUnknownParameter,
  type RawInput,
} from "../raw-input.ts";
import { readQuery, type BodyReader } from "../read.ts";
import { asObject } from "../../http/content-type.ts";

// What base64 adds to the bytes that a limit speaks of, and room for what stands around them.
const JSON_FACTOR = 1.4;
const OVERHEAD_BYTES = 1024 * 1024;

const ENTRY_KEYS = ["name", "data", "password", "range"];

/** Several files with their options, as JSON or as the parts of a form, always in the order of the request. */
export async function readFiles(reading: BodyReader): Promise<RawInput> {
  const rawInput = readQuery(reading);
  const { body, request } = reading.context;
  const contentType = request.headers.get("content-type");
  const bytes = await body.bytes(limitOf(reading));
  if (bytes.length === 0) throw nothing();
  const given = isMultipart(contentType)
    ? fromParts(readParts(bytes, contentType ?? ""), { reading, rawInput })
    : await fromJson(bytes, { reading, rawInput });
  addParameter(rawInput, { name: "files", value: given, place: "body" });
  return rawInput;
}

function limitOf({ caller: { tier } }: BodyReader) {
  const value = LIMITS[tier].totalSize;
  const about = { what: "All files together", limit: "totalSize", value, unit: "bytes", tier };
  const tokenValue = LIMITS.member.totalSize;
  return {
    limit: Math.ceil(value * JSON_FACTOR) + OVERHEAD_BYTES,
    tooLarge: () => tooLarge("total_too_large", { ...about, tokenValue }),
  };
}

function nothing(): ApiError {
  return new ApiError(
    "missing_body",
    'The body is empty; send {"files":[{"data":"<base64>"}]} as JSON, or the files as parts of multipart/form-data',
    { parameter: "files", in: "body" },
  );
}

interface Target {
  readonly reading: BodyReader;
  readonly rawInput: RawInput;
}

async function fromJson(bytes: Uint8Array<ArrayBuffer>, { reading, rawInput }: Target): Promise<unknown> {
  const { context, schema } = reading;
  const { services } = context.trpcContext;
  const { signal } = context.request;
  const parsed = await services.runJob("parseFiles", [bytes], { signal });
  if ("fault" in parsed)
    throw new ApiError(parsed.fault, "The body is not valid JSON in UTF-8", { in: "body" });
  const { files, ...rest } = asObject(parsed.value);
  for (const [name, value] of Object.entries(rest)) {
    if (Object.hasOwn(schema.shape, name)) addParameter(rawInput, { name, value, place: "body" });
    else warnUnknownParameter(context.warnings, { name, known: Object.keys(schema.shape) });
  }
  warnOfEntries(files, context.warnings);
  return files;
}

// An envelope can be put into the list as it is: what it has beside its bytes is told once, not refused.
function warnOfEntries(files: unknown, warnings: string[]): void {
  const keys = Array.isArray(files) ? files.flatMap((entry) => Object.keys((entry ?? {}) as object)) : [];
  for (const name of new Set(keys)) {
    if (!ENTRY_KEYS.includes(name)) warnUnknownParameter(warnings, { name, known: ENTRY_KEYS });
  }
}

function fromParts(parts: readonly Part[], { reading, rawInput }: Target): unknown[] {
  const files = parts.filter(({ isFile }) => isFile);
  if (files.length === 0) throw nothing();
  const entries = files.map(({ fileName, bytes }) => ({ name: fileName, data: bytes }));
  const texts = parts.filter(({ isFile }) => !isFile);
  const indexed = texts.filter(({ name }) => INDEXED.test(name));
  for (const part of indexed) putIndexed(entries, part);
  const plain = texts
    .filter(({ name }) => !INDEXED.test(name))
    .map((part): [string, string] => [part.name, partText(part)]);
  addStrings(rawInput, plain, { schema: reading.schema, place: "body", warnings: reading.context.warnings });
  return entries;
}

const INDEXED = /^(range|password)\[(\d{1,4})\]$/;

function putIndexed(entries: readonly Record<string, unknown>[], part: Part): void {
  const [, name = "", index = ""] = INDEXED.exec(part.name) ?? [];
  const entry = entries[Number(index)];
  if (!entry) {
    throw new ApiError(
      "invalid_parameter",
      `Parameter "${part.name}" names file ${index}, but there are ${entries.length}`,
      {
        parameter: part.name,
        in: "body",
        maximum: entries.length - 1,
      },
    );
  }
  if (name in entry) throw repeatedParameter(part.name, "body");
  const text = partText(part);
  if (text !== "") entry[name] = text;
}
