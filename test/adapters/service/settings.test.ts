import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readLogo } from "../../../adapters/service/pages/instance.ts";
import { failureOf } from "../../../client/client.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { addMember, call, type AddedMember } from "../../support/members.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const SETTINGS = {
  ...{
    FILE_SIZE: "2KiB",
    MEMBER_FILE_SIZE: "3KiB",
    SECRET_FILE_SIZE: "4KiB",
    MEMBER_SECRET_FILE_SIZE: "5KiB",
  },
  ...{ SECRET_CHARACTERS: "100", MEMBER_SECRET_CHARACTERS: "200" },
  ...{ LIFETIME: "2h", MEMBER_LIFETIME: "3h", DEFAULT_LIFETIME: "1h" },
  ...{ SECRETS_PER_MINUTE: "20", MEMBER_SECRETS_PER_MINUTE: "40", TOOL_CALLS: "6", MEMBER_TOOL_CALLS: "20" },
};
const service = withServer({ settings: SETTINGS });
let member: AddedMember;
beforeAll(async () => {
  member = await addMember(service);
});

const TIERS = ["anonymous", "member"] as const;
type Tier = (typeof TIERS)[number];

function sent(tier: Tier) {
  return { ip: freshIp(), headers: tier === "member" ? { authorization: member.bearer } : {} };
}

