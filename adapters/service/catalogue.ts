import type { Catalogue, CatalogueEntry, Services } from "../../router/context.ts";
import { SESSION_COOKIE } from "../../router/accounts/cookies.ts";
import { parametersOf, type Parameter } from "../trpc/schema/input.ts";
import { BODY_LIMITS } from "./body-kinds/body-kinds.ts";
import { isInPath, methodsOf } from "../trpc/endpoints.ts";
import { EVENTS_TYPE } from "../trpc/openapi/types.ts";
import { offered, type ServiceEndpoint } from "./endpoints.ts";
import { isDeepStrictEqual } from "node:util";
import { DEFAULT_LIMITS, type Limits, type TierLimits } from "../../router/limits.ts";
import { lifetimeSchema } from "../../router/schemas.ts";

/** Endpoints are the same for every service in a process. */
const described = new Map<ServiceEndpoint, CatalogueEntry>();

/** The API's reference as data: everything in it that is the same for every caller. */
export function makeCatalogue(services: Pick<Services, "tools" | "limits">): Catalogue {
  const entries = offered(services).map((endpoint) => {
    const entry = described.get(endpoint) ?? describe(endpoint);
    described.set(endpoint, entry);
    return entry;
  });
  const isTool = ({ tool }: CatalogueEntry) => tool === true;
  return withLifetimes(
    { tools: entries.filter(isTool), endpoints: entries.filter((entry) => !isTool(entry)) },
    services.limits,
  );
}

function describe(endpoint: ServiceEndpoint): CatalogueEntry {
  const { rpc, openapi, http, body, errors, input } = endpoint;
  const { tool, access } = endpoint.meta;
  const { types } = body;
  const name = tool?.name ?? rpc;
  return {
    name,
    title: tool?.title ?? openapi.summary ?? name,
    summary: openapi.summary ?? "",
    description: openapi.description ?? "",
    path: openapi.path,
    aliases: http.aliases ?? [],
    methods: methodsOf(endpoint).toReversed(),
    rpc: `/trpc/${rpc}`,
    access: access ?? "open",
    ...(http.retry === "key" && { idempotencyKey: true }),
    tool: tool !== undefined,
    page: tool && `/${tool.name}`,
    request: { body: http.body, types, multipart: types.includes("multipart/form-data") },
    response: describeResponse(endpoint),
    parameters: [
      ...input.parameters.map((parameter) => placeParameter(parameter, endpoint)),
      ...headerParameters(endpoint),
    ],
    limits: limitNames(endpoint, BODY_LIMITS[http.body] ?? []),
    statuses: [http.status ?? 200, ...errors],
    example: exampleOf(endpoint),
  };
}

function describeResponse(endpoint: ServiceEndpoint) {
  const { http, resultKeys } = endpoint;
  const { tool } = endpoint.meta;
  if (http.result === "file") {
    const extras = resultKeys.filter((key) => !ENVELOPE_KEYS.has(key));
    return { types: tool?.types, envelope: true, extras };
  }
  if (http.result === "download") return { types: ["application/octet-stream"], envelope: false };
  if (endpoint.isSubscription) return { types: [EVENTS_TYPE], envelope: false };
  const types = ["application/json", ...(http.text ? ["text/plain"] : [])];
  return { types, envelope: false, keys: resultKeys };
}

const ENVELOPE_KEYS = new Set(["tool", "name", "type", "size", "data", "sha256"]);

function placeParameter(parameter: Parameter, endpoint: ServiceEndpoint) {
  const kind = endpoint.body;
  const elsewhere = parameter.type === "file" || kind.isInBody?.(parameter) ? "body" : kind.place;
  const place = isInPath(endpoint, parameter) ? "path" : elsewhere;
  const { schema: _, ...facts } = parameter;
  return { ...facts, in: place, also: kind.also(parameter, endpoint) };
}

// Parameters that exist only as headers, and so are not part of the input's schema.
function headerParameters({ openapi: { requestHeaders } }: ServiceEndpoint) {
  if (!requestHeaders) return [];
  return parametersOf(requestHeaders).map((parameter) => {
    const { schema: _, ...facts } = parameter;
    return { ...facts, in: "header", also: [] };
  });
}

