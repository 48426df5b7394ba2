import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { BodyKind, Endpoint, RpcEndpoint, WriteResult } from "./adapter.ts";
import { isGenerator, metaOf, outputOf, parsersOf, proceduresOf } from "./introspect.ts";
import { checkHttp, unknownWords, type AdapterMeta, type HttpMeta } from "./meta.ts";
import { inputOf, type Parameter, type ProcedureInput } from "./schema/input.ts";
import { isWrittenAsIs } from "./rest/json.ts";
import { runnerOf } from "./runner.ts";
import { COERCED_BOOLEAN, shapeOf } from "./schema/shape.ts";
import { isFreeOf, mayBeObject, objectsOf } from "./schema/shape-parts.ts";

/** The ways to read bodies and to write results. */
interface Kinds {
  /** By `meta.http.body`. */
  readonly bodyKinds: Readonly<Record<string, BodyKind>>;
  /** By `meta.http.result`. */
  readonly resultKinds: Readonly<Record<string, WriteResult>>;
  /** Adds what applies to every procedure. */
  readonly completeHttp?: (http: HttpMeta) => HttpMeta;
  /** Whether these kinds extend `meta.http` by fields that only they know. */
  readonly isExtended: boolean;
  /** Called for what REST cannot offer. */
  readonly onWarning?: (warning: string) => void;
}

/** Every procedure of a router by its path. */
export function endpointsOf(router: AnyTRPCRouter, kinds: Kinds): Record<string, RpcEndpoint> {
  const procedures = Object.entries(proceduresOf(router));
  return byPath(procedures.map(([rpc, procedure]) => describe(procedure, rpc, kinds)));
}

/** Endpoints by the paths of their procedures. */
export function byPath<Described extends RpcEndpoint>(
  endpoints: readonly Described[],
): Record<string, Described> {
  // Without a prototype, so that nobody can call "constructor".
  return Object.assign(Object.create(null), Object.fromEntries(endpoints.map((each) => [each.rpc, each])));
}

/** The endpoints with `meta.openapi`, which REST offers. */
export function restOf(endpoints: Readonly<Record<string, RpcEndpoint>>): Endpoint[] {
  return Object.values(endpoints).filter(isRest);
}

/** Whether REST offers a procedure. */
export function isRest(endpoint: RpcEndpoint): endpoint is Endpoint {
  return "openapi" in endpoint;
}

function describe(procedure: AnyTRPCProcedure, rpc: string, kinds: Kinds): RpcEndpoint | Endpoint {
  const { openapi, http: given } = metaOf(procedure);
  const input = inputOf(procedure);
  if (given) checkHttp(given, rpc, kinds.isExtended);
  const own = { ...usualHttp(input, openapi), ...given };
  const http = kinds.completeHttp?.(own) ?? own;
  const type: string = procedure._def.type;
  const isSubscription = type === "subscription";
  const called: RpcEndpoint = { rpc, procedure, run: runnerOf(procedure), isSubscription, input, http };
  if (!openapi || openapi.enabled === false) return called;
  const body = kinds.bodyKinds[http.body];
  const write = kinds.resultKinds[http.result];
  if (!body) throw unknownKind(rpc, { what: "body", name: http.body, known: kinds.bodyKinds });
  if (!write) throw unknownKind(rpc, { what: "result", name: http.result, known: kinds.resultKinds });
  for (const word of unknownWords(openapi))
    kinds.onWarning?.(`meta.openapi of ${rpc} has the unknown field "${word}", which has no effect`);
  const reason =
    input.takes === "something else" && !mayBeObject(input.shape) ? explainNoObject(input) : undefined;
  if (reason) {
    kinds.onWarning?.(`${rpc} is RPC only: ${reason}`);
    return called;
  }
  if (input.takes !== "nothing" && !input.schema) kinds.onWarning?.(undescribedInput(procedure, rpc));
  if (http.body !== "json" && !isFreeOf((shape) => shape === COERCED_BOOLEAN, input.shape))
    kinds.onWarning?.(
      `z.coerce.boolean() in ${rpc} turns every text into true, "false" too; z.boolean() reads "true" and "false"`,
    );
  const text = textPathOf({ openapi, http });
  const paths = [openapi.path, ...(http.aliases ?? []), ...(text ? [text] : [])];
  const output = shapeOf(outputOf(procedure));
  const resultKeys = objectsOf(output).flatMap(({ properties }) => [...properties.keys()]);
  const endpoint = {
    ...called,
    openapi,
    paths,
    resultKeys,
    yields: isSubscription || isGenerator(procedure),
    isPlainResult: isWrittenAsIs(output),
    body,
    write,
  };
  checkPaths(endpoint);
  checkFiles(endpoint, kinds.onWarning);
  if (http.text && resultKeys.length > 0 && !resultKeys.includes(http.text.field))
    throw new Error(`meta.http.text of ${rpc} names "${http.text.field}", which its result lacks`);
  return endpoint;
}

function explainNoObject({ shape }: ProcedureInput): string {
  return shape.kind === "form"
    ? "its input is a whole FormData; an object with z.file() in it takes the parts of a form over both"
    : "REST has parameters by name, and its input is not an object";
}

function undescribedInput(procedure: AnyTRPCProcedure, rpc: string): string {
  const isOld = parsersOf(procedure).some(isOldZod);
  const reason = isOld
    ? 'zod 3 has no JSON Schema; zod 4 does, also as "zod/v4" of zod 3.25'
    : "its validator has no JSON Schema";
  return `REST passes parameters to ${rpc} as texts, and the document does not describe them: ${reason}`;
}

function isOldZod(parser: unknown): boolean {
  return "typeName" in Object(Reflect.get(Object(parser), "_def"));
}

