import { FormFile } from "../../../router/procedures/secrets/store-file.ts";
import { MAX_FILE_NAME_LENGTH } from "../../../router/limits.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import { concatBytes, type Bytes } from "../../../wire/bytes.ts";
import { formPieces, type PartPieces } from "../../trpc/body/form-pieces.ts";
import { malformed, MULTIPART, textEntry } from "../../trpc/body/multipart.ts";
import { asQuery, documentHeaders } from "../../trpc/openapi/parameters.ts";
import {
  addHeaders,
  addParameter,
  addTexts,
  createRawInput,
  queryEntries,
  refuseInQuery,
  typedInput,
} from "../../trpc/rest/raw-input.ts";
import type { ReadOptions } from "../../trpc/body/request-body.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../trpc/adapter.ts";
import { HEADERS } from "./content.ts";
import { fileKind, FORM_OVERHEAD_BYTES, missingFile } from "../../trpc/rest/body-kinds/file.ts";

interface Call {
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
}

/**
 * A file that becomes a secret, stored while it arrives: raw body and query, or a form whose first file part is the
 * file.
 */
export const upload: BodyKind = {
  ...fileKind(),
  streamed: "last",
  read: (context, endpoint) => readUpload({ context, endpoint }),
  also: ({ name, type }) => {
    if (type === "file") return [];
    return name === "passphrase" ? [`header ${HEADERS.passphrase}`] : ["form"];
  },
  isInBody: ({ secret }) => secret,
  documentParameters: (endpoint) => [
    ...asQuery(
      endpoint.input.parameters.filter(({ name }) => QUERY_NAMES.includes(name)),
      endpoint,
    ),
    ...documentHeaders(endpoint, HEADERS),
  ],
  curl: () => ["-T FILE -X POST"],
};

// The parameters that a query may have. The passphrase may not, because URLs are logged.
const QUERY_NAMES: readonly string[] = ["filename", "expires", "isEncrypted", "label", "notify"];
const FIELD_NAMES: readonly string[] = [...QUERY_NAMES, "passphrase"];

// `curl -F passphrase=@FILE` sends a field as a part with a file name.
function isShared({ isFile, name }: PartPieces): boolean {
  return isFile && !FIELD_NAMES.includes(name);
}

async function readUpload(call: Call): Promise<RawInput> {
  const { context, endpoint } = call;
  const rawInput = createRawInput();
  refuseInQuery(context.url, {
    allowed: [...QUERY_NAMES, "raw"],
    isBodyField: (name) => name === "passphrase",
  });
  const texts = queryEntries(context.url).filter(([name]) => QUERY_NAMES.includes(name));
  addTexts(rawInput, texts, { context, endpoint, place: "query" });
  addHeaders(rawInput, { context, endpoint, headers: HEADERS });
  const limit = await context.adapter.fileLimit(endpoint, context);
  if (context.mediaType === MULTIPART) await addFormFile(rawInput, { call, limit });
  else addFile(rawInput, new ByteStream(context.body.chunks(limit), context.body.declaredBytes));
  return rawInput;
}

function addFile(rawInput: RawInput, value: ByteStream): void {
  addParameter(rawInput, { name: "file", value, place: "body" });
}

// Fields before the file are read here, and those after it once the file was read.
async function addFormFile(
  rawInput: RawInput,
  { call, limit: { limit, tooLarge } }: { call: Call; limit: ReadOptions },
): Promise<void> {
  const { context } = call;
  const whole = { limit: limit + FORM_OVERHEAD_BYTES, tooLarge };
  const parts = formPieces(context.body.chunks(whole), context);
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const { value: part } = next;
    if (!isShared(part)) {
      await addField(rawInput, part, call);
      continue;
    }
    // A filename in the query or in a field takes precedence over the part's own.
    if (part.fileName) rawInput.values.filename ??= part.fileName.slice(0, MAX_FILE_NAME_LENGTH);
    const later = { values: {}, locations: rawInput.locations, hasTexts: false };
    return addFile(rawInput, new FormFile(readFile(part, { parts, rawInput, later, call }), later.values));
  }
  throw missingFile("file", "The form has no part with a file name");
}

async function* readFile(
  file: PartPieces,
  options: { parts: AsyncGenerator<PartPieces, void>; rawInput: RawInput; later: RawInput; call: Call },
): AsyncGenerator<Bytes, void> {
  const { parts, rawInput, later, call } = options;
  yield* file.pieces;
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const { value: part } = next;
    if (!isShared(part)) await addField(later, part, call);
    else await skip(part, call);
  }
  // Errors about a later field quote what was sent, so the values are merged.
  Object.assign(rawInput.values, Object.assign(later.values, await typedInput(later, call.endpoint)));
}

async function addField(into: RawInput, part: PartPieces, call: Call): Promise<void> {
  const { endpoint, context } = call;
  let bytes: Bytes = new Uint8Array(0);
  for await (const piece of part.pieces) {
    bytes = concatBytes(bytes, piece);
    if (bytes.length > FORM_OVERHEAD_BYTES) throw malformed("a field is longer than any field may be");
  }
  addTexts(into, [textEntry({ ...part, bytes })], { context, endpoint, place: "body" });
}

async function skip(part: PartPieces, { context }: Call): Promise<void> {
  const { warnings } = context;
  if (!warnings.some(({ code }) => code === "more_files_ignored"))
    warnings.push({ code: "more_files_ignored" });
  for await (const _ of part.pieces);
}
