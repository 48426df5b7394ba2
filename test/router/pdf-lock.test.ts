import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unlockPdf } from "../../tools/pdf-unlock.ts";
import { withServer } from "../support/with-server.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";

const service = withServer();
const PDF = pagesPdf(3);
/** Encrypted by qpdf; "geheim" opens it. */
const LOCKED = new Uint8Array(readFileSync(new URL("../files/encrypted/aes-256-r6.pdf", import.meta.url)));
const RIGHTS = ["print", "copy", "edit", "annotate", "fill", "assemble", "none"];

async function post(query: string, { headers = {}, body = PDF }: { headers?: object; body?: BodyInit } = {}) {
  const init = { method: "POST", body, headers: { ...headers } };
  const response = await service.request(`/api/tools/pdf-lock${query}`, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isJson = response.headers.get("content-type")?.includes("json");
  const answer = isJson ? (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, bytes, answer };
}

async function opens(bytes: Uint8Array<ArrayBuffer>, password: string): Promise<string[]> {
  return (await unlockPdf(bytes, { password })).removed;
}

test("locks a raw body with passwords from headers, and names the result", async () => {
  const headers = { "tool-password": "k%C3%A4se", "tool-owner-password": "%E2%85%A8" };
  const { status, headers: answered, bytes } = await post("?allow=print,+copy", { headers });
  expect(status).toBe(200);
  expect(answered.get("content-disposition")).toBe('attachment; filename="locked.pdf"');
  expect([answered.get("content-type"), answered.get("tool-pages")]).toEqual(["application/pdf", "3"]);
  expect(answered.has("tool-warning")).toBe(false);
  for (const password of ["käse", "IX"]) {
    expect(await opens(bytes, password)).toEqual(["modify", "annotate", "fill_forms", "assemble"]);
  }
});

test("takes passwords from a form, and answers an envelope", async () => {
  const form = new FormData();
  form.set("password", "geheim");
  form.set("allow", "none");
  form.set("upload", new Blob([PDF]), "in.pdf");
  const { answer } = await post("?filename=a.pdf", { body: form, headers: { accept: "application/json" } });
  expect(answer).toMatchObject({
    tool: "pdf-lock",
    name: "a.pdf",
    pages: 3,
    encoding: "base64",
    warnings: [],
  });
  const removed = await opens(new Uint8Array(Buffer.from(String(answer.data), "base64")), "geheim");
  expect(removed).toContain("print_high_quality");
});

test("locks over RPC, where an empty list allows nothing", async () => {
  const { tools } = service.client();
  const made = await tools.pdfLock.mutate({ file: PDF, password: "geheim", allow: [] });
  expect(made).toMatchObject({ tool: "pdf-lock", name: "locked.pdf", pages: 3, warnings: [] });
  expect((await opens(made.data, "geheim")).length).toBe(7);
  const all = await tools.pdfLock.mutate({ file: PDF, password: "geheim" });
  expect(await opens(all.data, "geheim")).toEqual([]);
});

test("locks anew what is locked, with its present password", async () => {
  const headers = { "tool-password": "neu" };
  const without = await post("", { headers, body: LOCKED });
  expect([without.status, without.answer]).toMatchObject([
    422,
    { code: "password_required", passwordNeeded: true, error: expect.stringContaining('"openWith"') },
  ]);
  const wrong = await post("", { headers: { ...headers, "tool-open-with": "canary" }, body: LOCKED });
  expect([wrong.status, wrong.answer]).toMatchObject([422, { code: "password_wrong", passwordNeeded: true }]);
  expect(JSON.stringify(wrong.answer)).not.toContain("canary");
  const { status, bytes } = await post("", {
    headers: { ...headers, "tool-open-with": "geheim" },
    body: LOCKED,
  });
  expect(status).toBe(200);
  expect(await opens(bytes, "neu")).toEqual([]);
});

const LONG = "x".repeat(128);
const RANGE = { minimum: 1, maximum: 127 };
test.each([
  ["", "missing_parameter", { parameter: "password" }],
  ["?password=", "missing_parameter", { parameter: "password", ...RANGE }],
  [`?password=${LONG}`, "invalid_parameter", { parameter: "password", ...RANGE }],
  ["?password=%C2%AD", "invalid_parameter", { parameter: "password", ...RANGE }],
  ["?password=a%0Ab", "invalid_parameter", { parameter: "password", ...RANGE }],
  [`?password=a&ownerPassword=${LONG}`, "invalid_parameter", { parameter: "ownerPassword", ...RANGE }],
  ["?password=a&ownerPassword=a&allow=fill", "invalid_parameter", { parameter: "ownerPassword" }],
  ["?password=a&allow=print,prnt", "invalid_parameter", { parameter: "allow", allowed: RIGHTS }],
  ["?password=a&allow=Print", "invalid_parameter", { parameter: "allow", allowed: RIGHTS }],
  ["?password=a&allow=none,print", "invalid_parameter", { parameter: "allow", allowed: RIGHTS }],
  ["?password=a&password=b", "repeated_parameter", { parameter: "password" }],
])("refuses %s with %s", async (query, code, fields) => {
  const { status, answer } = await post(query);
  expect([status, answer]).toMatchObject([400, { code, ...fields }]);
  expect(JSON.stringify(answer)).not.toContain(LONG);
});

test("an empty `allow` is absent, as every optional parameter that is empty", async () => {
  const { bytes } = await post("?password=a&allow=");
  expect(await opens(bytes, "a")).toEqual([]);
});
