import { hrefTo } from "../app/paths/base.ts";
import { RestFailure } from "../../client/rest.ts";

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
  readonly "x-codeSamples"?: readonly { readonly source: string }[];
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

interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export type Reference = Awaited<ReturnType<typeof fetchReference>>;

/** The facts about an operation that the page lists before it is opened. */
export type ListedOperation = Reference["operations"][number];

/** The same call again, for generated clients that cannot ask for an envelope by Accept. */
const ENVELOPE = /-envelope$/;

// Requested when this file is loaded and not once the page is drawn: a frame on a busy phone takes a tenth of a second.
let early: Promise<Reference> | undefined = fetchReference();
// Callers of loadReference get the error.
early.catch(() => undefined);

/** Loads the OpenAPI document. */
export function loadReference(): Promise<Reference> {
  const reference = early ?? fetchReference();
  early = undefined;
  return reference;
}

async function fetchReference() {
  const response = await fetch(hrefTo("/api/openapi.json"));
  if (!response.ok) throw new RestFailure("", response);
  // The server generates it, and a test validates it.
  const document = (await response.json()) as Document;
  const resolve = resolverOf(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
      /** The operation with its references followed. */
      read: () => resolve(operation) as Operation,
    })),
  );
  return { tags: document.tags, operations: operations.filter((each) => !ENVELOPE.test(each.operationId)) };
}

/** Replaces references by what they refer to; none leads back to itself. */
function resolverOf(document: unknown): (value: unknown) => unknown {
  const known = new Map<string, object>();
  return resolve;

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

/** The document is in English on every page, also on those that run from right to left. */
export const ENGLISH = { lang: "en", dir: "ltr" } as const;
