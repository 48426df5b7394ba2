import { expect, test } from "vitest";
import { BODY_KINDS } from "../../../adapters/service/body-kinds/body-kinds.ts";
import { makeCatalogue } from "../../../adapters/service/catalogue.ts";
import { endpoints, type ServiceEndpoint } from "../../../adapters/service/endpoints.ts";
import { makeServiceDocument } from "../../../adapters/service/openapi/service-document.ts";
import { withServer } from "../../support/with-server.ts";
import { DEFAULT_LIMITS } from "../../../router/limits.ts";
import { TOOL_NAMES } from "../../../wire/pages.ts";

const service = withServer();
const WHOLE = { tools: new Set<string>(TOOL_NAMES), limits: DEFAULT_LIMITS };
const document = makeServiceDocument({ publicUrl: "http://h", ...WHOLE });
const catalogue = makeCatalogue(WHOLE);
const entries = new Map([...catalogue.tools, ...catalogue.endpoints].map((entry) => [entry.rpc, entry]));

function documented({ openapi }: ServiceEndpoint) {
  return document.paths[openapi.path]?.[openapi.method.toLowerCase()];
}

test.each(endpoints)("$rpc has one list of body types in document and catalogue", (endpoint) => {
  const { types } = BODY_KINDS[endpoint.http.body];
  const paths = [endpoint.openapi.path, ...(endpoint.http.aliases ?? [])];
  const method = endpoint.openapi.method.toLowerCase();
  // Where there are aliases, the path itself lists what generated clients are to send.
  const bodies = paths.map((path) => Object.keys(document.paths[path]?.[method]?.requestBody?.content ?? {}));
  expect(bodies.at(-1)?.toSorted()).toEqual([...types].toSorted());
  expect(types).toEqual(expect.arrayContaining(bodies[0] ?? []));
  expect(entries.get(`/trpc/${endpoint.rpc}`)?.request).toMatchObject({ types });
});

test.each(endpoints)(
  "$rpc names the same parameters outside the body in document and catalogue",
  (endpoint) => {
    // Headers that no procedure reads.
    const own = ["Idempotency-Key", "If-None-Match"];
    const listed = (documented(endpoint)?.parameters ?? []).filter(({ name }) => !own.includes(String(name)));
    const parameters = entries.get(`/trpc/${endpoint.rpc}`)?.parameters ?? [];
    const expected = parameters.flatMap(
      ({ name, in: place, also }: { name: string; in?: unknown; also?: unknown }) => [
        ...(place === "body" ? [] : [`${String(place)} ${name}`]),
        ...[also].flat().filter((each) => String(each).startsWith("header ")),
        ...(name === "expires" && String(also) === "query" ? ["query expires"] : []),
      ],
    );
    expect(listed.map(({ in: place, name }) => `${String(place)} ${String(name)}`).toSorted()).toEqual(
      expected.toSorted(),
    );
  },
);

test.each([
  ["tools.catalogue", 'curl "$URL/api/tools"'],
  ["tools.pdfRotate", 'curl --data-binary @FILE "$URL/api/tools/pdf-rotate" -o RESULT'],
  ["tools.fileHash", 'curl --data-binary @FILE "$URL/api/tools/file-hash"'],
  ["tools.pdfMerge", 'curl -F file=@FIRST -F file=@SECOND "$URL/api/tools/pdf-merge" -o RESULT'],
  ["tools.textCompare", `curl --json '{"a":"A","b":"B"}' "$URL/api/tools/text-compare"`],
  ["secrets.reveal", 'curl -d key=KEY "$URL/api/secrets/$ID/reveal?raw=true"'],
  ["secrets.create", 'curl --data-binary @- "$URL/api/secrets?raw=true"'],
])("shows %s as a command for a shell", (rpc, example) => {
  expect(entries.get(`/trpc/${rpc}`)?.example).toBe(example);
});

test("takes expires from the query only where a secret is made", async () => {
  const [made, token] = [entries.get("/trpc/secrets.create"), entries.get("/trpc/tokens.create")];
  const expires = (of: typeof made) => of?.parameters.find(({ name }) => name === "expires");
  expect([expires(made), expires(token)]).toMatchObject([{ also: ["query"] }, { also: [] }]);
  const response = await service.request("/?expires=7200", { method: "POST", body: "hush" });
  expect(response.status).toBe(201);
});

test("describes bytes inside JSON as base64, and no bound that is only JavaScript's", () => {
  const schemas: Record<string, unknown> = { ...Object(document.components.schemas) };
  const [merge, inside] = [schemas.PdfMergeInput, schemas.PdfMergeInputFile];
  expect(JSON.stringify(inside)).toContain('"contentEncoding":"base64"');
  expect(JSON.stringify([merge, inside])).not.toContain('"format":"binary"');
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test("reads a part that is not UTF-8 as an error of that part", async () => {
  const form = new FormData();
  form.append("secret", new Blob([new Uint8Array([0xff])]));
  const response = await service.request("/", { method: "POST", body: form });
  expect(await response.json()).toMatchObject({
    code: "invalid_text",
    error: 'The part "secret" is not UTF-8',
  });
});
