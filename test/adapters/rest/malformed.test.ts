import { createTRPCClient, httpBatchStreamLink } from "@trpc/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { testIf } from "../../machine/skips.ts";
import type { AppRouter } from "../../../router/app.ts";
import { decodeBase64Tree, encodeBase64Tree } from "../../../wire/byte-tree.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN, type Sent } from "../../support/harness.ts";
import { framePost, jsonPost } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";

const service = withServer();

const PROMISED = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "request-id": expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
};

test.each<[string, Sent]>([
  ["/nowhere", {}],
  ["/nowhere", { method: "OPTIONS" }],
  ["/nowhere", { method: "HEAD" }],
  ["/s/%E0%A4%A", {}],
  ["/api/secrets", { method: "DELETE" }],
  ["/api/secrets", { method: "OPTIONS" }],
  ["/api/tools/password", { method: "HEAD" }],
  ["/api/tools/password", { headers: { authorization: "Bearer x" } }],
  ["/trpc/nothing", {}],
  ["/trpc/tools.password", { method: "PUT" }],
  ["/healthz", {}],
])("carries the promised headers on %s %o", async (path, init) => {
  const { headers } = await service.request(path, init);
  expect(Object.fromEntries(headers)).toMatchObject(PROMISED);
});

test("answers HEAD as GET, typed calls too", async () => {
  for (const path of ["/api/tools/password", "/trpc/tools.catalogue?input=%7B%7D"]) {
    const head = await service.request(path, { method: "HEAD" });
    const get = await service.request(path);
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      get.status,
      get.headers.get("content-type"),
      "",
    ]);
  }
});

testIf(!process.versions.bun, "Bun makes a GET of every method it does not know")(
  "takes a method named like a member of every object as unknown",
  async () => {
    const response = await service.request("/api/tools", { method: "constructor" });
    expect(response.status).toBe(405);
    expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
  },
);

test("knows a typed call by its path however that is encoded, for log and origins alike", async () => {
  const before = service.lines.length;
  const call = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  expect((await service.request("/%74rpc/tools.password", call)).status).toBe(200);
  expect((await service.request("/api/%74ools/sing", call)).status).toBe(404);
  expect(service.lines.slice(before)).toEqual([]);
  const own = await service.request("/%74rpc/secrets.list", { method: "OPTIONS" });
  expect(own.headers.get("access-control-allow-origin")).toBeNull();
});

const JSON_CALL = { method: "POST", headers: { "content-type": "application/json" } };

test("says a refused credential and a full quota in headers over REST and RPC", async () => {
  const headers = { authorization: "Bearer wrong" };
  const refused = [
    await service.request("/api/tools/password", { headers }),
    await service.request("/trpc/tools.catalogue?input=%7B%7D", { headers }),
    await service.request("/trpc/tools.password", {
      ...framePost({}),
      headers: { ...framePost({}).headers, ...headers },
    }),
  ];
  expect(refused.map((answer) => [answer.status, answer.headers.get("www-authenticate")])).toEqual(
    refused.map(() => [401, "Bearer"]),
  );
  const ip = freshIp();
  for (let i = 0; i < 60; i++) await service.request("/api/tools/password", { ip });
  const full = [
    await service.request("/api/tools/password", { ip }),
    await service.request("/trpc/tools.password", { ...JSON_CALL, body: "{}", ip }),
    await service.request("/trpc/tools.password", { ...framePost({}), ip }),
  ];
  expect(full.map((answer) => [answer.status, answer.headers.get("retry-after")])).toEqual(
    full.map(() => [429, "900"]),
  );
  const get = await service.request("/trpc/tools.password", { headers: framePost({}).headers ?? {} });
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
});

test("names the request in the refusal of a batch of eleven", async () => {
  const path = `/trpc/${Array<string>(11).fill("tools.password").join(",")}?batch=1`;
  const response = await service.request(path, { ...JSON_CALL, body: "{}" });
  const { error } = (await response.json()) as { error: { data: { requestId: string } } };
  expect(error.data.requestId).toBe(response.headers.get("request-id"));
});

