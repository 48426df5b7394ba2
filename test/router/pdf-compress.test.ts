import { expect, test } from "vitest";
import { withServer } from "../support/with-server.ts";
import { imagePdf, jpegImage, photograph } from "../tools/pdf/compress/support/image-pdf.ts";
import { bytesOf, pagesPdf, textOf } from "../tools/pdf/support/pdf-made.ts";

const service = withServer();
const SCAN = imagePdf(await jpegImage(photograph(600, 600, 3), { width: 600, height: 600, channels: 3 }));

function post(query: string, init: RequestInit) {
  return service.request(`/api/tools/pdf-compress${query}`, { method: "POST", ...init });
}

test("compresses a raw body, and tells the sizes in headers", async () => {
  const { status, headers, ...rest } = await answerOf(await post("", { body: SCAN }));
  expect(status).toBe(200);
  const told = ["content-type", "content-disposition", "tool-images", "tool-pages", "tool-size-before"];
  expect(told.map((name) => headers.get(name))).toEqual([
    ...["application/pdf", 'attachment; filename="compressed.pdf"', "1", "1", String(SCAN.length)],
  ]);
  expect(rest.bytes.length).toBeLessThan(SCAN.length / 4);
  expect(textOf(rest.bytes)).toMatch(/\/Width 150\b/);
});

async function answerOf(response: Response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

test("takes quality and resolution from a query and a form, and answers an envelope", async () => {
  const form = new FormData();
  form.set("quality", "30");
  form.set("upload", new Blob([SCAN]), "scan.pdf");
  const accept = { accept: "application/json" };
  const response = await post("?dpi=72&filename=small", { body: form, headers: accept });
  const { data, ...about } = (await response.json()) as { data: string };
  const size = Buffer.from(data, "base64").length;
  const counts = { images: 1, pages: 1, passwordNeeded: false, sizeBefore: SCAN.length, size };
  expect(about).toMatchObject({ tool: "pdf-compress", name: "small.pdf", warnings: [], ...counts });
  expect(textOf(Buffer.from(data, "base64"))).toMatch(/\/Width 72\b/);
});

test("compresses over RPC, and gives back what it cannot make smaller", async () => {
  const { tools } = service.client();
  const { data } = await tools.pdfCompress.mutate({ file: pagesPdf(20) });
  const again = await tools.pdfCompress.mutate({ file: data });
  expect(again).toMatchObject({ sizeBefore: data.length, images: 0, data });
});

test.each([
  ["?quality=0", "quality"],
  ["?quality=101", "quality"],
  ["?dpi=35", "dpi"],
  ["?dpi=601", "dpi"],
])("refuses %s with the legal values", async (query, parameter) => {
  const response = await post(query, { body: SCAN });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_parameter", parameter });
});

test("answers what is no PDF with 422", async () => {
  const response = await post("", { body: bytesOf("no PDF") });
  expect([response.status, await response.json()]).toMatchObject([422, { code: "wrong_file_type" }]);
});
