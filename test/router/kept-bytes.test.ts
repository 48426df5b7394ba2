// Tools whose results have most bytes of the file, which the server keeps meanwhile: by every door they are whole.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { imagePage, makePdf } from "../../bench/support/pdf-files.ts";
import { rotatePdf } from "../../tools/pdf-rotate.ts";
import { encodeBase64 } from "../../wire/base64.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();
/** Six pages with a photograph of 250 kB each. */
const PDF = new Uint8Array(makePdf(6, imagePage));

const TOOLS = [
  ["pdf-rotate", "pdfRotate", {}],
  ["pdf-clean", "pdfClean", {}],
  ["pdf-split", "pdfSplit", {}],
  ["pdf-split", "pdfSplit", { mode: "keep", range: "2-5" }],
  ["pdf-merge", "pdfMerge", {}],
] as const;

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function formOf(tool: string): FormData {
  const form = new FormData();
  // A merge of the same file twice: its bytes are in the result two times.
  for (let i = 0; i < (tool === "pdf-merge" ? 2 : 1); i++) form.append("files", new Blob([PDF]), "a.pdf");
  return form;
}

test.each(TOOLS)("%s, %s, %j", async (tool, procedure, options) => {
  const query = new URLSearchParams(options).toString();
  const answer = await service.request(`/api/tools/${tool}?${query}`, { method: "POST", body: formOf(tool) });
  expect(answer.status).toBe(200);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(Number(answer.headers.get("content-length"))).toBe(bytes.length);
  const digest = Buffer.from(digestOf(bytes), "hex").toString("base64");
  expect(answer.headers.get("repr-digest")).toBe(`sha-256=:${digest}:`);
  expect(bytes.length).toBeGreaterThan(900_000);

  const enveloped = await service.request(`/api/tools/${tool}/envelope?${query}`, {
    method: "POST",
    body: formOf(tool),
  });
  const envelope = (await enveloped.json()) as { data: string; size: number; sha256: string };
  const inEnvelope = Buffer.from(envelope.data, "base64");
  expect([inEnvelope.length, digestOf(inEnvelope)]).toEqual([envelope.size, envelope.sha256]);

  const file = { $bytes: encodeBase64(PDF) };
  const input = tool === "pdf-merge" ? { files: [{ data: file }, { data: file }] } : { file, ...options };
  const called = await service.request(`/trpc/tools.${procedure}`, {
    method: "POST",
    body: JSON.stringify(input),
    headers: { "content-type": "application/json" },
  });
  const { result } = (await called.json()) as {
    result: { data: { data: { $bytes: string }; sha256: string } };
  };
  expect(digestOf(Buffer.from(result.data.data.$bytes, "base64"))).toBe(result.data.sha256);
});

test("over the typed client they are bytes, the same as in process", async () => {
  const { tools } = service.client();
  const made = await tools.pdfRotate.mutate({ file: PDF.slice(), angle: 180 });
  expect(made.data).toBeInstanceOf(Uint8Array);
  const here = await rotatePdf(PDF, { angle: 180 });
  expect([made.data.length, digestOf(made.data)]).toEqual([here.bytes.length, digestOf(here.bytes)]);
  const merged = await tools.pdfMerge.mutate({ files: [{ data: PDF.slice() }, { data: PDF.slice() }] });
  expect([merged.data.length, digestOf(merged.data)]).toEqual([merged.size, merged.sha256]);
});

test("a file that cannot be read is refused as before, and the next call is served", async () => {
  const damaged = await service.request("/api/tools/pdf-rotate", {
    method: "POST",
    body: new Uint8Array(400_000).fill(65),
    headers: { "content-type": "application/pdf" },
  });
  expect(damaged.status).toBe(422);
  const next = await service.request("/api/tools/pdf-rotate", { method: "POST", body: formOf("pdf-rotate") });
  expect([next.status, (await next.arrayBuffer()).byteLength > 1e6]).toEqual([200, true]);
});
