import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { endpoints, procedures, serviceMetaOf as readMeta } from "../adapters/service/endpoints.ts";
import { listErrors } from "../router/errors/error-codes.ts";
import { inputOf } from "../adapters/trpc/schema/input.ts";
import { statusesOf, type Meta } from "../router/meta.ts";
import { jsonPost } from "./support/requests.ts";
import { nodePath } from "./support/runtimes.ts";
import { makeTempFolder } from "./support/temp-folder.ts";
import { withServer } from "./support/with-server.ts";

const service = withServer();

async function get<Shape>(path: string): Promise<Shape> {
  return (await (await service.request(path)).json()) as Shape;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<
    string,
    Record<string, { requestBody?: { content: object }; responses: Record<string, { content: object }> }>
  >;
}

function metaOf(rpc: string): Meta {
  const procedure = procedures[rpc];
  return procedure ? readMeta(procedure) : {};
}

const rpcPaths = Object.keys(procedures);
const restPaths = [...new Set(endpoints.flatMap(({ paths }) => paths))];

function withId(path: string, id: string): string {
  return path.replace("{id}", id);
}

test.each(rpcPaths)("%s is in document, catalogue and docs/api.md", async (rpc) => {
  const { openapi } = metaOf(rpc);
  const document = await get<Document>("/api/openapi.json");
  expect(document.paths[openapi?.path ?? ""]).toHaveProperty(openapi?.method.toLowerCase() ?? "");
  const catalogue = await get<{ tools: { rpc: string }[]; endpoints: { rpc: string }[] }>("/api/tools");
  expect([...catalogue.tools, ...catalogue.endpoints].map((entry) => entry.rpc)).toContain(`/trpc/${rpc}`);
  const table = readFileSync(new URL("../docs/api.md", import.meta.url), "utf8");
  expect([table.includes(`\`${openapi?.path}\``), table.includes(`\`${rpc}\``)]).toEqual([true, true]);
});

test("a procedure that needs no parameter can be called over RPC without an input", async () => {
  const free = rpcPaths.filter((rpc) => {
    const procedure = procedures[rpc];
    return procedure && !inputOf(procedure).parameters.some(({ required }) => required);
  });
  const refused: string[] = [];
  for (const rpc of free) {
    const isQuery = procedures[rpc]?._def.type === "query";
    const { status } = await service.request(`/trpc/${rpc}?batch=1`, isQuery ? {} : jsonPost({}));
    if (status === 400) refused.push(rpc);
  }
  expect(free).toContain("tools.password");
  expect(refused).toEqual([]);
});

test("no query procedure takes what must never stand in a URL", () => {
  const secret = [
    ...["key", "passphrase", "revokeToken", "content", "password"],
    ...["gate", "note", "collectToken", "ticket"],
  ];
  const wrong = rpcPaths.filter((rpc) => {
    const procedure = procedures[rpc];
    return procedure?._def.type === "query" && inputOf(procedure).names.some((name) => secret.includes(name));
  });
  expect(wrong).toEqual([]);
});

test("GET, HEAD and OPTIONS change no row but the counts of calls", async () => {
  const paths = [
    "/",
    "/s/0123456789abcdef",
    "/readyz",
    "/api/openapi.json",
    "/trpc/tools.catalogue",
    "/nowhere",
  ];
  const all = [...paths, ...restPaths.map((path) => withId(path, "0123456789abcdef"))];
  const made = await service.request("/", { method: "POST", body: "kept" });
  expect(made.status).toBe(201);
  const before = await rows();
  for (const path of all) {
    for (const method of ["GET", "HEAD", "OPTIONS"]) await service.request(path, { method });
  }
  expect(await rows()).toEqual(before);
});

async function rows(): Promise<unknown[]> {
  const { query } = service.db;
  return [
    await query.selectFrom("secret").selectAll().execute(),
    await query.selectFrom("secret_content").selectAll().execute(),
    await query.selectFrom("secret_file").selectAll().execute(),
    await query.selectFrom("secret_chunk").selectAll().execute(),
    await query.selectFrom("request").selectAll().execute(),
    await query.selectFrom("request_answer").selectAll().execute(),
    await query.selectFrom("member").selectAll().execute(),
    await query.selectFrom("session").selectAll().execute(),
    await query.selectFrom("token").selectAll().execute(),
  ];
}

