import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeServiceDocument } from "../../../adapters/service/openapi/service-document.ts";
import { HEADERS } from "../../../adapters/service/openapi/responses.ts";
import type { Json, OperationObject } from "../../../adapters/trpc/openapi/types.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { withServer } from "../../support/with-server.ts";
import { DEFAULT_LIMITS } from "../../../router/limits.ts";
import { TOOL_NAMES } from "../../../wire/pages.ts";

const service = withServer();
const WHOLE = { tools: new Set<string>(TOOL_NAMES), limits: DEFAULT_LIMITS };
const document = makeServiceDocument({ publicUrl: "http://h", ...WHOLE });
const schemas: Json = Object(document.components.schemas);

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

test.each(operations)("$name takes and answers objects that have names", ({ operation }) => {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  for (const body of bodies) expect(JSON.stringify(body?.content ?? {})).not.toContain('"properties"');
});

test("has one kind of body for each operation where it is asked for, and refuses a kind that none takes", async () => {
  const ask = async (type: string) => service.request(`/api/openapi.json?body=${encodeURIComponent(type)}`);
  for (const type of ["application/octet-stream", "multipart/form-data", "application/json"]) {
    const answer = await ask(type);
    const { paths, ...rest } = (await answer.json()) as typeof document;
    expect(rest.components).toEqual((await readDocument()).components);
    const told = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { requestBody }]) => [`${method} ${path}`, requestBody?.content ?? {}] as const,
      ),
    );
    const kinds = operations.map(({ name, operation: { requestBody } }) => {
      const content = requestBody?.content ?? {};
      return [name, content[type] ? { [type]: content[type] } : content] as const;
    });
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(kinds));
    const again = await service.request(`/api/openapi.json?body=${encodeURIComponent(type)}`, {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  }
  for (const type of ["", "text/html", "constructor"]) {
    const refused = await ask(type);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: "invalid_parameter", parameter: "body" },
    ]);
  }
});

async function readDocument(): Promise<typeof document> {
  return (await (await service.request("/api/openapi.json")).json()) as typeof document;
}

test.each(operations)("$name answers JSON, a text or a file, and never one or the other", ({ operation }) => {
  for (const [status, { content = {} }] of Object.entries(operation.responses)) {
    const types = Object.keys(content).map((type) => (/json|^text/.test(type) ? type : "a file"));
    if (status < "300") expect(new Set(types).size).toBeLessThanOrEqual(1);
  }
});

test("answers the bare text at a path of its own, as with raw=true", async () => {
  const { url } = await shareSecret(service);
  const [, id, key] = /\/s\/(\w+)#(\w+)$/.exec(url) ?? [];
  const link = await service.request("/api/secrets/raw", jsonPost({ content: "hush" }));
  expect([link.status, link.headers.get("content-type")]).toEqual([201, "text/plain; charset=utf-8"]);
  expect(await link.text()).toMatch(/^http:\/\/hushkit\.test\/s\/\w{16}#\w{22}\n$/);
  const bare = await service.request(`/api/secrets/${id}/reveal/raw`, jsonPost({ key }));
  expect(await bare.text()).toBe("hush");
  const file = await service.request("/api/secrets/file/raw", { method: "POST", body: "x" });
  expect(await file.text()).toMatch(/#\w{22}\n$/);
  for (const init of [{}, jsonPost({ count: 1 })]) {
    const lines = await service.request("/api/tools/password/raw", init);
    expect(await lines.text()).toMatch(/^\S+\n$/);
  }
  const gone = await service.request(`/api/secrets/${id}/reveal/raw`, jsonPost({ key }));
  expect([gone.status, await gone.json()]).toMatchObject([410, { code: "secret_gone" }]);
});

test.each(operations)("$name takes nothing in its body that stands in its path", ({ name, operation }) => {
  const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    const called = String(schema.$ref).split("/").at(-1) ?? "";
    const names = Object.keys(Object(Object(schemas[called]).properties));
    expect(names.filter((each) => inPath.includes(each))).toEqual([]);
  }
});

test("names objects inside objects too, and the same one once", () => {
  for (const schema of Object.values(schemas)) {
    const inside = JSON.stringify(Object.values(Object(Object(schema).properties)));
    expect(inside).not.toContain('"properties"');
  }
  const status = { $ref: "#/components/schemas/SecretStatus" };
  expect(schemas.SecretsCreateResult).toMatchObject({ properties: { status } });
  expect(schemas.SecretsStatusResult).toMatchObject({ properties: { status } });
  expect(Object.keys(schemas)).not.toContain("Error");
});

test("is sent packed to who takes that", async () => {
  const plain = await service.request("/api/openapi.json");
  expect(plain.headers.get("content-encoding")).toBe(null);
  expect(plain.headers.get("vary")).toBe("Accept-Encoding");
  const headers = { "accept-encoding": "gzip" };
  const packed = await service.request("/api/openapi.json", { headers });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const text = await plain.text();
  expect(bytes.length).toBeLessThan(text.length / 8);
  expect(gunzipSync(bytes).toString()).toBe(text);
  const refused = await service.request("/api/openapi.json", {
    headers: { "accept-encoding": "br;q=0, gzip;q=0" },
  });
  expect(refused.headers.get("content-encoding")).toBe(null);
});

test("has a strong tag for each way that it is packed, by which it is not sent twice", async () => {
  const tags = new Set<string>();
  for (const coding of ["identity", "gzip", "br"]) {
    const get = (headers: Record<string, string> = {}) =>
      service.request("/api/openapi.json", { headers: { "accept-encoding": coding, ...headers } });
    const tag = (await get()).headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{43}(-gzip|-br)?"$/);
    tags.add(tag);
    expect((await get()).headers.get("etag")).toBe(tag);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const same = await get({ "if-none-match": known });
      expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", tag]);
      expect(same.headers.get("content-type")).toBe(null);
      expect(same.headers.get("vary")).toBe("Accept-Encoding");
    }
    expect((await get({ "if-none-match": '"x"' })).status).toBe(200);
  }
  expect(tags.size).toBe(3);
});

