import { ByteStream } from "../../../../wire/byte-pieces.ts";
import { type Bytes, rememberName } from "../../../../wire/bytes.ts";
import { CallError } from "../../../../wire/call-error.ts";
import type { FileParameter, Parameter } from "../../schema/input.ts";
import type { FileClass } from "../../schema/shape.ts";
import type { ReadOptions } from "../../body/request-body.ts";
import { besidePath } from "../../endpoints.ts";
import { formPieces } from "../../body/form-pieces.ts";
import { GatheredBytes } from "../../body/gathered.ts";
import { checkFieldBytes, MULTIPART, type PartHead } from "../../body/multipart.ts";
import { asQuery, documentHeaders } from "../../openapi/parameters.ts";
import { BINARY, type Json } from "../../openapi/types.ts";
import { addParts } from "./fields.ts";
import { addHeaders, addParameter, bareHeaders, readQuery, type ParameterHeaders } from "../raw-input.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../adapter.ts";
import type { JsonSchema } from "../../schema/definitions.ts";

/** Bytes of a form around its file. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

interface FileKindOptions {
  /** Headers for parameters such as passwords. */
  readonly headers?: ParameterHeaders;
  /** Whether a file without a byte counts as missing, also in a form. */
  readonly refusesEmpty?: boolean;
}

/** A whole file and its options: raw body and query, or a form whose first file part is the file. */
export function fileKind(given: FileKindOptions = {}): BodyKind {
  const headers = bareHeaders(given.headers);
  return {
    read: (context, endpoint) => readFile(context, endpoint, { ...given, headers }),
    types: ["application/octet-stream", "multipart/form-data"],
    place: "query",
    also: ({ name, type }) =>
      type === "file" ? [] : ["form", ...(headers[name] ? [`header ${headers[name]}`] : [])],
    documentParameters: (endpoint) => {
      // A parameter that has a header should be sent there.
      const inQuery = besideFile(endpoint).map((each) =>
        headers[each.name] ? { ...each, required: false } : each,
      );
      return [
        ...(needsForm(endpoint) ? [] : asQuery(inQuery, endpoint)),
        ...documentHeaders(endpoint, headers),
      ];
    },
    documentBody: (endpoint) => {
      const fields = besideFile(endpoint).map(({ name, schema }) => [name, schema]);
      const files = filesOf(endpoint).map((file) => [file.name, inFormSchema(file)]);
      const inForm = needsForm(endpoint)
        ? [...filesOf(endpoint), ...besideFile(endpoint)]
        : filesOf(endpoint);
      const required = inForm.flatMap(({ name, required: must }) => (must ? [name] : []));
      const form = { type: "object", properties: Object.fromEntries([...files, ...fields]), required };
      const types = needsForm(endpoint) ? [] : typesOf(endpoint);
      const raw = Object.fromEntries(types.map((type) => [type, { schema: BINARY }]));
      return {
        required: required.length > 0,
        content: { ...raw, "multipart/form-data": { schema: form } },
      };
    },
    curl: () => ["--data-binary @FILE"],
  };
}

/** A file that may still be arriving while the procedure works, and may be empty. */
export function streamKind(options: FileKindOptions = {}): BodyKind {
  const headers = bareHeaders(options.headers);
  return {
    ...fileKind(options),
    streamed: "marked",
    read: (context, endpoint) =>
      readInput(context, endpoint, { headers, take: (limit) => context.body.chunks(limit) }),
  };
}

function inFormSchema({ isList, isNullable }: FileParameter): Json {
  const schema = isList ? { type: "array", items: BINARY } : BINARY;
  return isNullable ? { anyOf: [schema, { type: "string", const: "null" }] } : schema;
}

function besideFile(endpoint: Endpoint): Parameter[] {
  const { files } = endpoint.input;
  const isFile = ({ name, type }: Parameter) => type === "file" || files.some((file) => file.name === name);
  return besidePath(endpoint).filter((each) => !isFile(each));
}

