import { ApiError, fileTooLarge } from "../../../../router/errors/errors.ts";
import { LIMITS } from "../../../../router/limits.ts";
import type { Parameter } from "../../../../router/parameters.ts";
import { isInPath, type Endpoint } from "../../endpoints.ts";
import { MULTIPART, readForm, textEntry } from "../../body/multipart.ts";
import { asQuery } from "../../openapi/parameters.ts";
import { BINARY, type Json } from "../../openapi/types.ts";
import {
  addParameter,
  addStrings,
  createRawInput,
  formEntries,
  queryEntries,
  type RawInput,
} from "../raw-input.ts";
import type { BodyKind, Call } from "./body-kind.ts";

/** Of a form around its file. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

/** A whole file and its options: raw body and query, or a form whose first file part is the file. */
export const file: BodyKind = {
  read: readFile,
  types: ["application/octet-stream", "multipart/form-data"],
  place: "query",
  also: ({ name, type }) =>
    type === "file" ? [] : ["form", ...(name === "password" ? ["header Tool-Password"] : [])],
  limits: ["fileSize"],
  documentParameters: (endpoint) => [
    ...options(endpoint)
      .filter((parameter) => !isInPath(endpoint, parameter))
      // It has a header, which is the better place.
      .map((parameter) =>
        asQuery(parameter.name === "password" ? { ...parameter, required: false } : parameter),
      ),
    ...(takesPassword(endpoint) ? [PASSWORD_HEADER] : []),
  ],
  documentBody: (endpoint) => {
    const fields = options(endpoint).map((parameter) => [parameter.name, asQuery(parameter).schema]);
    const properties = { file: BINARY, ...Object.fromEntries(fields) };
    const form = { type: "object", properties, required: ["file"] };
    return {
      required: true,
      content: { "application/octet-stream": { schema: BINARY }, "multipart/form-data": { schema: form } },
    };
  },
  curl: () => ["--data-binary @FILE"],
};

const PASSWORD_HEADER: Json = {
  name: "Tool-Password",
  in: "header",
  required: false,
  description: "The password, percent-encoded UTF-8: a URL is no place for one",
  schema: { type: "string" },
};

function options({ parameters }: Endpoint): Parameter[] {
  return parameters.filter(({ type }) => type !== "file");
}

function takesPassword({ parameters }: Endpoint): boolean {
  return parameters.some(({ name }) => name === "password");
}

async function readFile(call: Call): Promise<RawInput> {
  const { context } = call;
  const rawInput = readOptions(call);
  if (context.mediaType === MULTIPART) await addForm(rawInput, call);
  else addFile(rawInput, await context.body.bytes(fileLimit(call)));
  const { file: bytes } = rawInput.values;
  if (!(bytes instanceof Uint8Array && bytes.length > 0)) throw missingFile();
  return rawInput;
}

/** The parameters beside a file: query and `Tool-Password`. */
export function readOptions({ context, endpoint }: Call): RawInput {
  const rawInput = createRawInput();
  const { warnings, url, request } = context;
  const { parameters } = endpoint;
  addStrings(rawInput, queryEntries(url), { parameters, place: "query", warnings });
  // A URL is logged on the way, so a password has a header too. It takes any text, percent-encoded.
  const header = request.headers.get("tool-password");
  if (header === null || !takesPassword(endpoint)) return rawInput;
  const [[, password] = ["", ""]] = formEntries(`password=${header.replaceAll("+", "%2B")}`, "header");
  addParameter(rawInput, { name: "password", value: password || undefined, place: "header" });
  return rawInput;
}

export function addFile(rawInput: RawInput, value: unknown): void {
  addParameter(rawInput, { name: "file", value, place: "body" });
}

/** The first file part of a form, and its other parts as parameters. */
export async function addForm(rawInput: RawInput, call: Call): Promise<void> {
  const { context, endpoint, caller } = call;
  const { warnings } = context;
  const parts = await readForm(context, fileLimit(call, FORM_OVERHEAD_BYTES));
  const [first, ...more] = parts.filter((part) => part.isFile);
  if (!first) throw missingFile("The form has no part with a file name");
  if (more.length > 0) warnings.push({ code: "more_files_ignored" });
  if (first.bytes.length > fileLimit(call).limit) throw fileTooLarge(caller.tier, first.bytes.length);
  // The part is a view on the whole form; a tool is given its bytes alone.
  addFile(rawInput, first.bytes.slice());
  const texts = parts.filter((part) => !part.isFile).map(textEntry);
  addStrings(rawInput, texts, { parameters: endpoint.parameters, place: "body", warnings });
}

export function fileLimit({ caller: { tier }, endpoint: { http } }: Call, overhead = 0) {
  const { fileSize } = LIMITS[tier];
  return {
    limit: (http.containerSize?.(fileSize) ?? fileSize) + overhead,
    tooLarge: (actual?: number) => fileTooLarge(tier, actual),
  };
}

/** There is no file in the body. */
export function missingFile(what = "The body is empty"): ApiError {
  return new ApiError(
    "missing_body",
    `${what}; send the file as the raw body, or as the first file part of multipart/form-data`,
    { parameter: "file", in: "body" },
  );
}