test("names the headers that any error or any answer may have", async () => {
  const responses: Json = Object(document.components.responses);
  for (const response of Object.values(responses))
    expect(Object.keys(Object(response).headers)).toContain("Tool-Warning");
  expect(Object.keys(Object(responses.MethodNotAllowed).headers)).toContain("Allow");
  const stored = await service.request("/", {
    method: "POST",
    body: '{"content":"x"}',
    headers: { "content-type": "" },
  });
  expect(stored.headers.get("tool-warning")).toContain("stored as it is");
  expect(Object.keys(success("/", "201"))).toContain("Tool-Warning");
});

test("leaves answers open, and bounds what they count", () => {
  const answers = Object.entries(schemas).filter(([name]) => /Result|Envelope/.test(name));
  expect(answers.length).toBeGreaterThan(30);
  for (const [, schema] of answers) {
    expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
    const integers = JSON.stringify(schema).match(/\{[^{}]*"type":"integer"[^{}]*\}/g) ?? [];
    for (const integer of integers) expect(integer).toContain('"minimum"');
  }
});

test("types rows, spans, times and the lifetime of a secret", () => {
  const list = (name: string) => ({ type: "array", items: { $ref: `#/components/schemas/${name}` } });
  expect(schemas.TextCompareResult).toMatchObject({
    properties: { rows: list("TextCompareResultRow"), spans: list("TextCompareResultSpan") },
  });
  expect(schemas.TextCompareResultRow).toMatchObject({ required: ["op", "a", "b", "text"] });
  expect(schemas.SecretsCreateResult).toMatchObject({ properties: { expiry: { format: "date-time" } } });
  expect(schemas.SecretsCreateInput).toMatchObject({
    properties: { expires: { minimum: 60, maximum: 7_776_000 } },
  });
});

function success(path: string, status = "200") {
  return document.paths[path]?.post?.responses[status]?.headers ?? {};
}

test("describes the headers that answers have", async () => {
  const known = Object.keys(HEADERS).map((name) => name.toLowerCase());
  const own = (response: Response, documented: object) => {
    const sent = known.filter((name) => response.headers.has(name));
    const listed = Object.keys(documented).map((name) => name.toLowerCase());
    expect(listed).toEqual(expect.arrayContaining(sent));
    return sent;
  };
  const body = await makeBlankPdf();
  const rotated = await service.request("/api/tools/pdf-rotate", { method: "POST", body });
  const sent = own(rotated, success("/api/tools/pdf-rotate"));
  expect(sent).toEqual(
    expect.arrayContaining(["ratelimit", "repr-digest", "content-disposition", "tool-pages"]),
  );
  const made = await service.request("/api/secrets/file", { method: "POST", body });
  expect(own(made, success("/api/secrets/file", "201"))).toContain("location");
  const { id, key } = (await made.json()) as { id: string; key: string };
  const opened = await service.request(`/api/secrets/${id}/file`, jsonPost({ key }));
  expect(own(opened, success("/api/secrets/{id}/file"))).toContain("secret-ticket");
  const refused = await service.request("/api/users/me");
  const { Unauthorized }: Json = Object(document.components.responses);
  expect(own(refused, Object(Unauthorized).headers)).toContain("www-authenticate");
});

test("describes errors as JSON and as problems", async () => {
  const { BadRequest }: Json = Object(document.components.responses);
  expect(Object.keys(Object(BadRequest).content)).toEqual(["application/json", "application/problem+json"]);
  const headers = { accept: "application/problem+json" };
  const response = await service.request("/", { method: "POST", body: "", headers });
  const problem: unknown = await response.json();
  const { ErrorBody, ProblemDetails }: Json = schemas;
  const required = [Object(ErrorBody).required, Object(ProblemDetails).allOf[1].required].flat();
  expect(Object.keys(Object(problem))).toEqual(expect.arrayContaining(required));
  expect(response.headers.get("content-type")).toContain("application/problem+json");
});

test("describes 405, which any path answers to a wrong method", () => {
  const refs = operations.map(({ operation }: { operation: OperationObject }) => operation.responses["405"]);
  expect(new Set(refs.map((answer) => answer?.$ref))).toEqual(
    new Set(["#/components/responses/MethodNotAllowed"]),
  );
});

test("answers with the envelope at a path of its own, whatever is accepted", async () => {
  for (const accept of ["*/*", "application/pdf", "application/json"]) {
    const response = await service.request("/api/tools/pdf-rotate/envelope?angle=90", {
      method: "POST",
      body: await makeBlankPdf(),
      headers: { accept },
    });
    const envelope = (await response.json()) as object;
    expect(envelope).toMatchObject({ tool: "pdf-rotate", encoding: "base64", type: "application/pdf" });
    const { required, properties } = Object(schemas.PdfRotateEnvelope);
    expect(Object.keys(envelope)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(envelope)));
  }
  expect((await service.request("/api/tools/pdf-rotate/envelope")).status).toBe(405);
  expect((await service.request("/api/tools/file-hash/envelope", { method: "POST" })).status).toBe(404);
});