// A raw body has one file, and generated clients write no object within an object into a query.
function needsForm(endpoint: Endpoint): boolean {
  const [, ...others] = filesOf(endpoint);
  const isObject = ({ required, type }: Parameter) => required && type === "object";
  return others.some(({ required }) => required) || besideFile(endpoint).some(isObject);
}

// A schema may allow only some types (zod's `mime`).
function typesOf(endpoint: Endpoint): string[] {
  const [only] = filesOf(endpoint);
  const { items, ...schema } =
    endpoint.input.parameters.find(({ name }) => name === only?.name)?.schema ?? {};
  const file: JsonSchema = only?.isList ? Object(items) : schema;
  const allowed = [file, ...(file.anyOf ?? [])].flatMap(({ contentMediaType: type }) => type ?? []);
  return allowed.length > 0 ? allowed : ["application/octet-stream"];
}

/** The files that a procedure takes; `file`, where its schema names none. */
function filesOf({ input: { files } }: Endpoint): readonly FileParameter[] {
  return files.length > 0 ? files : UNNAMED;
}

const UNNAMED: readonly FileParameter[] = [
  { name: "file", as: "bytes", isList: false, required: true, isNullable: false },
];

// Without a form, `take` reads the file from the body.
async function readInput(
  context: RequestContext,
  endpoint: Endpoint,
  { headers, take }: { headers: ParameterHeaders; take: (limit: ReadOptions, as: FileClass) => unknown },
): Promise<RawInput> {
  const rawInput = readQuery(context, endpoint);
  addHeaders(rawInput, { context, endpoint, headers });
  const [main] = filesOf(endpoint);
  if (context.mediaType === MULTIPART) await addForm(rawInput, context, endpoint);
  else if (main) {
    const isNull = rawInput.locations.has(main.name);
    const file = await take(await context.adapter.fileLimit(endpoint, context), isNull ? "bytes" : main.as);
    const value = main.isList && file !== undefined ? [file] : file;
    // What nobody sent is no part of the input, which may have a default as a whole.
    if (value !== undefined) addParameter(rawInput, { name: main.name, value, place: "body" });
  }
  return rawInput;
}

async function readFile(
  context: RequestContext,
  endpoint: Endpoint,
  { headers, refusesEmpty = false }: FileKindOptions & { headers: ParameterHeaders },
): Promise<RawInput> {
  const take = async (limit: ReadOptions, as: FileClass) => {
    if (as === "stream")
      return new ByteStream(context.body.chunks(limit), context.body.declaredBytes).stream();
    if (as === "bytes") return nothingAsUndefined(await context.body.bytes(limit));
    const gathered = await GatheredBytes.from(context.body.chunks(limit));
    return nothingAsUndefined(gathered)?.file(as, { type: context.mediaType });
  };
  const rawInput = await readInput(context, endpoint, { headers, take });
  const isMissing = (file: unknown) =>
    file === undefined || (refusesEmpty && file instanceof Uint8Array && file.length === 0);
  for (const { name, required } of filesOf(endpoint))
    if (required && isMissing(rawInput.values[name]))
      throw missingFile(name, context.mediaType === MULTIPART ? "The file in the form is empty" : undefined);
  return rawInput;
}

function nothingAsUndefined<T extends { readonly length: number }>(data: T): T | undefined {
  return data.length > 0 ? data : undefined;
}

interface GatheredPart extends PartHead {
  readonly content: GatheredBytes;
}

/** Adds a form's files, and its other parts as parameters. */
async function addForm(rawInput: RawInput, context: RequestContext, endpoint: Endpoint): Promise<void> {
  const options = await context.adapter.fileLimit(endpoint, context);
  const fields = filesOf(endpoint);
  const { files, others } = await gatherParts(context, endpoint, options);
  const large = files.find(({ content }) => content.length > options.limit);
  if (large) throw options.tooLarge(large.content.length);
  const { given, left } = assignFiles(files, fields);
  for (const [{ name, as, isList }, own] of given) {
    const values = own.map((part) => fileOf(part, as));
    if (values.length > 0)
      addParameter(rawInput, { name, value: isList ? values : values[0], place: "body" });
  }
  for (const part of left) addUnknownFile(rawInput, part, { context, endpoint });
  const texts = others.map((part) => ({ ...part, bytes: part.content.bytes() }));
  addParts(rawInput, texts, { context, endpoint });
  const isLacking = ({ name, required }: FileParameter) => required && !rawInput.locations.has(name);
  if (files.length === 0 && fields.some(isLacking))
    throw missingFile(fields.find(isLacking)?.name, "The form has no part with a file name");
}

