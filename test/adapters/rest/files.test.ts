// slow
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTRPCClient } from "@trpc/client";
import { unzipSync } from "fflate";
import { PDFDocument } from "pdf-lib";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { AppRouter } from "../../../router/app.ts";
import { frameLink } from "../../../client/frame-link.ts";
import { endpoints } from "../../../adapters/service/endpoints.ts";
import { testWith } from "../../machine/skips.ts";
import { makeAgeKeys } from "../../../tools/age/keys.ts";
import type { Sent } from "../../support/harness.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();
let pdf: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  pdf = await makeBlankPdf([100, 200, 300]);
});

function post(path: string, body: BodyInit, init: Sent = {}): Promise<Response> {
  return service.request(`/api/tools/${path}`, { method: "POST", body, ...init });
}

async function widthsOf(bytes: ArrayBuffer | Uint8Array): Promise<number[]> {
  return (await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth());
}

test.each([
  ["pdf-clean", "application/pdf"],
  ["pdf-compress", "application/pdf"],
  ["pdf-lock?password=p", "application/pdf"],
  ["pdf-split?mode=keep&range=2", "application/pdf"],
  ["pdf-split?mode=each", "application/zip"],
  ["file-encrypt?password=p", "application/octet-stream"],
  ["file-encrypt?recipients=RECIPIENT", "application/octet-stream"],
])("tells type, length and digest of what %s answers", async (path, type) => {
  const { recipient } = await makeAgeKeys();
  const response = await post(path.replace("RECIPIENT", recipient), pdf);
  const made = Buffer.from(await response.arrayBuffer());
  const digest = createHash("sha256").update(made).digest("base64");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": type,
    "content-length": String(made.length),
    "repr-digest": `sha-256=:${digest}:`,
  });
});

test("splits into one file a page, in a ZIP with names of ours", async () => {
  const response = await post("pdf-split?filename=../secret plans.pdf", pdf);
  expect(response.headers.get("content-type")).toBe("application/zip");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="secret plans.zip"');
  const entries = unzipSync(new Uint8Array(await response.arrayBuffer()));
  expect(Object.keys(entries)).toEqual(["page-001.pdf", "page-002.pdf", "page-003.pdf"]);
  expect(await widthsOf(entries["page-002.pdf"]!)).toEqual([200]);
});

test("keeps and drops pages", async () => {
  const keep = await post("pdf-split?mode=keep&range=end,1", pdf);
  expect(keep.headers.get("content-disposition")).toBe('attachment; filename="pages.pdf"');
  expect(await widthsOf(await keep.arrayBuffer())).toEqual([300, 100]);
  const drop = await post("pdf-split?mode=drop&range=2", pdf, { headers: { accept: "application/json" } });
  expect(await drop.json()).toMatchObject({ mode: "drop", type: "application/pdf", pages: 3, kept: 2 });
});

test.each([
  ["mode=keep", 400, "missing_parameter"],
  ["mode=each&range=1", 400, "invalid_parameter"],
  ["mode=drop&range=1-3", 422, "page_out_of_range"],
  ["mode=keep&range=9", 422, "page_out_of_range"],
])("answers a split with %s with %i", async (query, status, code) => {
  const response = await post(`pdf-split?${query}`, pdf);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
});

test("gives a PDF without a password back byte for byte", async () => {
  const response = await post("pdf-unlock", pdf);
  expect(response.headers.get("tool-password-needed")).toBe("false");
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), pdf)).toBe(0);
});

