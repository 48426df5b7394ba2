import { expect, test } from "vitest";
import { z } from "zod";
import { endpoints } from "../../../adapters/service/endpoints.ts";
import { makeServiceDocument } from "../../../adapters/service/openapi/service-document.ts";
import { parsersOf } from "../../../adapters/trpc/introspect.ts";
import type { ContentObject, Json, MediaType } from "../../../adapters/trpc/openapi/types.ts";
import { DEFAULT_LIMITS } from "../../../router/limits.ts";
import { TOOL_NAMES } from "../../../wire/pages.ts";

const document = makeServiceDocument({
  ...{ publicUrl: "http://h", tools: new Set<string>(TOOL_NAMES), limits: DEFAULT_LIMITS },
});
const schemas: Json = Object(document.components.schemas);

interface Shown {
  readonly name: string;
  readonly media: MediaType;
}

/** Everything that JSON can hold; a file has no example. */
function shownIn(what: string, content: ContentObject = {}): Shown[] {
  return Object.entries(content)
    .filter(([type]) => /json|form|^text\//.test(type))
    .map(([type, media]) => ({ name: `${what} ${type}`, media }));
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);
const shown = [
  ...operations.flatMap(({ name, operation: { requestBody, responses } }) => [
    ...shownIn(`${name} takes`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) =>
      shownIn(`${name} answers ${status}`, content),
    ),
  ]),
  ...Object.entries<Json>(Object(document.components.responses)).flatMap(([name, { content }]) =>
    shownIn(name, Object(content)),
  ),
];

/** As zod 4.6 reads JSON Schema: it has no `#/components`, takes every URI for a URL, and patterns without Unicode. */
function readSchema(schema: Json): z.ZodType {
  const written = JSON.stringify({ ...schema, $defs: schemas }, (key, value: unknown) =>
    (key === "format" && value === "uri-reference") || (key === "pattern" && /\\p\{/.test(String(value)))
      ? undefined
      : value,
  );
  return z.fromJSONSchema(JSON.parse(written.replaceAll("#/components/schemas/", "#/$defs/")));
}

test.each(shown)("$name: the example fits its schema", ({ media }) => {
  expect(media.example).toBeDefined();
  const { success, error } = readSchema(media.schema).safeParse(media.example);
  expect([success, error?.issues]).toEqual([true, undefined]);
  // A text that nobody has thought of.
  expect(JSON.stringify(media.example)).not.toContain('""');
});

test.each(endpoints.filter(({ openapi }) => document.paths[openapi.path]))(
  "$rpc takes the example of its body",
  ({ openapi, input, procedure, http }) => {
    const operation = document.paths[openapi.path]?.[openapi.method.toLowerCase()];
    const { example } = operation?.requestBody?.content["application/json"] ?? {};
    if (example === undefined || http.body === "files") return;
    const id = input.names.includes("id") ? { id: "q7Zk2PfW0LxT8nBy" } : {};
    for (const parser of parsersOf(procedure))
      expect(z.safeParse(parser as z.ZodType, { ...Object(example), ...id }).error).toBeUndefined();
  },
);

test("every example that a procedure gives stands in the document", () => {
  const written = JSON.stringify(document);
  const given = endpoints.flatMap(({ rpc, meta }) =>
    Object.entries(meta.examples ?? {}).map(([key, example]) => ({ name: `${rpc} ${key}`, example })),
  );
  expect(given.filter(({ example }) => !written.includes(JSON.stringify(example)))).toEqual([]);
  // A name that nothing is called would be no example of anything.
  const names = given.flatMap(({ name }) => /\.(\w+)$/.exec(name)?.[1] ?? []);
  expect(names.filter((name) => !written.includes(`"${name}":`))).toEqual([]);
});