async function gatherParts(
  context: RequestContext,
  endpoint: Endpoint,
  { limit, tooLarge }: ReadOptions,
): Promise<{ files: GatheredPart[]; others: GatheredPart[] }> {
  const chunks = context.body.chunks({ limit: limit + FORM_OVERHEAD_BYTES, tooLarge });
  const fields = filesOf(endpoint);
  const isWhole = fields.some(({ as }) => as === "bytes");
  // Scripts send a typed part, such as JSON beside a file, as a Blob, which looks like a file.
  const isField = ({ isFile, name }: PartHead) =>
    !isFile || (endpoint.input.names.includes(name) && !fields.some((field) => field.name === name));
  const parts: GatheredPart[] = [];
  let fieldBytes = 0;
  for await (const { pieces, lastLength, ...head } of formPieces(chunks, context)) {
    const checked = isField(head)
      ? tap(pieces, ({ length }) => checkFieldBytes((fieldBytes += length), context))
      : pieces;
    const content = await GatheredBytes.from(checked, isWhole && head.isFile ? lastLength : 0);
    parts.push({ ...head, content });
  }
  // Where nobody has chosen a file, a browser sends a part without a name and bytes.
  const isGiven = ({ fileName, content }: GatheredPart) => fileName !== "" || content.length > 0;
  return {
    files: parts.filter((part) => !isField(part) && isGiven(part)),
    others: parts.filter(isField),
  };
}

function fileOf(part: GatheredPart, as: FileClass): unknown {
  const file = part.content.file(as, part);
  rememberName(file, part.fileName);
  return file;
}

// A schema that refuses or keeps other names does so with files, too.
function addUnknownFile(
  rawInput: RawInput,
  part: GatheredPart,
  { context: { warnings }, endpoint: { input, http } }: { context: RequestContext; endpoint: Endpoint },
): void {
  const isIgnored =
    http.unknown === "warn" || input.unknown === "left out" || input.names.includes(part.name);
  if (!isIgnored) addParameter(rawInput, { name: part.name, value: fileOf(part, "file"), place: "body" });
  else if (!warnings.some(({ code }) => code === "more_files_ignored"))
    warnings.push({ code: "more_files_ignored" });
}

/**
 * The files of each parameter: those with its name, or else the first to the first parameter without a file. Others are
 * left.
 */
function assignFiles(
  files: readonly GatheredPart[],
  fields: readonly FileParameter[],
): { given: ReadonlyMap<FileParameter, readonly GatheredPart[]>; left: readonly GatheredPart[] } {
  const given = new Map<FileParameter, GatheredPart[]>(fields.map((field) => [field, []]));
  const isFree = (field: FileParameter) => field.isList || given.get(field)?.length === 0;
  const others: GatheredPart[] = [];
  for (const part of files) {
    const named = fields.find((field) => field.name === part.name && isFree(field));
    if (named) given.get(named)?.push(part);
    else others.push(part);
  }
  const left = others.filter((part) => {
    const free = fields.find(isFree);
    if (free) given.get(free)?.push(part);
    return !free;
  });
  return { given, left };
}

async function* tap(pieces: AsyncIterable<Bytes>, see: (piece: Bytes) => void): AsyncGenerator<Bytes, void> {
  for await (const piece of pieces) {
    see(piece);
    yield piece;
  }
}

/** There is no file in the body. */
export function missingFile(parameter = "file", what = "The body is empty"): CallError {
  return new CallError(
    "missing_body",
    `${what}; send the file as the raw body, or as the first file part of multipart/form-data`,
    { parameter, in: "body" },
  );
}