testWith("qpdf")("opens what qpdf has locked, and says when the password was needed", async () => {
  const folder = makeTempFolder();
  const [plain, locked] = [join(folder, "plain.pdf"), join(folder, "locked.pdf")];
  writeFileSync(plain, pdf);
  execFileSync("qpdf", ["--encrypt", "käse", "owner", "256", "--", plain, locked]);
  const body = new Uint8Array(readFileSync(locked));
  const without = await post("pdf-unlock", body);
  expect(without.status).toBe(422);
  expect(await without.json()).toMatchObject({ code: "password_required", passwordNeeded: true });
  const wrong = await post("pdf-unlock?password=wrong", body);
  expect(await wrong.json()).toMatchObject({ code: "password_wrong", passwordNeeded: true });
  const right = await post("pdf-unlock", body, { headers: { "tool-password": "k%C3%A4se" } });
  expect([right.status, right.headers.get("tool-password-needed")]).toEqual([200, "true"]);
  expect(await widthsOf(await right.arrayBuffer())).toEqual([100, 200, 300]);
});

test("locks a file and opens it again under its name", async () => {
  const content = "for your eyes only";
  const locked = await post("file-encrypt?filename=n%C3%A4me.txt", content, {
    headers: { "tool-password": "p" },
  });
  expect(locked.headers.get("content-disposition")).toContain("filename*=UTF-8''n%C3%A4me.txt.locked");
  const container = await locked.arrayBuffer();
  expect(container.byteLength).toBe(40 + 272 + content.length + 16);
  const opened = await post("file-encrypt?direction=unlock&password=p", container);
  expect(opened.headers.get("content-disposition")).toContain("filename*=UTF-8''n%C3%A4me.txt");
  expect(await opened.text()).toBe(content);
  const wrong = await post("file-encrypt?direction=unlock&password=q", container);
  expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([422, "password_wrong"]);
});

test("locks an empty file, and tells the facts in the envelope", async () => {
  const response = await post("file-encrypt?password=p", "", { headers: { accept: "application/json" } });
  expect(await response.json()).toMatchObject({
    tool: "file-encrypt",
    direction: "lock",
    filename: "",
    iterations: 600_000,
    containerVersion: 1,
    size: 328,
  });
  const none = await post("file-encrypt", "x");
  expect(await none.json()).toMatchObject({ status: 400, code: "missing_parameter", parameter: "password" });
  const other = await post("file-encrypt?direction=unlock&password=p", "x".repeat(400));
  expect(await other.json()).toMatchObject({ status: 422, code: "not_a_container" });
});

test("compares texts in the shapes that are documented", async () => {
  const compare = async (fields: Record<string, unknown>) =>
    (await post("text-compare", JSON.stringify({ a: "one\ntwo\n", b: "one\n2\n", ...fields }))).json();
  expect(await compare({})).toEqual({
    granularity: "line",
    format: "json",
    identical: false,
    minimal: true,
    stats: { equal: 1, deleted: 1, inserted: 1, hunks: 1 },
    rows: [
      { op: "equal", a: 1, b: 1, text: "one" },
      { op: "delete", a: 2, b: null, text: "two" },
      { op: "insert", a: null, b: 2, text: "2" },
    ],
    endsWithNewline: { a: true, b: true },
  });
  expect(await compare({ granularity: "word" })).toMatchObject({ spans: expect.any(Array) });
  expect(await compare({ format: "unified" })).toMatchObject({
    patch: "--- a/text\n+++ b/text\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  expect(await compare({ a: "", b: "" })).toMatchObject({ identical: true });
});

test.each([
  ["all", [true, true]],
  ["amount", [true, false]],
  ["none", [false, false]],
  [true, [true, false]],
  ["true", [true, false]],
  [false, [false, false]],
  ["false", [false, false]],
] as const)("ignores white space with ignoreWhitespace %j, over REST and RPC", async (ignored, expected) => {
  for (const [i, b] of ["a  b", "ab"].entries()) {
    const fields = { a: "a b", b, ignoreWhitespace: ignored };
    const rest = await post("text-compare", JSON.stringify(fields));
    expect(await rest.json()).toMatchObject({ identical: expected[i] });
    const json = { method: "POST", headers: { "content-type": "application/json" } };
    const rpc = await service.request("/trpc/tools.textCompare", { ...json, body: JSON.stringify(fields) });
    expect(await rpc.json()).toMatchObject({ result: { data: { identical: expected[i] } } });
  }
});

test.each([
  [{ a: "x" }, "missing_parameter", "b"],
  [{ a: "x", b: "y", ignoreWhitespace: "some" }, "invalid_parameter", "ignoreWhitespace"],
  [{ a: "x", b: 1 }, "invalid_parameter", "b"],
  [{ a: "x", b: "y", granularity: "words" }, "invalid_parameter", "granularity"],
  [{ a: "x", b: "y", granularity: "word", format: "unified" }, "invalid_parameter", "format"],
])("refuses to compare %j", async (fields, code, parameter) => {
  const response = await post("text-compare", JSON.stringify(fields));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code, parameter });
});

