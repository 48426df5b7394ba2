import { expect, test } from "vitest";
import { HIDDEN, serveSample } from "./sample-router.ts";

const { request, errors } = serveSample();
const json = async (path: string, init?: RequestInit) => {
  const response = await request(path, init);
  return [response.status, await response.json()];
};
const post = (value: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value),
});

test("reads a query into the types of the schema", async () => {
  const asked = await json("/numbers?of=a,b&twice=1&step=3");
  expect(asked).toEqual([200, { of: ["a", "b"], twice: true, step: 3 }]);
});

test("takes a list with commas, or its name once for each item", async () => {
  for (const query of ["of=a,b,c", "of=a&of=b&of=c", "of=a,b&twice=false&of=c"])
    expect(await json(`/numbers?${query}`)).toMatchObject([200, { of: ["a", "b", "c"] }]);
});

test("takes a parameter from the path, and the others from the body", async () => {
  expect(await json("/save/x", post({ about: { name: "n" } }))).toEqual([200, { id: "x", name: "n" }]);
});

test.each([
  ["/numbers", undefined, { code: "missing_parameter", parameter: "of", in: "query" }],
  ["/numbers?of=a&step=10", undefined, { code: "invalid_parameter", parameter: "step", in: "query" }],
  ["/numbers?of=a&step=1&step=1", undefined, { code: "repeated_parameter", parameter: "step" }],
  [
    "/save/x",
    post({ about: { name: "much too long" } }),
    { code: "invalid_parameter", parameter: "about.name" },
  ],
  ["/save/x", post({ id: "y", about: { name: "n" } }), { code: "repeated_parameter", parameter: "id" }],
  ["/save/x", { method: "POST", body: "{" }, { code: "invalid_json" }],
  ["/save/x", { method: "POST" }, { code: "missing_body" }],
  ["/join", { method: "POST", body: '{"files":[{"data":"?"}]}' }, { code: "invalid_base64" }],
])("tells what is wrong with %s %j", async (path, init, error) => {
  const [status, body] = await json(path, init);
  expect([status, body]).toEqual([400, expect.objectContaining({ status: 400, ...error })]);
});

test("joins files from JSON and from the parts of a form, with what belongs to one of them", async () => {
  const data = (text: string) => Buffer.from(text).toString("base64");
  const files = [{ data: data("a"), times: "2" }, { data: data("b") }];
  const joined = await request("/join", post({ files, separator: "-" }));
  expect(await joined.text()).toBe("aa-b");
  expect(joined.headers.get("content-type")).toBe("text/plain");
  expect(joined.headers.get("content-disposition")).toBe('attachment; filename="joined.txt"');
  const form = new FormData();
  form.append("file", new Blob(["a"]), "a");
  form.append("file", new Blob(["b"]), "b");
  form.append("times[1]", "3");
  form.append("separator", "-");
  expect(await (await request("/join", { method: "POST", body: form })).text()).toBe("a-bbb");
});

test("answers a stream whose length nobody knows", async () => {
  const streamed = await request("/streamed?pieces=300");
  expect([streamed.status, streamed.headers.get("content-length")]).toEqual([200, null]);
  expect((await streamed.arrayBuffer()).byteLength).toBe(300_000);
});

test("answers HEAD like GET without its body, and runs nothing", async () => {
  const before = errors.length;
  const head = await request("/fail", { method: "HEAD" });
  expect([head.status, await head.text(), errors.length]).toEqual([200, "", before]);
  expect((await request("/save/x", { method: "HEAD" })).status).toBe(405);
  const [told, got] = await Promise.all(
    ["HEAD", "GET"].map(async (method) => (await request("/numbers?of=a&off=b", { method })).headers),
  );
  expect(told!.get("warning")).toMatch(/off/);
  expect([...told!.keys()]).toEqual([...got!.keys()].filter((name) => name !== "content-length"));
});

test("tells the methods of a path by 405 and by OPTIONS, for pages of other origins too", async () => {
  const put = await request("/numbers", { method: "PUT", body: "x" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  const options = await request("/numbers", { method: "OPTIONS" });
  expect(options.status).toBe(204);
  expect(options.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
  expect(put.headers.get("access-control-allow-origin")).toBe("*");
  expect(put.headers.get("access-control-expose-headers")).toBe("*");
  // Without cookies all headers but this one are meant by the star.
  expect(options.headers.get("access-control-allow-headers")).toBe("*, Authorization");
  const own = await request("/numbers", { headers: { "sec-fetch-site": "same-origin" } });
  expect(own.headers.get("access-control-expose-headers")).toBeNull();
});

test("passes on what a procedure refuses, and not a word of what nobody expected", async () => {
  expect(await json("/refuse")).toEqual([
    409,
    expect.objectContaining({ code: "conflict", error: "It is there already" }),
  ]);
  const failed = await request("/fail");
  const body = await failed.text();
  expect([failed.status, body.includes("hunter2"), body.includes("at ")]).toEqual([500, false, false]);
  expect(String(errors.at(-1))).toContain(HIDDEN);
});

test("answers errors as problems to whoever wants them so", async () => {
  const headers = { accept: "application/problem+json" };
  const response = await request("/refuse", { headers });
  expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(await response.json()).toMatchObject({ type: "about:blank", title: "Conflict", status: 409 });
});

test("refuses a body that is too large, by a number or by the procedure", async () => {
  const large = serveSample({ maxBodyBytes: (procedure) => (procedure === "save" ? 20 : 1000) });
  const body = post({ about: { name: "n" }, more: "x".repeat(100) });
  const saved = await large.request("/save/x", body);
  expect([saved.status, await saved.json()]).toEqual([
    413,
    expect.objectContaining({ value: 20, unit: "bytes" }),
  ]);
  const typed = await large.request("/rpc/save", post({ id: "x", about: { name: "x".repeat(100) } }));
  expect(typed.status).toBe(413);
  const small = serveSample({ maxBodyBytes: 10 });
  expect((await small.request("/save/x", body)).status).toBe(413);
});

test("describes itself, with a name for every schema", async () => {
  const [status, document] = await json("/openapi.json");
  expect([status, document.openapi]).toEqual([200, "3.1.0"]);
  expect(Object.keys(document.paths).toSorted()).toEqual([
    ...["/fail", "/join", "/numbers", "/refuse", "/save/{id}", "/streamed"],
  ]);
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(["SaveInput", "SaveResult", "NumbersResult", "ErrorBody"]),
  );
  for (const [, kind = "", name = ""] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g))
    expect(document.components[kind]?.[name], `${kind}/${name}`).toBeDefined();
});
