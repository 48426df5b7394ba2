import type { Caller } from "../../../router/context.ts";
import { fileTooLarge } from "../../../router/errors/errors.ts";
import { LIMITS } from "../../../router/limits.ts";
import { FormFile } from "../../../router/form-file.ts";
import { ByteStream } from "../../../wire/byte-stream.ts";
import { concatBytes, type Bytes } from "../../../wire/bytes.ts";
import { formPieces, type PartPieces } from "../../trpc/body/form-pieces.ts";
import { malformed, MULTIPART, textEntry } from "../../trpc/body/multipart.ts";
import type { Json } from "../../trpc/openapi/types.ts";
import { asQuery } from "../../trpc/openapi/parameters.ts";
import {
  addParameter,
  addStrings,
  coerce,
  createRawInput,
  formEntries,
  queryEntries,
  refuseInQuery,
  type RawInput,
} from "../../trpc/rest/raw-input.ts";
import type { BodyKind, Call } from "../../trpc/rest/body-kinds/body-kind.ts";
import { addFile, file, FORM_OVERHEAD_BYTES, missingFile } from "../../trpc/rest/body-kinds/file.ts";

/** What a seal adds to a file that was sealed before it was sent is less than this (docs/formats.md, 6). */
const SEAL_BYTES = 64 * 1024;

/** A file for a secret, stored while it arrives: raw body and query, or a form whose first file part is the file. */
export const upload: BodyKind = {
  ...file,
  read: readUpload,
  also: ({ name, type }) => {
    if (type === "file") return [];
    return name === "passphrase" ? ["header Secret-Passphrase"] : ["form"];
  },
  isInBody: ({ secret }) => secret,
  limits: ["fileSize", "secretExpires", "storedBytes"],
  documentParameters: ({ parameters }) => [
    ...parameters.filter(({ name }) => QUERY_NAMES.includes(name)).map(asQuery),
    PASSPHRASE_HEADER,
  ],
  curl: () => ["-T FILE -X POST"],
};

// What is secret does not belong in a URL.
const QUERY_NAMES: readonly string[] = ["filename", "expires", "isEncrypted", "label"];

const PASSPHRASE_HEADER: Json = {
  name: "Secret-Passphrase",
  in: "header",
  required: false,
  description: "The passphrase, percent-encoded UTF-8",
  schema: { type: "string" },
};

async function readUpload(call: Call): Promise<RawInput> {
  const { context, caller, endpoint } = call;
  const rawInput = createRawInput();
  refuseInQuery(context.url, {
    allowed: [...QUERY_NAMES, "raw"],
    isBodyField: (name) => name === "passphrase",
  });
  for (const [name, text] of queryEntries(context.url)) {
    const parameter = endpoint.parameters.find((each) => each.name === name);
    if (parameter) addParameter(rawInput, { name, value: coerce(text, parameter), place: "query" });
  }
  addPassphrase(rawInput, context.request.headers.get("secret-passphrase"));
  if (context.mediaType !== MULTIPART) {
    addFile(rawInput, new ByteStream(context.body.chunks(uploadLimit(caller)), context.body.declaredBytes));
    return rawInput;
  }
  await addFormFile(rawInput, call);
  return rawInput;
}

// The fields before the file are read here, and those behind it when the file has been.
async function addFormFile(rawInput: RawInput, call: Call): Promise<void> {
  const { context, caller } = call;
  const parts = formPieces(context.body.chunks(uploadLimit(caller, FORM_OVERHEAD_BYTES)), context);
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const { value: part } = next;
    if (!part.isFile) {
      await addField(rawInput, { part, call });
      continue;
    }
    const later = { values: {}, locations: rawInput.locations };
    return addFile(rawInput, new FormFile(readFile(part, { parts, rawInput, later, call }), later.values));
  }
  throw missingFile("The form has no part with a file name");
}

interface Reading {
  readonly parts: AsyncGenerator<PartPieces, void>;
  readonly rawInput: RawInput;
  readonly later: RawInput;
  readonly call: Call;
}

async function* readFile(
  file: PartPieces,
  { parts, rawInput, later, call }: Reading,
): AsyncGenerator<Bytes, void> {
  yield* file.pieces;
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const { value: part } = next;
    if (!part.isFile) await addField(later, { part, call });
    else await skip(part, call);
  }
  // An error about one of them is explained by what was sent.
  Object.assign(rawInput.values, later.values);
}

async function addField(into: RawInput, { part, call }: { part: PartPieces; call: Call }): Promise<void> {
  const { endpoint, context } = call;
  let bytes: Bytes = new Uint8Array(0);
  for await (const piece of part.pieces) {
    bytes = concatBytes(bytes, piece);
    if (bytes.length > FORM_OVERHEAD_BYTES) throw malformed("a field is longer than any field may be");
  }
  const { parameters } = endpoint;
  addStrings(into, [textEntry({ ...part, bytes })], {
    parameters,
    place: "body",
    warnings: context.warnings,
  });
}

async function skip(part: PartPieces, { context }: Call): Promise<void> {
  const { warnings } = context;
  if (!warnings.some(({ code }) => code === "more_files_ignored"))
    warnings.push({ code: "more_files_ignored" });
  for await (const _ of part.pieces);
}

function addPassphrase(rawInput: RawInput, header: string | null): void {
  if (header === null) return;
  const [[, value] = ["", ""]] = formEntries(`passphrase=${header.replaceAll("+", "%2B")}`, "header");
  addParameter(rawInput, { name: "passphrase", value: value || undefined, place: "header" });
}

function uploadLimit({ tier }: Caller, overhead = 0) {
  return {
    limit: LIMITS[tier].fileSize + SEAL_BYTES + overhead,
    tooLarge: (actual?: number) => fileTooLarge(tier, actual),
  };
}