test("holds a text to the caller's size and names which", async () => {
  const response = await post("text-compare", JSON.stringify({ a: "", b: "é".repeat(13_107_201) }));
  expect(await response.json()).toMatchObject({
    status: 413,
    code: "text_too_large",
    parameter: "b",
    value: 26_214_400,
    actual: 26_214_402,
  });
});

test("merges files of JSON in their order, an envelope as it is", async () => {
  const envelope = await (
    await post("pdf-rotate?angle=90", pdf, { headers: { accept: "application/json" } })
  ).json();
  const files = [
    {
      name: "a.pdf",
      data: `data:application/pdf;base64,${Buffer.from(pdf).toString("base64")}`,
      range: "end,1",
    },
    envelope,
  ];
  const response = await post("pdf-merge?filename=both", JSON.stringify({ files }), {
    headers: { accept: "application/json" },
  });
  const body = (await response.json()) as { data: string; warnings: unknown[] };
  expect(body).toMatchObject({
    tool: "pdf-merge",
    name: "both.pdf",
    pages: 5,
    files: [
      { name: "a.pdf", pages: 3, taken: 2, passwordNeeded: false },
      { name: "rotated.pdf", pages: 3, taken: 3, passwordNeeded: false },
    ],
  });
  expect(await widthsOf(Buffer.from(body.data, "base64"))).toEqual([300, 100, 100, 200, 300]);
  expect(body.warnings.map((warning) => String(Reflect.get(Object(warning), "parameter")))).not.toContain(
    "files[1].sha256",
  );
  expect(body.warnings).toContainEqual({
    code: "unknown_parameter",
    message: 'Parameter "sha256" is not known and was ignored',
    parameter: "sha256",
  });
});

test("merges the parts of a form in the order of the request", async () => {
  const form = new FormData();
  form.append("one", new Blob([pdf]), "one.pdf");
  form.append("range[1]", "2");
  form.append("two", new Blob([pdf]), "two.pdf");
  form.append("range[0]", "3");
  const response = await post("pdf-merge", form);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="merged.pdf"');
  expect(await widthsOf(await response.arrayBuffer())).toEqual([300, 200]);
});