test("answers a client that streams its batches", async () => {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpBatchStreamLink({
        url: `${ORIGIN}/trpc`,
        transformer: { serialize: encodeBase64Tree, deserialize: decodeBase64Tree },
        fetch: (input, init) =>
          service.request(String(input).slice(ORIGIN.length), (init ?? {}) as RequestInit),
      }),
    ],
  });
  const [short, long] = await Promise.all([
    client.tools.password.mutate({ length: 5 }),
    client.tools.password.mutate({ length: 50 }),
  ]);
  expect([short.passwords[0]?.length, long.passwords[0]?.length]).toEqual([5, 50]);
});

test.each([
  ["", "The input is missing; it must be an object with id, revokeToken"],
  ["[]", "The input must be an object with id, revokeToken"],
])("says what a typed call takes that sends %j", async (body, sentence) => {
  const response = await service.request("/trpc/secrets.revoke", { ...JSON_CALL, body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(sentence);
});

test("quotes no name of a compared text, and says what such a name must be", async () => {
  for (const [parameter, name] of [
    ["nameA", "canary\n"],
    ["nameB", `canary${"x".repeat(250)}`],
  ] as const) {
    const body = JSON.stringify({ a: "", b: "", [parameter]: name });
    const response = await service.request("/api/tools/text-compare", { ...JSON_CALL, body });
    const said = await response.text();
    expect(said).toMatch(new RegExp(`"Parameter \\\\"${parameter}\\\\" must be text `));
    expect(said).not.toContain("canary");
  }
});

test("quotes no content that stands where a file belongs", async () => {
  const body = JSON.stringify({ file: "canary" });
  const response = await service.request("/trpc/tools.fileHash", { ...JSON_CALL, body });
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain("canary");
});

async function failed(path: string, init: Sent) {
  const response = await service.request(path, { method: "POST", ...init });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function form(...parts: [head: string, text: string][]): Sent {
  const lines = parts.flatMap(([head, text]) => [
    "--XX",
    `Content-Disposition: form-data; ${head}`,
    "",
    text,
  ]);
  const body = [...lines, "--XX--", ""].join("\r\n");
  return { method: "POST", body, headers: { "content-type": "multipart/form-data; boundary=XX" } };
}

test("tells of ten unknown parameters by name and of the rest together", async () => {
  const query = Array.from({ length: 1500 }, (_, i) => `q${i}`).join("&");
  const { headers } = await service.request(`/api/tools/password?${query}`);
  const warnings = headers.get("tool-warning") ?? "";
  expect(warnings.match(/Parameter "q/g)).toHaveLength(10);
  expect(warnings).toContain("More parameters are not known and were ignored");
});

test("offers no name that cannot be given where the unknown one stood", async () => {
  const response = await service.request("/api/tools/file-hash?file=x", { method: "POST", body: "x" });
  expect(response.headers.get("tool-warning")).toBe('Parameter "file" is not known and was ignored');
  const body = JSON.stringify({ constructor: 1, toString: 2 });
  const named = await service.request("/api/tools/password", { method: "POST", body });
  expect(named.headers.get("tool-warning")?.match(/not known/g)).toHaveLength(2);
  expect(await failed("/api/secrets?constructor=1", { body: "x" })).toMatchObject({
    body: { error: expect.stringContaining("not known in the query") },
  });
});

test.each([
  ["/api/tools/password", { mode: `a${"\u{1F600}".repeat(40)}` }],
  ["/api/tools/password", { mode: "\uD800" }],
  ["/api/secrets", { [`a${"\u{1F600}".repeat(40)}`]: 1 }],
  [`/api/tools/password?length=a${"\u{1F600}".repeat(40)}`, {}],
  [`/api/secrets?a${"\u{1F600}".repeat(40)}=1`, {}],
  [`/api/secrets?raw=a${"\u{1F600}".repeat(40)}`, {}],
  [`/api/tools/pdf-rotate?range=a${"\u{1F600}".repeat(40)}`, {}],
])("quotes no half of a character: %s %j", async (path, input) => {
  const headers = path.startsWith("/api/tools/pdf") ? {} : JSON_CALL.headers;
  const body = path.startsWith("/api/tools/pdf") ? pagesPdf(1) : JSON.stringify(input);
  const response = await service.request(encodeURI(path), { method: "POST", headers, body, ip: freshIp() });
  expect(response.status).toBe(400);
  expect(await response.text()).not.toMatch(/\\u[dD][89a-fA-F]/);
});

test.each([
  ["100%", "100%"],
  ["%", "%"],
  ["%4", "%4"],
  ["%zz%41+%2B", "%zzA +"],
  ["%C3%A4\u00e4%f0%9F%98%80", "\u00e4\u00e4\u{1F600}"],
  ["%EF%BB%BFa", "\uFEFFa"],
  ["%00", "\0"],
])("decodes %j in a form", async (sent, content) => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const form of [`content=${sent}`, `&&expires=60&&content=${sent}&`]) {
    const made = await service.request("/", { method: "POST", headers, body: form, ip: freshIp() });
    const { id, key } = (await made.json()) as { id: string; key: string };
    expect((await service.client().secrets.reveal.mutate({ id, key })).content).toBe(content);
  }
});

test.each(["%C3", "%C3&expires=60", "%C3\u00e4", "%ED%A0%80", "%C0%80", "%F5%80%80%80"])(
  "refuses %j in a form, which is no UTF-8",
  async (sent) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await failed("/", { headers, body: `content=${sent}`, ip: freshIp() });
    expect(response).toMatchObject({ status: 400, body: { code: "invalid_text" } });
  },
);

test("tells of a field that is in a form many times, at once", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await failed("/", { headers, body: `${"&content=%".repeat(50_000)}`, ip: freshIp() });
  expect(response).toMatchObject({ body: { code: "repeated_parameter", parameter: "content" } });
});

test.each([
  ["/api/secrets/raw", "text/plain; charset=utf-8"],
  ["/api/tools/password/raw", "text/plain; charset=utf-8"],
  ["/api/tools/file-encrypt/envelope?password=p", "application/json; charset=utf-8"],
])("answers %s in the same form with a slash behind the path", async (path, type) => {
  for (const called of [path, path.replace(/(?=\?|$)/, "/")]) {
    const response = await service.request(called, { method: "POST", body: "{}", ip: freshIp() });
    expect([called, response.headers.get("content-type")]).toEqual([called, type]);
  }
});

test.each([
  ["iso-8859-1", "\u00e4", 415],
  ["iso-8859-1", "plain", 201],
  ["UTF-16LE", "a\0", 415],
  ['"UTF-8"', "\u00e4", 201],
])("answers a part in %s with %j by %i", async (charset, text, status) => {
  for (const file of ["", '; filename="a.txt"']) {
    const sent = form([`name="content"${file}\r\nContent-Type: text/plain; charset=${charset}`, text]);
    expect((await service.request("/", { ...sent, ip: freshIp() })).status).toBe(status);
  }
});

test("takes an empty color for an absent one, in a query and in a form", async () => {
  const picture = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");
  const form = new FormData();
  form.append("background", "");
  form.append("file", new Blob([picture]), "a.gif");
  for (const [query, body] of [["&background=", picture] as const, ["", form] as const]) {
    const path = `/api/tools/image-convert?format=jpeg${query}`;
    expect((await service.request(path, { method: "POST", body, ip: freshIp() })).status).toBe(200);
  }
});

test("takes an empty choice in a query for an absent one", async () => {
  const response = await service.request("/api/tools/password?mode=&length=");
  expect(await response.json()).toMatchObject({ mode: "characters", length: 20 });
});

test("says what is wrong with a form, and which part was read", async () => {
  const text: [string, string] = ['name="file"', "x"];
  expect(await failed("/api/tools/file-hash", form(text))).toMatchObject({
    status: 400,
    body: { code: "missing_body", error: expect.stringContaining("no part with a file name") },
  });
  const many = Array.from({ length: 1001 }, (): [string, string] => ['name="a"', ""]);
  expect(await failed("/api/tools/file-hash", form(...many))).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining("more than 1000 parts") },
  });
  const two = form(['name="a"; filename="a"', "x"], ['name="b"; filename="b"', "y"]);
  const response = await service.request("/api/tools/file-hash", two);
  expect(await response.json()).toMatchObject({ size: 1 });
  expect(response.headers.get("tool-warning")).toContain("Only the first file part");
});