function limitNames({ meta: { rate } }: ServiceEndpoint, ofBody: readonly string[]): string[] {
  if (rate === "tools") return ["calls", "concurrentCalls", ...ofBody];
  return [...ofBody, ...(rate ? [rate] : [])];
}

/** A shell command that calls a procedure; $URL stands for the server's address. */
export function exampleOf(endpoint: ServiceEndpoint): string {
  const { http, openapi, body, meta } = endpoint;
  const { headers, query } = besideFile(endpoint);
  if (http.text?.by === "raw") query.push("raw=true");
  // A logout without a session succeeds, but ends nothing.
  const access = meta.access ?? (endpoint.rpc === "account.logout" ? "session" : undefined);
  return [
    "curl",
    ...(openapi.method === "DELETE" ? ["-X DELETE"] : []),
    ...(access ? [CREDENTIAL[access]] : []),
    ...(endpoint.isSubscription ? ['-N -H "Secret-Proof: $PROOF"'] : []),
    ...headers.map((header) => `-H "${header}"`),
    ...body.curl(endpoint),
    ...proofOf(endpoint).map((name) => `-d ${name}=${name.toUpperCase()}`),
    `"$URL${openapi.path.replace("{id}", "$ID")}${query.length > 0 ? `?${query.join("&")}` : ""}"`,
    ...(http.result === "json" ? [] : ["-o RESULT"]),
  ].join(" ");
}

/** Optional secrets by which a caller whose login is long ago confirms it, in calls with other required fields. */
function proofOf({ http, input: { parameters }, meta: { examples = {} } }: ServiceEndpoint): string[] {
  const hasOthers = parameters.some(({ name, required }) => required && name !== "id");
  const isProof = ({ name, required, secret }: Parameter) =>
    !required && secret && examples[`Input.${name}`] !== undefined;
  return http.body === "fields" && hasOthers ? parameters.filter(isProof).map(({ name }) => name) : [];
}

/** The required parameters beside a file: passwords in headers, so that no log has them, others in the query. */
function besideFile(endpoint: ServiceEndpoint) {
  const {
    body,
    input,
    meta: { examples = {} },
  } = endpoint;
  const [headers, query]: [string[], string[]] = [[], []];
  for (const parameter of input.parameters) {
    const example = examples[`Form.${parameter.name}`];
    if (example === undefined) continue;
    const places = body.also(parameter, endpoint).join();
    const [, header] = /header ([\w-]+)/.exec(places) ?? [];
    if (header) headers.push(`${header}: $${parameter.name.toUpperCase()}`);
    else query.push(`${parameter.name}=${String(example)}`);
  }
  return { headers, query };
}

const SESSION = `-b "${SESSION_COOKIE}=$SESSION"`;
const CREDENTIAL = {
  member: '-H "Authorization: Bearer $TOKEN"',
  session: SESSION,
  admin: SESSION,
} as const;

const DEFAULT = lifetimeSchema(DEFAULT_LIMITS);

/**
 * A document or catalogue with the lifetimes of this instance in place of the defaults in the schemas, found by their
 * descriptions; the same one where they do not differ.
 */
export function withLifetimes<Written>(written: Written, limits: Limits): Written {
  const lifetime = lifetimeSchema(limits);
  const replace = (_: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (!("description" in value) || value.description !== DEFAULT.description) return value;
    const { description, ...bounds } = lifetime;
    if (!("schema" in value)) return { ...value, ...lifetime };
    // A parameter's description stands beside its schema.
    return { ...value, description, schema: { ...Object(value.schema), ...bounds } };
  };
  return isDeepStrictEqual(lifetime, DEFAULT)
    ? written
    : (JSON.parse(JSON.stringify(written, replace)) as Written);
}

/** A parameter with the lifetimes that its caller may ask for, which errors then name. */
export function withCallerLifetimes(
  parameter: Parameter,
  { minimum, maximum, offered }: TierLimits["lifetimes"],
): Parameter {
  if (parameter.description !== DEFAULT.description) return parameter;
  return { ...parameter, minimum, maximum, ...(offered && { enum: offered }) };
}