describe("what is made of one file of a form is called after it", () => {
  async function nameOf(path: string, name: string, file = pdf): Promise<string | null> {
    const form = new FormData();
    form.append("file", new Blob([file]), name);
    const response = await post(path, form);
    expect(response.status).toBe(200);
    return response.headers.get("content-disposition");
  }

  test.each([
    ["pdf-unlock", "unlocked.pdf"],
    ["pdf-lock?password=p", "locked.pdf"],
    ["pdf-rotate", "rotated.pdf"],
    ["pdf-split", "pages.zip"],
    ["pdf-split?mode=keep&range=1", "pages.pdf"],
    ["pdf-clean", "cleaned.pdf"],
    ["pdf-compress", "compressed.pdf"],
  ])("%s", async (path, suffix) => {
    const [folded, encoded] = [`resume-${suffix}`, `r%C3%A9sum%C3%A9-${suffix}`];
    const expected = `attachment; filename="${folded}"; filename*=UTF-8''${encoded}`;
    expect(await nameOf(path, "résumé.pdf")).toBe(expected);
    expect(await nameOf(path, "")).toBe(`attachment; filename="${suffix}"`);
    const asked = `${path}${path.includes("?") ? "&" : "?"}filename=other`;
    const [, extension = ""] = suffix.split(".");
    expect(await nameOf(asked, "résumé.pdf")).toBe(`attachment; filename="other.${extension}"`);
  });

  test("an image", async () => {
    expect(await nameOf("image-convert?format=webp", "beach.JPG", await photo())).toBe(
      'attachment; filename="beach.webp"',
    );
    expect(await nameOf("image-convert?metadata=strip", "beach.jpeg", await photo())).toBe(
      'attachment; filename="beach-stripped.jpg"',
    );
  });

  test("none is left out", () => {
    const made = endpoints.filter(
      ({ http }) => http.result === "file" && /^(?:file|stream)$/.test(http.body),
    );
    expect(made.map(({ rpc }) => rpc).toSorted()).toEqual([
      "tools.fileEncrypt",
      "tools.imageConvert",
      "tools.pdfClean",
      "tools.pdfCompress",
      "tools.pdfLock",
      "tools.pdfRotate",
      "tools.pdfSplit",
      "tools.pdfUnlock",
    ]);
  });

  test("a locked file, which tells the name again when it is opened", async () => {
    const form = new FormData();
    form.append("file", new Blob([pdf]), `${"long ".repeat(60)}.pdf`);
    form.append("password", "p");
    const locked = await post("file-encrypt", form);
    expect(locked.headers.get("content-disposition")).toMatch(
      /^attachment; filename="(?:long )+l?o?n?\.locked"$/,
    );
    const opened = await post("file-encrypt?direction=unlock", await locked.arrayBuffer(), {
      headers: { "tool-password": "p" },
    });
    expect(opened.headers.get("content-disposition")).toMatch(
      /^attachment; filename="(?:long )+l?o?n?\.pdf"$/,
    );
  });

  test("by a name with a quotation mark, which fetch encodes", async () => {
    const form = new FormData();
    form.append("file", new Blob(["x"]), 'a"50%.txt');
    const locked = await post("file-encrypt/envelope?password=p", form);
    expect(await locked.json()).toMatchObject({ filename: "a_50%.txt", name: "a_50%.txt.locked" });
    const head = `Content-Disposition: form-data; name="file"; filename*=UTF-8''a%2522.txt`;
    const body = ["--XX", head, "", "x", "--XX--", ""].join("\r\n");
    const headers = { "content-type": "multipart/form-data; boundary=XX" };
    const kept = await post("file-encrypt/envelope?password=p", body, { headers });
    expect(await kept.json()).toMatchObject({ filename: "a%22.txt" });
  });

  test("an age file, and what is in it", async () => {
    const { recipient, identity } = await makeAgeKeys();
    const form = new FormData();
    form.append("file", new Blob([pdf]), "plan.pdf");
    form.append("recipients", recipient);
    const locked = await post("file-encrypt", form);
    expect(locked.headers.get("content-disposition")).toBe('attachment; filename="plan.pdf.age"');
    const back = new FormData();
    back.append("file", await locked.blob(), "plan.pdf.age");
    back.append("direction", "unlock");
    back.append("identities", identity);
    const opened = await post("file-encrypt", back);
    expect(opened.headers.get("content-disposition")).toBe('attachment; filename="plan.pdf"');
  });

  test("a checksum is compared with that of its name", async () => {
    const digest = createHash("sha256").update(pdf).digest("hex");
    const form = new FormData();
    form.append("file", new Blob([pdf]), "one.pdf");
    form.append("expected", `${"0".repeat(64)}  one.pdf\n${digest}  two.pdf\n`);
    const response = await post("file-hash", form);
    expect(await response.json()).toMatchObject({ matches: false });
  });

  test("over RPC, by a form and in a frame", async () => {
    const form = new FormData();
    form.append("file", new Blob([pdf]), "scan.pdf");
    const byForm = await service.request("/trpc/tools.pdfRotate", { method: "POST", body: form });
    expect(await byForm.json()).toMatchObject({ result: { data: { name: "scan-rotated.pdf" } } });
    const fetch = (url: string | URL | Request, init?: RequestInit) =>
      service.request(new URL(String(url)).pathname, init as Sent);
    const links = [frameLink<AppRouter>({ url: "http://test/trpc", fetch })];
    const { tools } = createTRPCClient<AppRouter>({ links });
    const file = new File([pdf], "scan.pdf");
    expect(await tools.pdfRotate.mutate({ file })).toMatchObject({ name: "scan-rotated.pdf" });
    expect(await tools.fileEncrypt.mutate({ password: "p", file })).toMatchObject({
      name: "scan.pdf.locked",
    });
  });
});