test.each([
  ["C:\\dir\\x.pdf", "x.pdf"],
  ["\\\\server\\share\\x.pdf", "x.pdf"],
  ["C:\\\\dir\\\\x.pdf", "x.pdf"],
  ["..\\..\\etc\\passwd.pdf", "passwd.pdf"],
  ['say \\"hi\\".pdf', "say _hi_.pdf"],
  ["say %22hi%22%0D%0A.pdf", "say _hi_.pdf"],
])("takes the last part of a Windows path, %s, as the name, as it is or escaped", async (name, expected) => {
  const made = await service.request("/api/secrets/file", {
    ...form([`name="file"; filename="${name}"`, "x"]),
    ip: freshIp(),
  });
  const { id, key } = (await made.json()) as { id: string; key: string };
  const opened = await service.request(`/api/secrets/${id}/file`, {
    method: "POST",
    body: new URLSearchParams({ key }),
  });
  expect(opened.headers.get("content-disposition")).toBe(`attachment; filename="${expected}"`);
});

test("writes nothing to the log about a name in an unknown charset", async () => {
  const warn = vi.spyOn(console, "warn");
  onTestFinished(() => warn.mockRestore());
  const split = await service.request(
    "/api/tools/pdf-merge",
    form([`name="files"; filename*=canary''a%C3%A9.pdf`, "x"]),
  );
  const streamed = await service.request(
    "/api/tools/file-hash",
    form([`name="f"; filename*=canary''a.txt`, "x"]),
  );
  expect([split.status, streamed.status]).toEqual([422, 200]);
  expect(warn).not.toHaveBeenCalled();
});

