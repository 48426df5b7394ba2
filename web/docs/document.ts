import { hrefTo, SERVER_URL } from "../app/base.ts";
import { formatBytes, formatNumber, formatDuration } from "../app/format.ts";
import { entriesOf } from "../app/entries.ts";
import { fill, words } from "../app/words.ts";
import { server } from "../api/server.ts";

/** The parts of an OpenAPI 3.1 document that are shown. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Media {
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

export interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Reference {
  readonly document: Document;
  /** Curl commands by path, and the limits of the caller now. */
  readonly examples: ReadonlyMap<string, string>;
  readonly limits: readonly { readonly name: string; readonly text: string }[];
  readonly tier: string;
}

/** Loads the OpenAPI document, and the limits of the caller. */
export async function loadReference(): Promise<Reference> {
  const [response, catalogue] = await Promise.all([
    fetch(hrefTo("/api/openapi.json")),
    server.tools.catalogue.query({}),
  ]);
  // The server generates it, and a test validates it.
  const document = withoutReferences(await response.json()) as Document;
  const entries = [...catalogue.tools, ...catalogue.endpoints];
  const examples = new Map(
    entries.map(({ path, example }) => [path, example.replaceAll("$URL", SERVER_URL)]),
  );
  return { document, examples, limits: formatLimits(catalogue.limits), tier: catalogue.caller.tier };
}

/** The document with what its references lead to in their places; none leads back to itself. */
function withoutReferences(document: unknown): unknown {
  const known = new Map<string, object>();
  return resolve(document);

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== "object" || value === null) return value;
    if ("$ref" in value) {
      const { $ref, ...beside } = value;
      return { ...find(String($ref)), ...beside };
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
  }

  function find(reference: string): object {
    const found = known.get(reference) ?? Object(resolve(at(document, reference)));
    known.set(reference, found);
    return found;
  }
}

function at(document: unknown, reference: string): unknown {
  const keys = reference.replace("#/", "").split("/");
  return keys.reduce<unknown>((value, key) => Object(value)[key], document);
}

function formatLimits(limits: Readonly<Record<string, unknown>>): Reference["limits"] {
  return entriesOf(words().docs.limitNames).flatMap(([key, name]) => {
    const limit = limits[key];
    return typeof limit === "object" && limit !== null ? [{ name, text: formatLimit({ ...limit }) }] : [];
  });
}

function formatLimit({ value, unit, window, remaining }: Readonly<Record<string, unknown>>): string {
  const t = words().docs;
  if (typeof value !== "number") return "";
  if (unit === "seconds") return fill(t.upTo, { value: formatDuration(value) });
  const amount = unit === "bytes" ? formatBytes(value) : formatNumber(value);
  const rate =
    typeof window === "number" ? fill(t.inWindow, { value: amount, window: formatDuration(window) }) : amount;
  return typeof remaining === "number"
    ? fill(t.left, { value: rate, remaining: formatNumber(remaining) })
    : rate;
}
