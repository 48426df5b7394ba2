import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import { failureOf } from "../../../client/client.ts";
import { encodeFrame } from "../../../wire/frame.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { jsonPost } from "../../support/requests.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();

async function fail(call: Promise<unknown>) {
  return failureOf(await call.catch((error: unknown) => error));
}

test("gives typed bytes for typed bytes", async () => {
  const client = service.client();
  const rotated = await client.tools.pdfRotate.mutate({
    file: await makeBlankPdf(),
    angle: 180,
    filename: "a.pdf",
  });
  expect(rotated).toMatchObject({ tool: "pdf-rotate", name: "a.pdf", pages: 1, rotated: 1, warnings: [] });
  expect(rotated.data).toBeInstanceOf(Uint8Array);
  const [page] = (await PDFDocument.load(rotated.data)).getPages();
  expect(page?.getRotation().angle).toBe(180);
});

test("shares and reveals a secret with the typed client", async () => {
  const client = service.client();
  const made = await client.secrets.create.mutate({ content: "typed", passphrase: "p" });
  const { id, key } = made;
  expect(await client.secrets.status.mutate({ id, key })).toMatchObject({
    status: "active",
    hasPassphrase: true,
  });
  expect(await client.secrets.reveal.mutate({ id, key, passphrase: "p" })).toEqual({
    id,
    content: "typed",
    isEncrypted: false,
  });
});

test("lists the catalogue as a query", async () => {
  const { tools, caller } = await service.client().tools.catalogue.query();
  expect(caller.tier).toBe("anonymous");
  expect(tools.map(({ name }) => name)).toContain("pdf-rotate");
});

test("carries code and fields in the client's error, over frame and JSON alike", async () => {
  const client = service.client();
  const overFrame = await fail(client.tools.pdfRotate.mutate({ file: await makeBlankPdf(), range: "9" }));
  expect(overFrame).toMatchObject({ code: "page_out_of_range", status: 422, page: 9, pages: 1 });
  const overJson = await fail(client.tools.password.mutate({ length: 0 }));
  expect(overJson).toMatchObject({
    code: "invalid_parameter",
    parameter: "length",
    minimum: 1,
    maximum: 1024,
  });
  const gone = await fail(client.secrets.reveal.mutate({ id: "x", key: "y" }));
  expect(gone).toMatchObject({ code: "secret_not_found", status: 404 });
});

test("carries code and fields of what is refused before any procedure", async () => {
  const ending = await startForTest();
  ending.health.startDraining();
  const client = ending.client();
  const draining = { code: "draining", status: 503, retryAfter: 5 };
  expect(await fail(client.tools.password.mutate({}))).toMatchObject(draining);
  expect(await fail(client.tools.fileHash.mutate({ file: new Uint8Array(1) }))).toMatchObject(draining);
});

test("stops a call by its signal", async () => {
  const stop = new AbortController();
  const call = service
    .client()
    .tools.pdfRotate.mutate({ file: await makeBlankPdf() }, { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toThrow();
  expect(await fail(call)).toBeUndefined();
});

test("takes bytes as base64 in plain JSON as well", async () => {
  const data = Buffer.from(await makeBlankPdf()).toString("base64");
  const response = await service.request("/trpc/tools.pdfRotate", jsonPost({ file: { $bytes: data } }));
  const { result } = (await response.json()) as {
    result: { data: { data: { $bytes: string }; pages: number } };
  };
  expect(result.data.pages).toBe(1);
  expect(Buffer.from(result.data.data.$bytes, "base64").subarray(0, 5).toString()).toBe("%PDF-");
});

const CALL = { method: "POST", headers: { "content-type": "application/json" } };

test.each([
  ["an unknown procedure", "/trpc/tools.sing", { ...CALL, body: "{}" }, 404, "not_found"],
  ["broken JSON", "/trpc/tools.password", { ...CALL, body: '{"canary' }, 400, "invalid_json"],
  ["a mutation by GET", "/trpc/tools.password", {}, 405, "method_not_allowed"],
  ["a form", "/trpc/tools.password", { method: "POST", body: new FormData() }, 400, "invalid_json"],
  [
    "a malformed frame",
    "/trpc/tools.password",
    { method: "POST", body: "canary", headers: { "content-type": FRAME_TYPE } },
    400,
    undefined,
  ],
])("answers %s without quoting it", async (_, path, init, status, code) => {
  const response = await service.request(path, init);
  const text = await response.text();
  expect(response.status).toBe(status);
  expect(text).not.toContain("canary");
  if (code)
    expect(JSON.parse(text)).toMatchObject({
      error: { data: { code, status, requestId: expect.any(String) } },
    });
});

test("refuses a call over the size of all files together", async () => {
  const body = encodeFrame({ file: new Uint8Array(54 * 1024 * 1024) });
  const response = await service.request("/trpc/tools.pdfRotate", {
    method: "POST",
    body,
    headers: { "content-type": FRAME_TYPE, "content-length": String(body.length) },
  });
  expect(response.status).toBe(413);
});

test("holds a typed file to the caller's file size", async () => {
  const client = service.client();
  const failure = await fail(client.tools.fileHash.mutate({ file: new Uint8Array(26_214_401) }));
  expect(failure).toMatchObject({ code: "file_too_large", limit: "fileSize", value: 26_214_400 });
});

test("logs no typed call of a tool, and others by pattern only", async () => {
  const client = service.client();
  const before = service.lines.length;
  await client.tools.password.mutate({});
  expect(service.lines.slice(before)).toEqual([]);
  await client.secrets.create.mutate({ content: "canary" });
  const written = service.lines.slice(before).join("");
  expect(written).toContain('"/trpc/**"');
  expect(written).not.toContain("canary");
});