test.each(["99999999999", "-1", "0", "2592001"])("answers expires=%s with the legal range", async (text) => {
  const range = { minimum: 60, maximum: 2_592_000, received: Number(text) };
  const body = { code: "invalid_parameter", parameter: "expires", ...range };
  expect(await failed(`/api/secrets?expires=${text}`, { body: "x" })).toMatchObject({ status: 400, body });
  const form = new URLSearchParams({ content: "x", expires: text });
  expect(await failed("/api/secrets", { body: form })).toMatchObject({ status: 400, body });
});

test.each(["soon", "1.5", "60s", " 60", "9007199254740993"])(
  "answers expires=%s with the range of this caller",
  async (text) => {
    const range = { minimum: 60, maximum: 2_592_000 };
    const query = new URLSearchParams({ expires: text });
    expect((await failed(`/api/secrets?${query}`, { body: "x" })).body).toMatchObject(range);
    const { body } = await failed("/trpc/secrets.create", jsonPost({ content: "x", expires: text }));
    expect(body).toMatchObject({ error: { data: range } });
  },
);

test("says of what a procedure refuses too where it was", async () => {
  const query = await failed("/api/secrets?expires=5", { body: "x" });
  const body = await failed("/api/secrets", jsonPost({ content: "x", expires: 5 }));
  expect([query.body.in, body.body.in]).toEqual(["query", "body"]);
});

