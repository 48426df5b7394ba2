import { CallError } from "../../../../wire/call-error.ts";
import type { Parameter } from "../../parameters.ts";
import type { ReadOptions } from "../../body/request-body.ts";
import { isInPath } from "../../endpoints.ts";
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
import type { BodyKind, Endpoint, RequestContext } from "../../adapter.ts";

/** Of a form around its file. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

interface FileKindOptions {
  /** Headers for parameters such as passwords, by their names: a URL is logged on the way. They take any text, percent-encoded. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A whole file and its options: raw body and query, or a form whose first file part is the file. */
export function fileKind(options: FileKindOptions = {}): BodyKind {
  const { headers = {} } = options;
  return {
    read: (context, endpoint) => readFile(context, endpoint, options),
    types: ["application/octet-stream", "multipart/form-data"],
    place: "query",
    also: ({ name, type }) =>
      type === "file" ? [] : ["form", ...(headers[name] ? [`header ${headers[name]}`] : [])],
    documentParameters: (endpoint) => [
      ...besideFile(endpoint)
        .filter((parameter) => !isInPath(endpoint, parameter))
        // One that has a header is better sent there.
        .map((parameter) => asQuery(headers[parameter.name] ? { ...parameter, required: false } : parameter)),
      ...headersOf(endpoint, options).map(documentHeader),
    ],
    documentBody: (endpoint) => {
      const fields = besideFile(endpoint).map((parameter) => [parameter.name, asQuery(parameter).schema]);
      const properties = { file: BINARY, ...Object.fromEntries(fields) };
      const form = { type: "object", properties, required: ["file"] };
      return {
        required: true,
        content: { "application/octet-stream": { schema: BINARY }, "multipart/form-data": { schema: form } },
      };
    },
    curl: () => ["--data-binary @FILE"],
  };
}

/** A file that may still be arriving while the procedure works, and may be empty. */
export function streamKind(options: FileKindOptions = {}): BodyKind {
  return {
    ...fileKind(options),
    streamed: "marked",
    read: (context, endpoint) =>
      readInput(context, endpoint, { ...options, take: (limit) => context.body.chunks(limit) }),
  };
}

interface ParameterHeader {
  readonly name: string;
  readonly header: string;
}

/** The headers of the parameters that a procedure has. */
function headersOf({ parameters }: Endpoint, { headers = {} }: FileKindOptions): ParameterHeader[] {
  return parameters.flatMap(({ name }) => (headers[name] ? [{ name, header: headers[name] }] : []));
}

function documentHeader({ name, header }: ParameterHeader): Json {
  const description = `The parameter ${name}, percent-encoded UTF-8: a URL is no place for it`;
  return { name: header, in: "header", required: false, description, schema: { type: "string" } };
}

function besideFile({ parameters }: Endpoint): Parameter[] {
  return parameters.filter(({ type }) => type !== "file");
}

// What does not come in a form is taken from the body as `take` does it.
async function readInput(
  context: RequestContext,
  endpoint: Endpoint,
  { take, ...options }: FileKindOptions & { take: (limit: ReadOptions) => unknown },
): Promise<RawInput> {
  const rawInput = readOptions(context, endpoint, options);
  if (context.mediaType === MULTIPART) await addForm(rawInput, context, endpoint);
  else addFile(rawInput, await take(await context.adapter.fileLimit(endpoint, context)));
  return rawInput;
}

async function readFile(
  context: RequestContext,
  endpoint: Endpoint,
  options: FileKindOptions,
): Promise<RawInput> {
  const take = (limit: ReadOptions) => context.body.bytes(limit);
  const rawInput = await readInput(context, endpoint, { ...options, take });
  const { file: bytes } = rawInput.values;
  if (!(bytes instanceof Uint8Array && bytes.length > 0)) throw missingFile();
  return rawInput;
}

// The parameters beside a file: query, and headers for those that have one.
function readOptions(context: RequestContext, endpoint: Endpoint, options: FileKindOptions): RawInput {
  const rawInput = createRawInput();
  const { warnings, url, request } = context;
  const { parameters } = endpoint;
  addStrings(rawInput, queryEntries(url), { parameters, place: "query", warnings });
  for (const { name, header } of headersOf(endpoint, options)) {
    const value = request.headers.get(header);
    if (value !== null) addHeader(rawInput, { name, header: value });
  }
  return rawInput;
}

/** Adds a parameter that stands percent-encoded in a header. @throws CallError repeated_parameter, invalid_text */
export function addHeader(rawInput: RawInput, { name, header }: { name: string; header: string }): void {
  const [[, value] = ["", ""]] = formEntries(`${name}=${header.replaceAll("+", "%2B")}`, "header");
  addParameter(rawInput, { name, value: value || undefined, place: "header" });
}

export function addFile(rawInput: RawInput, value: unknown): void {
  addParameter(rawInput, { name: "file", value, place: "body" });
}

/** The first file part of a form, and its other parts as parameters. */
async function addForm(rawInput: RawInput, context: RequestContext, endpoint: Endpoint): Promise<void> {
  const { warnings } = context;
  const { limit, tooLarge } = await context.adapter.fileLimit(endpoint, context);
  const parts = await readForm(context, { limit: limit + FORM_OVERHEAD_BYTES, tooLarge });
  const [first, ...more] = parts.filter((part) => part.isFile);
  if (!first) throw missingFile("The form has no part with a file name");
  if (more.length > 0) warnings.push({ code: "more_files_ignored" });
  if (first.bytes.length > limit) throw tooLarge(first.bytes.length);
  // The part is a view on the whole form; a procedure is given its bytes alone.
  addFile(rawInput, first.bytes.slice());
  const texts = parts.filter((part) => !part.isFile).map(textEntry);
  addStrings(rawInput, texts, { parameters: endpoint.parameters, place: "body", warnings });
}

/** There is no file in the body. */
export function missingFile(what = "The body is empty"): CallError {
  return new CallError(
    "missing_body",
    `${what}; send the file as the raw body, or as the first file part of multipart/form-data`,
    { parameter: "file", in: "body" },
  );
}