async function post(path: string, tier: Tier, body: string | Uint8Array<ArrayBuffer>) {
  const { ip, headers } = sent(tier);
  const type = { "content-type": "application/octet-stream" };
  const init = { method: "POST", ip, body, headers: { ...type, ...headers } };
  const response = await service.request(path, init);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe.each([
  ["/api/tools/file-hash", "fileSize", { anonymous: 2048, member: 3072 }, 200],
  ["/api/secrets/file", "secretFileSize", { anonymous: 4096, member: 5120 }, 201],
] as const)("the size of a file at %s", (path, limit, sizes, success) => {
  test.each(TIERS)("holds below, at and above what was set, for %s", async (tier) => {
    const value = sizes[tier];
    for (const size of [value - 1, value]) {
      expect((await post(path, tier, new Uint8Array(size))).status).toBe(success);
    }
    const tokenValue = tier === "anonymous" ? { tokenValue: sizes.member } : {};
    expect(await post(path, tier, new Uint8Array(value + 1))).toMatchObject({
      status: 413,
      body: { code: "file_too_large", limit, value, unit: "bytes", tier, ...tokenValue },
    });
  });
});

test.each([
  ["anonymous", 100],
  ["member", 200],
] as const)("a text has as many characters as was set, for %s", async (tier, value) => {
  const share = (length: number) =>
    call(service, "/api/secrets", { json: { content: "é".repeat(length) }, ...sent(tier) });
  expect([(await share(value - 1)).status, (await share(value)).status]).toEqual([201, 201]);
  expect((await share(value + 1)).body).toMatchObject({
    code: "content_too_large",
    value,
    actual: value + 1,
  });
});

test.each([
  ["anonymous", 7200],
  ["member", 10_800],
] as const)("a secret lives as long as was set, for %s", async (tier, maximum) => {
  const share = (expires: number) =>
    call(service, "/api/secrets", { json: { content: "a", expires }, ...sent(tier) });
  expect([(await share(maximum - 1)).status, (await share(maximum)).status]).toEqual([201, 201]);
  expect((await share(maximum + 1)).body).toMatchObject({ code: "invalid_parameter", minimum: 60, maximum });
});

test("a secret, a file and a request whose sender names no lifetime have the one that was set", async () => {
  const hour = new Date((service.clock.now + 3600) * 1000).toISOString();
  const seconds = (text: unknown) => new Date(String(text)).toISOString();
  const made = [
    await call(service, "/api/secrets", { json: { content: "a" } }),
    await post("/api/secrets/file", "anonymous", "a"),
    await call(service, "/api/requests", { json: { gate: "g".repeat(43) } }),
  ];
  expect(made.map(({ body }) => seconds(body.expiry))).toEqual([hour, hour, hour]);
});

test.each([
  ["/api/tools/password", "tools", { anonymous: 6, member: 20 }],
  ["/api/secrets", "secrets", { anonymous: 20, member: 40 }],
] as const)("as many calls of %s are let through as were set", async (path, policy, limits) => {
  for (const tier of TIERS) {
    const { ip, headers } = {
      ...sent(tier),
      ...(tier === "member" && { headers: { authorization: (await addMember(service)).bearer } }),
    };
    const each = () =>
      call(service, path, { json: path === "/api/secrets" ? { content: "a" } : {}, ip, headers });
    const first = await each();
    expect(first.headers.get("ratelimit-policy")).toMatch(`"${policy}";q=${limits[tier]};`);
    const answers = [];
    for (let i = 1; i < limits[tier]; i++) answers.push((await each()).status);
    expect(new Set(answers)).toEqual(new Set([first.status]));
    expect((await each()).body).toMatchObject({ code: "rate_limited", value: limits[tier], tier });
  }
});

test("the bytes that were set can be stored, and no more", async () => {
  const small = await startForTest({
    settings: { STORED_BYTES: "1MiB", MEMBER_STORED_BYTES: "1MiB", MEMBER_FILE_SIZE: "25MiB" },
  });
  const { bearer } = await addMember(small);
  const store = async (headers: Record<string, string>, ip: string) => {
    const init = {
      method: "POST",
      ip,
      body: new Uint8Array(600_000),
      headers: { "content-type": "application/octet-stream", ...headers },
    };
    return (await (await small.request("/api/secrets/file", init)).json()) as object;
  };
  for (const headers of [{}, { authorization: bearer }]) {
    const ip = freshIp();
    expect(await store(headers, ip)).toMatchObject({ status: "active" });
    expect(await store(headers, ip)).toMatchObject({
      code: "storage_quota",
      limit: "storedBytes",
      value: 1_048_576,
    });
  }
});

test("catalogue, document and GET /api/instance say what was set", async () => {
  const { body: catalogue } = await call(service, "/api/tools");
  expect(catalogue).toMatchObject({
    tiers: {
      anonymous: {
        ...{ fileSize: { value: 2048 }, totalSize: { value: 4096 }, secretFileSize: { value: 4096 } },
        ...{
          secretLength: { value: 100 },
          secretExpires: { value: 7200 },
          secretExpiresDefault: { value: 3600 },
        },
        ...{ calls: { value: 6 }, secretCreates: { value: 20 } },
      },
      member: { fileSize: { value: 3072 }, secretFileSize: { value: 5120 }, calls: { value: 20 } },
    },
  });
  const lifetime = { minimum: 60, maximum: 10_800, default: 3600 };
  const endpoints = catalogue.endpoints as { name: string; parameters: { name: string }[] }[];
  for (const name of ["secrets.create", "secrets.createFile", "requests.create"]) {
    const parameters = endpoints.find((each) => each.name === name)?.parameters ?? [];
    expect(
      parameters.find((each) => each.name === "expires"),
      name,
    ).toMatchObject(lifetime);
  }
  const document = await (await service.request("/api/openapi.json")).text();
  expect(document).toContain("Lifetime in seconds, 60 to 7200 (members: to 10800)");
  expect(document).not.toContain("2592000");
  expect((await call(service, "/api/instance")).body).toMatchObject({
    limits: { secretLength: 100, secretFileSize: 4096, secretExpires: 7200, secretExpiresDefault: 3600 },
  });
});

test("tools that are left out are on no door, in no document and on no page", async () => {
  const few = await startForTest({ settings: { TOOLS: "password,pdf-merge" } });
  const answer = await call(few, "/api/tools/file-hash", { json: {} });
  expect(answer).toMatchObject({
    status: 404,
    body: { code: "unknown_tool", tools: ["pdf-merge", "password"] },
  });
  const typed = await few
    .client()
    .tools.fileHash.mutate({ file: new Uint8Array(1) })
    .catch((error: unknown) => error);
  expect(failureOf(typed)).toMatchObject({ code: "unknown_tool", status: 404 });
  const document = (await call(few, "/api/openapi.json")).body as { paths: object };
  expect(Object.keys(document.paths).filter((path) => path.startsWith("/api/tools/"))).toEqual([
    ...["/api/tools/pdf-merge", "/api/tools/password", "/api/tools/pdf-merge/envelope"],
    "/api/tools/password/raw",
  ]);
  const { tools } = (await call(few, "/api/tools")).body as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(["pdf-merge", "password"]);
  expect((await few.request("/file-hash")).status).toBe(404);
  expect((await few.request("/pdf-merge")).status).not.toBe(404);
  expect((await call(few, "/api/tools/password")).status).toBe(200);
});

test("with PASSPHRASE=required every secret needs one, of whatever shape", async () => {
  const strict = await startForTest({ settings: { PASSPHRASE: "required" } });
  const refused = { status: 400, body: { code: "missing_parameter", parameter: "passphrase", in: "body" } };
  expect(await call(strict, "/api/secrets", { json: { content: "a" } })).toMatchObject(refused);
  expect(await call(strict, "/api/secrets", { json: { content: "a", passphrase: "b" } })).toMatchObject({
    status: 201,
  });
  const upload = async (headers: Record<string, string>) => {
    const init = {
      method: "POST",
      body: "a",
      headers: { "content-type": "application/octet-stream", ...headers },
    };
    return (await strict.request("/api/secrets/file", init)).status;
  };
  expect([await upload({}), await upload({ "secret-passphrase": "b" })]).toEqual([400, 201]);
  const form = new FormData();
  form.append("file", new Blob(["a"]), "a.txt");
  const without = await strict.request("/api/secrets/file", { method: "POST", body: form });
  form.append("passphrase", "b");
  const withOne = await strict.request("/api/secrets/file", { method: "POST", body: form });
  expect([without.status, withOne.status]).toEqual([400, 201]);
  // A URL is no place for it.
  expect(await without.json()).toMatchObject({ in: "body" });
  // An answer is sealed for one reader anyway.
  expect((await call(strict, "/api/requests", { json: { gate: "g".repeat(43) } })).status).toBe(201);
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>';

function logoFile(content: string | Uint8Array): string {
  const path = join(makeTempFolder(), "logo");
  writeFileSync(path, content);
  return path;
}

test("GET /api/instance says whose instance it is, on both doors", async () => {
  const settings = {
    ...{ INSTANCE_NAME: "ACME", INSTANCE_NOTICE: "Down on <b>Sunday</b>", INSTANCE_LOGO: logoFile(SVG) },
    ...{ IMPRINT_URL: "https://acme.example/imprint", CONTACT: "security@acme.example" },
  };
  const acme = await startForTest({ settings, registration: "closed", anonymous: "tools" });
  const expected = {
    ...{ name: "ACME", notice: "Down on <b>Sunday</b>", logo: "/instance/logo" },
    ...{ imprint: "https://acme.example/imprint", privacy: null, contact: "mailto:security@acme.example" },
    ...{
      registration: "closed",
      anonymous: "tools",
      login: ["password"],
      oidc: null,
      passphrase: "optional",
    },
  };
  expect((await call(acme, "/api/instance")).body).toMatchObject(expected);
  expect(await acme.client().instance.query()).toMatchObject(expected);
  const logo = await acme.request("/instance/logo");
  expect(await logo.text()).toBe(SVG);
  expect(logo.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  expect(logo.headers.get("content-security-policy")).toContain("sandbox");
  const contact = await (await acme.request("/.well-known/security.txt")).text();
  expect(contact).toMatch(
    /^Contact: mailto:security@acme\.example\nExpires: 2027-\d\d-\d\dT.*Z\nCanonical: http:\S+\n$/,
  );
});

test("an instance of which nothing is said has no logo and no contact", async () => {
  expect((await call(service, "/api/instance")).body).toMatchObject({
    name: "Hushkit",
    logo: null,
    contact: null,
  });
  expect((await service.request("/instance/logo")).status).toBe(404);
  expect((await service.request("/.well-known/security.txt")).status).toBe(404);
});

test.each([
  ["text", "hello", "must be an SVG or a PNG"],
  ["a page", "<html><svg></svg></html>", "must be an SVG or a PNG"],
  ["a large file", new Uint8Array(65_537), "must have at most 65536 bytes"],
  ["a script", SVG.replace("<rect", "<script>alert(1)</script><rect"), "must have no script"],
  ["an event", SVG.replace("<rect", "<rect onload='alert(1)'"), "must have no script"],
  ["a link", SVG.replace("<rect", "<a href='https://a.example'/><rect"), "must have no script"],
  ["a foreign object", SVG.replace("<rect", "<foreignObject/><rect"), "must have no script"],
  ["an entity", `<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`, "must be an SVG or a PNG"],
])("refuses %s as the logo in a sentence", (_, content, sentence) => {
  expect(() => readLogo(logoFile(content))).toThrow(`INSTANCE_LOGO ${sentence}`);
});

test("refuses a logo that is not there, and takes SVG, PNG and an SVG with gradients", () => {
  expect(() => readLogo("/nowhere/logo.svg")).toThrow("INSTANCE_LOGO cannot be read (ENOENT).");
  const gradient = SVG.replace(
    "<rect",
    "<defs><linearGradient id='a'/></defs><rect fill='url(#a)'/><use href='#a'/><rect",
  );
  expect(readLogo(logoFile(`<?xml version="1.0"?>\n<!-- ACME -->\n${gradient}`))?.type).toBe(
    "image/svg+xml; charset=utf-8",
  );
  expect(readLogo(logoFile(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])))?.type).toBe(
    "image/png",
  );
});