test("takes the passphrase of a text in the header, as of a file, whatever the body is", async () => {
  const headers = { "secret-passphrase": "caf%C3%A9" };
  for (const sent of [{ body: "x", headers }, jsonPost({ content: "x" }, headers)]) {
    const { body } = await failed("/api/secrets", { ...sent, ip: freshIp() });
    expect(body).toMatchObject({ hasPassphrase: true });
    const opened = await failed(
      `/api/secrets/${String(body.id)}/reveal`,
      jsonPost({ key: body.key, passphrase: "café" }),
    );
    expect(opened.status).toBe(200);
  }
  const kept = await failed("/api/secrets", { body: "x", headers, ip: freshIp() });
  const byHeader = jsonPost({ key: kept.body.key }, headers);
  expect(await failed(`/api/secrets/${String(kept.body.id)}/reveal`, byHeader)).toMatchObject({
    status: 200,
  });
  const twice = await failed("/api/secrets", jsonPost({ content: "x", passphrase: "a" }, headers));
  expect(twice.body).toMatchObject({ code: "repeated_parameter", parameter: "passphrase" });
});

test.each([
  ["unencoded", Buffer.from("pässwörd").toString("latin1"), "pässwörd"],
  ["encoded", "p%C3%A4ssw%C3%B6rd", "pässwörd"],
  ["with a plus", "a+b", "a+b"],
])("reads a password in a header as UTF-8: %s", async (_, header, password) => {
  const locked = await service.request("/api/tools/file-encrypt", {
    ...{ method: "POST", body: "x", headers: { "tool-password": header } },
  });
  const opened = await service.request("/api/tools/file-encrypt?direction=unlock", {
    method: "POST",
    body: await locked.arrayBuffer(),
    headers: { "tool-password": encodeURIComponent(password) },
  });
  expect([locked.status, await opened.text()]).toEqual([200, "x"]);
});

test.each(["100%", "%zz", "%C3", "\xe4"])(
  "refuses %j in a header, which is not percent-encoded UTF-8",
  async (header) => {
    const refused = await failed("/api/tools/file-encrypt", {
      body: "x",
      headers: { "tool-password": header },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_text", parameter: "Tool-Password", in: "header" },
    });
  },
);

test("stores a raw text as UTF-8 or not at all", async () => {
  for (const body of [utf16("hush", "LE"), utf16("hush", "BE"), Buffer.from([0xff, 0xfe])]) {
    const headers = { "content-type": "text/plain" };
    expect(await failed("/api/secrets", { body, headers, ip: freshIp() })).toMatchObject({
      status: 400,
      body: { code: "invalid_text" },
    });
  }
});

test("names no bound of the language as one of a parameter", async () => {
  const { body } = await failed("/api/secrets?expires=soon", { body: "x" });
  expect(body).toMatchObject({ parameter: "expires", received: "soon" });
  expect(JSON.stringify(body)).not.toContain("9007199254740991");
  expect(await (await service.request("/api/tools")).text()).not.toContain("9007199254740991");
});

test("reads types in JSON whatever that is called", async () => {
  const body = JSON.stringify({ content: "x", isEncrypted: "true" });
  const headers = { "content-type": "application/ld+json" };
  expect(await failed("/api/secrets", { body, headers })).toMatchObject({
    status: 400,
    body: { parameter: "isEncrypted" },
  });
});

test("answers an id of any length like an unknown one, and quotes nothing of a link in its place", async () => {
  const link = "0123456789abcdef%23canary7890123456789012.canaryZz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8Nn7";
  const { status, body } = await failed(`/api/secrets/${link}/reveal`, { body: '{"key":"x"}' });
  expect([status, body.code]).toEqual([404, "secret_not_found"]);
  expect(JSON.stringify(body)).not.toContain("canary");
});

const PART = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--XX--\r\n';