test.each([
  ["", 400, { code: "missing_body" }],
  ["{}", 400, { code: "missing_parameter", parameter: "files" }],
  ['{"files":[]}', 400, { code: "invalid_parameter", parameter: "files" }],
  ['{"files":[{"name":"x"}]}', 400, { code: "missing_parameter", parameter: "files[0].data" }],
  ['{"files":[{"data":"§"}]}', 400, { code: "invalid_base64", parameter: "files[0].data", file: 0 }],
  ['{"files":[{"data":"JVBE"},{"data":"aGVsbG8="}]}', 422, { file: expect.any(Number) }],
  ['{"files":', 400, { code: "invalid_json" }],
])("answers a merge of %j with %i", async (body, status, fields) => {
  const response = await post("pdf-merge", body);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject(fields);
});

async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: "#c40" } });
  return new Uint8Array(
    await image
      .withExif({ IFD0: { Artist: "somebody" } })
      .jpeg()
      .toBuffer(),
  );
}

test.each(["webp", "jpeg", "png", "avif"])("converts an image to %s", async (format) => {
  const response = await post(`image-convert?format=${format}&filename=holiday.jpg`, await photo());
  const extension = format === "jpeg" ? "jpg" : format;
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": `image/${format}`,
    "content-disposition": `attachment; filename="holiday.${extension}"`,
    "tool-width": "40",
    "tool-height": "20",
    "tool-metadata-removed": "exif",
  });
  const { width, height, exif } = await sharp(await response.arrayBuffer()).metadata();
  expect({ width, height, exif }).toEqual({ width: 40, height: 20, exif: undefined });
});

test.each([
  ["", 400, { code: "missing_parameter", parameter: "format", allowed: ["webp", "jpeg", "png", "avif"] }],
  ["format=jpg", 400, { code: "invalid_parameter", error: expect.stringContaining('did you mean "jpeg"?') }],
  ["format=png&quality=0", 400, { parameter: "quality", minimum: 1, maximum: 100 }],
])("refuses to convert with %j", async (query, status, fields) => {
  const response = await post(`image-convert?${query}`, await photo());
  expect(await response.json()).toMatchObject({ status, ...fields });
});

test("names what is no image, by its content", async () => {
  const response = await post("image-convert?format=png", "<svg xmlns='http://www.w3.org/2000/svg'/>");
  expect(await response.json()).toMatchObject({ status: 422, code: "wrong_file_type", detected: "svg" });
});

test("compares large texts, parsed and written aside, to the letter", async () => {
  const a = Array.from({ length: 60_000 }, (_, i) => `line ${i} "é\\\n`).join("");
  const b = a.replace("line 30000 ", "line changed ");
  const response = await post("text-compare", JSON.stringify({ a, b }));
  const { rows, stats } = (await response.json()) as { rows: { op: string; text: string }[]; stats: object };
  expect(stats).toMatchObject({ equal: 59_999, deleted: 1, inserted: 1 });
  expect(
    rows
      .filter(({ op }) => op !== "insert")
      .map(({ text }) => `${text}\n`)
      .join(""),
  ).toBe(a);
  const broken = await post("text-compare", JSON.stringify({ a, b }).slice(0, -1));
  expect(await broken.json()).toMatchObject({ status: 400, code: "invalid_json" });
});
