import type { Caller } from "../../../router/context.ts";
import { fileTooLarge } from "../../../router/errors/errors.ts";
import { LIMITS } from "../../../router/limits.ts";
import { MULTIPART } from "../multipart.ts";
import type { Json } from "../openapi/types.ts";
import { asQuery } from "../openapi/parameters.ts";
import {
  addParameter,
  coerce,
  createRawInput,
  formEntries,
  queryEntries,
  refuseInQuery,
  type RawInput,
} from "../raw-input.ts";
import type { BodyKind, Call } from "./body-kind.ts";
import { addFile, addForm, file } from "./file.ts";

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
const QUERY_NAMES: readonly string[] = ["filename", "expires", "isEncrypted"];

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
    addFile(rawInput, context.body.chunks(uploadLimit(caller)));
    return rawInput;
  }
  // The parts of a form can be told apart only once all of it is there.
  const { limit } = uploadLimit(caller);
  context.trpcContext.reserveMemory(2 * Math.min(context.body.declaredBytes ?? limit, limit));
  await addForm(rawInput, call);
  return rawInput;
}

function addPassphrase(rawInput: RawInput, header: string | null): void {
  if (header === null) return;
  const [[, value] = ["", ""]] = formEntries(`passphrase=${header.replaceAll("+", "%2B")}`, "header");
  addParameter(rawInput, { name: "passphrase", value: value || undefined, place: "header" });
}

function uploadLimit({ tier }: Caller) {
  return {
    limit: LIMITS[tier].fileSize + SEAL_BYTES,
    tooLarge: (actual?: number) => fileTooLarge(tier, actual),
  };
}