test.each([
  ["a preamble", `for old mail programs, not --XX\r\n--XX\r\n${PART}`],
  ["an empty line", `\r\n--XX\r\n${PART}`],
  ["a lone line feed", `\n--XX\r\n${PART}`],
  ["an epilogue behind", `--XX\r\n${PART}and so on`],
])("reads a form with %s (RFC 2046, 5.1.1), also while it arrives", async (_, body) => {
  const headers = { "content-type": "multipart/form-data; boundary=XX" };
  const hashed = await service.request("/api/tools/file-hash", { method: "POST", headers, body });
  expect(await hashed.json()).toMatchObject({ size: 5 });
  const kept = await service.request("/api/secrets/file", { method: "POST", headers, body, ip: freshIp() });
  expect(await kept.json()).toMatchObject({ kind: "file", size: 5 });
});

test("loses no part of a form before which there is a lone line feed", async () => {
  const field = (name: string, value: string) =>
    `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = `\n${field("passphrase", "open")}${field("secret", "hush")}--XX--\r\n`;
  const headers = { "content-type": "multipart/form-data; boundary=XX" };
  const made = await service.request("/", { method: "POST", headers, body, ip: freshIp() });
  expect(await made.json()).toMatchObject({ hasPassphrase: true, length: 4 });
});

/** As PowerShell writes a file: UTF-16 with its byte order mark. */
function utf16(text: string, order: "LE" | "BE"): Buffer<ArrayBuffer> {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return order === "LE" ? bytes : bytes.swap16();
}

test.each(["LE", "BE"] as const)(
  "reads JSON and texts in UTF-16%s with a byte order mark, long ones too",
  async (order) => {
    for (const text of ["ä\n", "ä line\n".repeat(50_000)]) {
      const json = JSON.stringify({ a: text, b: `${text}ö\n`, format: "unified" });
      const sent = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: utf16(json, order),
      };
      const compared = await service.request("/api/tools/text-compare", sent);
      expect(await compared.json()).toMatchObject({
        stats: { deleted: 0, inserted: 1 },
        patch: expect.stringContaining("+ö\n"),
      });
    }
    const form = new FormData();
    form.append("secret", new Blob([utf16("ähush", order)]), "secret.txt");
    const made = await service.request("/", { method: "POST", body: form, ip: freshIp() });
    const { id, key } = (await made.json()) as { id: string; key: string };
    expect((await service.client().secrets.reveal.mutate({ id, key })).content).toBe("ähush");
  },
);

test("refuses UTF-16 without a mark, and one that is cut", async () => {
  const whole = utf16('{"a":"","b":""}', "LE");
  for (const body of [whole.subarray(2), whole.subarray(0, -1)]) {
    const headers = { "content-type": "application/json" };
    expect((await service.request("/api/tools/text-compare", { method: "POST", headers, body })).status).toBe(
      400,
    );
  }
});

test.each([
  ["/api/account/login", (value: string) => `name=ann&password=a&${value}`],
  ["/api/account/login", (value: string) => JSON.stringify({ name: "ann", password: value })],
  ["/api/account/recover", (value: string) => JSON.stringify({ name: "ann", recoveryCode: value })],
  ["/api/secrets/AAAAAAAAAAAAAAAA/reveal", (value: string) => JSON.stringify({ key: value })],
  ["/api/secrets/AAAAAAAAAAAAAAAA/file", (value: string) => `key=a&passphrase=a&${value}`],
  ["/api/requests/AAAAAAAAAAAAAAAA/collect", (value: string) => JSON.stringify({ collectToken: value })],
])("%s repeats nothing of a form that is none, and says what to send", async (path, bodyOf) => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await service.request(path, {
    method: "POST",
    headers,
    body: bodyOf("hunter2"),
    ip: freshIp(),
  });
  const body = await answer.text();
  expect(JSON.parse(body)).toMatchObject({ status: 400, code: "invalid_parameter", in: "body" });
  expect(body).toContain("send JSON as application/json");
  expect(body).not.toContain("hunter2");
});

test.each([(file: string) => file, (file: string) => ({ data: file })])(
  "repeats nothing of a file in the place of a list of files",
  async (placed) => {
    const answer = await service.request("/api/tools/pdf-merge", jsonPost({ files: placed("JVBERi0xLjcK") }));
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain("JVBERi0xLjcK");
  },
);