test("describes raw bodies and binary answers as such", async () => {
  const { openapi, paths } = await get<Document>("/api/openapi.json");
  expect(openapi).toBe("3.1.0");
  const rotate = paths["/api/tools/pdf-rotate"]?.post;
  expect(Object.keys(rotate?.requestBody?.content ?? {})).toEqual([
    "application/octet-stream",
    "multipart/form-data",
  ]);
  const answers = (path: string) => Object.keys(paths[path]?.post?.responses["200"]?.content ?? {});
  // A client that is generated has one type for an answer, so the envelope has an operation of its own.
  expect(answers("/api/tools/pdf-rotate")).toEqual(["application/pdf"]);
  expect(answers("/api/tools/pdf-rotate/envelope")).toEqual(["application/json"]);
});

test("shows generated clients JSON for a secret, and every kind of body at the short paths", async () => {
  const { paths } = await get<Document>("/api/openapi.json");
  const kinds = (path: string) => Object.keys(paths[path]?.post?.requestBody?.content ?? {});
  expect(kinds("/api/secrets")).toEqual(["application/json"]);
  const all = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
  expect([kinds("/"), kinds("/secret")]).toEqual([all, all]);
});

test("writes an OpenAPI document that Redocly finds nothing in", async () => {
  const path = join(makeTempFolder(), "openapi.json");
  writeFileSync(path, await (await service.request("/api/openapi.json")).text());
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const cli = fileURLToPath(new URL("../node_modules/@redocly/cli/bin/cli.js", import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(nodePath(), [cli, "lint", path, "--format", "json"], {
    env,
  });
  expect([JSON.parse(stdout).problems, stderr]).toEqual([[], expect.any(String)]);
});

test("lists every error code in document and catalogue", async () => {
  const { errors } = await get<{ errors: object[] }>("/api/tools");
  expect(errors).toEqual(listErrors());
  const text = JSON.stringify(await get("/api/openapi.json"));
  for (const { code, description } of listErrors()) expect(text).toContain(`\`${code}\`: ${description}`);
});

test("documents every status with a code that has it", () => {
  const statuses = listErrors().map(({ status }) => status);
  for (const procedure of Object.values(procedures)) {
    const { names } = inputOf(procedure);
    expect(statuses).toEqual(expect.arrayContaining(statusesOf(readMeta(procedure), names)));
  }
});

test("tells the limits that apply now, and both tiers", async () => {
  const ip = "192.0.2.200";
  await service.request("/api/tools/password", { ip });
  const response = await service.request("/api/tools", { ip });
  expect(await response.json()).toMatchObject({
    caller: { tier: "anonymous" },
    limits: {
      calls: { value: 60, window: 900, remaining: 59, reset: 900 },
      fileSize: { value: 26_214_400, unit: "bytes" },
    },
    tiers: { member: { calls: { value: 600, window: 900 }, fileSize: { value: 104_857_600 } } },
    pageRange: {
      pages: 10,
      examples: expect.arrayContaining([{ range: "1-3,7,end-2", selects: [1, 2, 3, 7, 8, 9, 10] }]),
    },
  });
});

test("names parameters, defaults and bounds in the catalogue from the schemas", async () => {
  const { tools } = await get<{ tools: { name: string; parameters: { name: string }[] }[] }>("/api/tools");
  const rotate = tools.find(({ name }) => name === "pdf-rotate");
  expect(rotate?.parameters.find(({ name }) => name === "angle")).toMatchObject({
    in: "query",
    type: "integer",
    enum: [90, 180, 270, -90],
    default: 90,
    required: false,
    secret: false,
  });
  expect(rotate?.parameters.find(({ name }) => name === "password")).toMatchObject({
    also: ["form", "header Tool-Password"],
    secret: true,
  });
});

test.each(restPaths)("%s answers wrong methods with 405 and Allow", async (path) => {
  const response = await service.request(withId(path, "x"), { method: "PATCH", body: "x" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toContain("OPTIONS");
  expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
  const options = await service.request(withId(path, "x"), { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, response.headers.get("allow")]);
  const isOwn = endpoints.some((endpoint) => endpoint.paths.includes(path) && endpoint.http.ownPagesOnly);
  for (const { headers } of [response, options]) {
    expect(headers.get("access-control-allow-origin")).toBe(isOwn ? null : "*");
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  }
});

test("answers HEAD like GET, without a body", async () => {
  const response = await service.request("/api/tools", { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

test("refuses a URL over 8,192 bytes and says where long values go", async () => {
  const at = await service.request(`/healthz?${"x".repeat(8192 - "/healthz?".length)}`);
  expect(at.status).toBe(200);
  const above = await service.request(`/healthz?${"x".repeat(8193 - "/healthz?".length)}`);
  expect(above.status).toBe(414);
  expect(await above.json()).toMatchObject({ code: "uri_too_long", value: 8192 });
});

test("answers 404 without the path that was asked for", async () => {
  const response = await service.request("/canary?password=canary");
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("canary");
});