function unknownKind(
  rpc: string,
  { what, name, known }: { what: string; name: string; known: Readonly<Record<string, unknown>> },
): Error {
  const allowed = Object.keys(known).join(", ");
  return new Error(`meta.http.${what} of ${rpc} is "${name}" but must be one of ${allowed}`);
}

function checkPaths({ rpc, openapi, input, paths }: Endpoint): void {
  if (!METHODS.includes(openapi.method))
    throw new Error(`The method "${openapi.method}" of ${rpc} must be one of ${METHODS.join(", ")}`);
  if (typeof openapi.path !== "string") throw new Error(`meta.openapi of ${rpc} has no path`);
  for (const path of paths) {
    const about = `The path "${path}" of ${rpc}`;
    if (!path.startsWith("/")) throw new Error(`${about} must begin with a slash`);
    if (/[?#]/.test(path)) throw new Error(`${about} must end before a query or a fragment`);
    if (/[{}]/.test(path.replace(/\{[^{}]+\}/g, "")))
      throw new Error(`${about} has a brace without its pair`);
    const names = placesIn(path);
    const colon = input.names.find((name) => path.split("/").includes(`:${name}`));
    if (colon !== undefined) throw new Error(`${about} has :${colon}; write {${colon}}`);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined) throw new Error(`${about} has {${twice}} twice`);
    const lacking = names.find((name) => input.unknown !== "kept" && !input.names.includes(name));
    if (lacking !== undefined) throw new Error(`${about} has {${lacking}}, which its input lacks`);
  }
}

// A GET has no body, and of the other bodies only a form or a file carries files.
function checkFiles({ rpc, openapi, input, http: { body } }: Endpoint, onWarning?: Kinds["onWarning"]): void {
  if (openapi.method === "GET" && ["json", "fields", "file", "files"].includes(body))
    throw new Error(`The body "${body}" of ${rpc} needs another method: a GET has none`);
  const hasFile = !isFreeOf(({ kind }) => kind === "file", input.shape);
  const mayHaveFile =
    input.files.length > 0 ||
    input.unknown === "kept" ||
    !isFreeOf(({ kind }) => kind === "any", input.shape);
  if (body === "file" && !mayHaveFile)
    throw new Error(
      `The body "file" of ${rpc} carries a file, and its input has none${hasFile ? " but inside other values" : ""}`,
    );
  if (!hasFile || !["none", "json", "fields"].includes(body)) return;
  const about = `The body "${body}" of ${rpc} carries no file, and its input has one`;
  const [needed] = input.files.filter(({ required }) => required);
  if (!needed) return onWarning?.(about);
  throw new Error(`${about}, "${needed.name}"; POST, PUT and PATCH carry it in the body "file"`);
}

const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Refuses two procedures that answer the same calls, or what is at a path of the adapter's own. @throws Error at the
 * start, which names both
 */
export function checkTable(
  endpoints: readonly Endpoint[],
  {
    rpcPaths,
    documentPath,
  }: {
    /** Where the procedures are over RPC. */
    rpcPaths: readonly string[];
    documentPath: string | undefined;
  },
): void {
  const owners = new Map(documentPath === undefined ? [] : [[`GET ${documentPath}`, "the document"]]);
  for (const endpoint of endpoints)
    for (const path of endpoint.paths) {
      const template = path.split(/\{[^{}]+\}/).map((part) => part.replace(/[^\w/]/g, "\\$&"));
      const pattern = new RegExp(`^${template.join("[^/]+")}$`);
      const taken = rpcPaths.find((each) => pattern.test(each));
      if (taken !== undefined)
        throw new Error(
          `The path "${path}" of ${endpoint.rpc} also matches ${taken}, which is for RPC; choose another rpcPath`,
        );
      for (const method of methodsOf(endpoint)) {
        const place = `${method} ${path.replace(/\{[^{}]+\}/g, "{}")}`;
        const owner = owners.get(place);
        if (owner !== undefined)
          throw new Error(`${owner} and ${endpoint.rpc} are both at ${method} ${path}`);
        owners.set(place, endpoint.rpc);
      }
    }
}

/** The names in an OpenAPI path, in order. */
export function placesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => name ?? []);
}

/** Added to a procedure's path: there it returns its bare text. */
export const TEXT_PATH = "/raw";

/**
 * The path where a procedure always returns its bare text. By query or Accept it does so at its other paths too, which
 * generated clients cannot have a type for.
 */
export function textPathOf({ openapi, http }: Pick<Endpoint, "openapi" | "http">): string | undefined {
  return http.text ? openapi.path + TEXT_PATH : undefined;
}

// The defaults that follow from meta.openapi and the schema.
function usualHttp({ files }: ProcedureInput, openapi: AdapterMeta["openapi"]): HttpMeta {
  const types: readonly string[] = openapi?.contentTypes ?? [];
  const hasBody = openapi !== undefined && openapi.method !== "GET" && openapi.method !== "DELETE";
  if (!hasBody) return { body: "none", result: "json" };
  if (files.length > 0) return { body: "file", result: "json" };
  return { body: types.some((type) => type.includes("form")) ? "fields" : "json", result: "json" };
}

export function methodsOf({ openapi, http }: Endpoint): string[] {
  return http.alsoGet ? [openapi.method, "GET"] : [openapi.method];
}

/** Whether a parameter is in the path. */
export function isInPath({ openapi }: Endpoint, { name }: Parameter): boolean {
  return openapi.path.includes(`{${name}}`);
}

/** The parameters that are not in the path. */
export function besidePath(endpoint: Endpoint): Parameter[] {
  return endpoint.input.parameters.filter((parameter) => !isInPath(endpoint, parameter));
}
