import { describe, expect, test } from "vitest";
import { Authenticator } from "../../support/authenticator.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { call, makeToken, register, type Call } from "../../support/members.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer({ publicUrl: "https://hush.example" });
const BROWSER = { origin: "https://hush.example", rpId: "hush.example", isVerified: true };
const OPTIONS = "/api/users/me/passkeys/options";
const PASSKEYS = "/api/users/me/passkeys";

async function post(path: string, json: object, cookie?: string) {
  return call(service, path, { json, headers: cookie === undefined ? {} : { cookie }, ip: freshIp() });
}

type Asked = Parameters<Authenticator["create"]>[0];

async function ask(path: string, cookie?: string): Promise<Asked & Record<string, unknown>> {
  return (await post(path, {}, cookie)).body as unknown as Asked & Record<string, unknown>;
}

async function withPasskey(authenticator = new Authenticator()) {
  const member = await register(service);
  const options = await ask(OPTIONS, member.cookie);
  const made = await post(
    PASSKEYS,
    { name: "Laptop", response: authenticator.create(options, BROWSER) },
    member.cookie,
  );
  expect(made.status).toBe(201);
  return { member: { ...member, cookie: made.cookie ?? "" }, authenticator, made };
}

async function logIn(authenticator: Authenticator, browser = BROWSER) {
  const options = await ask("/api/account/passkey/options");
  return post("/api/account/passkey", { response: authenticator.get(options, browser) });
}

test("a passkey is added, listed, logs in without a name, and is deleted", async () => {
  const { member, authenticator, made } = await withPasskey();
  expect(made.body).toEqual({
    id: authenticator.id,
    name: "Laptop",
    created: expect.any(String),
    lastUsed: null,
  });
  authenticator.counter = 1;
  const login = await logIn(authenticator);
  expect(login).toMatchObject({ status: 200, body: { id: member.id, name: member.name } });
  const headers = { cookie: login.cookie ?? "" };
  const { body } = await call(service, PASSKEYS, { headers });
  expect(body.passkeys).toMatchObject([{ name: "Laptop", lastUsed: expect.any(String) }]);
  const path = `${PASSKEYS}/${authenticator.id}`;
  expect((await call(service, path, { method: "DELETE", headers })).body).toMatchObject({ deleted: true });
  expect((await call(service, path, { method: "DELETE", headers })).status).toBe(404);
  authenticator.counter = 2;
  expect((await logIn(authenticator)).body).toMatchObject({ status: 422, code: "passkey_wrong" });
});

test("asks with a challenge of 128 random bits, a time and 128 bits of a MAC", async () => {
  const { challenge } = await ask("/api/account/passkey/options");
  expect(Buffer.from(String(challenge), "base64url")).toHaveLength(16 + 4 + 16);
});

test("asks for a verified user, a passkey that finds itself, and no attestation", async () => {
  const { member, authenticator } = await withPasskey();
  const options = await ask(OPTIONS, member.cookie);
  expect(options).toMatchObject({
    ...{ rp: { id: "hush.example", name: "Hushkit" }, attestation: "none" },
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [{ id: authenticator.id }],
  });
  expect(await ask("/api/account/passkey/options")).toMatchObject({
    rpId: "hush.example",
    userVerification: "required",
  });
});

describe("what an authenticator has not signed for this is refused:", () => {
  test.each([
    ["of another origin", { ...BROWSER, origin: "https://hush.example.evil" }],
    ["of another site", { ...BROWSER, rpId: "evil.example" }],
    ["without a verified user", { ...BROWSER, isVerified: false }],
  ])("%s", async (_, browser) => {
    const { member, authenticator } = await withPasskey();
    authenticator.counter = 1;
    expect((await logIn(authenticator, browser)).body).toMatchObject({ code: "passkey_wrong" });
    const response = new Authenticator().create(await ask(OPTIONS, member.cookie), browser);
    expect((await post(PASSKEYS, { name: "a", response }, member.cookie)).body).toMatchObject({
      code: "passkey_wrong",
    });
  });

  test("a second time", async () => {
    const { authenticator } = await withPasskey();
    const options = await ask("/api/account/passkey/options");
    authenticator.counter = 1;
    const response = authenticator.get(options, BROWSER);
    const both = await Promise.all([1, 2].map(() => post("/api/account/passkey", { response })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("after five minutes", async () => {
    const { authenticator } = await withPasskey();
    const options = await ask("/api/account/passkey/options");
    service.clock.now += 300;
    expect(
      (await post("/api/account/passkey", { response: authenticator.get(options, BROWSER) })).status,
    ).toBe(422);
  });

  test("for another purpose, or for another member", async () => {
    const { member, authenticator } = await withPasskey();
    authenticator.counter = 1;
    const creation = await ask(OPTIONS, member.cookie);
    expect(
      (await post("/api/account/passkey", { response: authenticator.get(creation, BROWSER) })).status,
    ).toBe(422);
    const other = await register(service);
    const response = new Authenticator().create(await ask(OPTIONS, other.cookie), BROWSER);
    expect((await post(PASSKEYS, { name: "a", response }, member.cookie)).status).toBe(422);
  });

  test("with a challenge that nobody has asked for", async () => {
    const { authenticator } = await withPasskey();
    const response = authenticator.get({ challenge: "A".repeat(43) }, BROWSER);
    expect((await post("/api/account/passkey", { response })).status).toBe(422);
  });

  test("by a copy whose counter stands still", async () => {
    const { authenticator } = await withPasskey();
    authenticator.counter = 5;
    expect((await logIn(authenticator)).status).toBe(200);
    expect((await logIn(authenticator)).body).toMatchObject({ code: "passkey_wrong" });
    expect(service.lines.join()).toContain("login_failed");
  });

  test("by another key under the same id", async () => {
    const { authenticator } = await withPasskey();
    const other = Object.assign(new Authenticator(), { id: authenticator.id, counter: 1 });
    expect((await logIn(other)).status).toBe(422);
    const member = await register(service);
    const response = other.create(await ask(OPTIONS, member.cookie), BROWSER);
    expect((await post(PASSKEYS, { name: "a", response }, member.cookie)).status).toBe(422);
  });

  test.each([
    ["nothing", {}],
    ["a text", { response: "a" }],
    ["another type", { response: { id: "a", type: "password", response: {} } }],
  ])("%s in its place is 400", async (_, json) => {
    expect((await post("/api/account/passkey", json)).status).toBe(400);
  });

  test.each([
    ["no fields", {}],
    ["damaged data", { clientDataJSON: "%%%", authenticatorData: "AA", signature: "AA" }],
    [
      "deep CBOR",
      { clientDataJSON: "e30", attestationObject: Buffer.alloc(40_000, 0x81).toString("base64url") },
    ],
  ])("%s inside it is 422, never 500", async (_, inside) => {
    const { member, authenticator } = await withPasskey();
    const response = {
      id: authenticator.id,
      rawId: authenticator.id,
      type: "public-key",
      clientExtensionResults: {},
      response: inside,
    };
    expect((await post("/api/account/passkey", { response })).status).toBe(422);
    expect((await post(PASSKEYS, { name: "a", response }, member.cookie)).status).toBe(422);
  });
});

describe("with REQUIRE_SECOND_FACTOR=members a password alone", () => {
  test("neither adds to the second factor of an account nor takes it away", async () => {
    const publicUrl = BROWSER.origin;
    const strict = await startForTest({ publicUrl, settings: { REQUIRE_SECOND_FACTOR: "members" } });
    const { cookie, name, password } = await register(strict);
    const send = (path: string, init: Call) => call(strict, path, { ...init, ip: freshIp() });
    const asked = await send(OPTIONS, { json: {}, headers: { cookie } });
    const authenticator = new Authenticator();
    const response = authenticator.create(asked.body as unknown as Asked, BROWSER);
    const made = await send(PASSKEYS, { json: { name: "a", response }, headers: { cookie } });
    expect(made.status).toBe(201);
    const login = await send("/api/account/login", { json: { name, password } });
    const headers = { cookie: login.cookie ?? "" };
    const refused = { status: 401, body: { code: "second_factor_required" } };
    expect(await send(OPTIONS, { json: { password }, headers })).toMatchObject(refused);
    expect(await send(PASSKEYS, { json: { name: "b", response }, headers })).toMatchObject(refused);
    expect(await send("/api/users/me/totp", { json: { password }, headers })).toMatchObject(refused);
    const path = `${PASSKEYS}/${authenticator.id}`;
    expect(await send(path, { method: "DELETE", headers })).toMatchObject(refused);
    expect((await send("/api/users/me", { headers })).body).toMatchObject({ needsSecondFactor: true });
    const own = { cookie: made.cookie ?? "" };
    expect((await send(path, { method: "DELETE", headers: own })).status).toBe(200);
  });
});

test.each<[string, unknown, string[]]>([
  ["a text", "usb", []],
  ["a number", 5, []],
  ["null", null, []],
  ["an object", {}, []],
  ["what are none", ["usb", 5, null, ["nfc"], { toString: 1 }, "<b>", "usb", "ble"], ["usb", "ble"]],
  ["very many", [..."abcdefghijklmno"], [..."abcdefghij"]],
])("of transports that are %s a few right ones are kept", async (_, transports, kept) => {
  const member = await register(service);
  const right = new Authenticator().create(await ask(OPTIONS, member.cookie), BROWSER);
  const response = { ...right, response: { ...right.response, transports } };
  const made = await post(PASSKEYS, { name: "a", response }, member.cookie);
  expect(made.status).toBe(201);
  expect((await ask(OPTIONS, made.cookie)).excludeCredentials).toMatchObject([{ transports: kept }]);
});

test("an authenticator that counts nothing goes on logging in", async () => {
  const { authenticator } = await withPasskey();
  expect((await logIn(authenticator)).status).toBe(200);
  expect((await logIn(authenticator)).status).toBe(200);
});

test("a member has twenty at most, also when several are added at once", async () => {
  const { member } = await withPasskey();
  const asked = await Promise.all(Array.from({ length: 22 }, () => ask(OPTIONS, member.cookie)));
  const add = async (options: Asked) => {
    const response = new Authenticator().create(options, BROWSER);
    return (await post(PASSKEYS, { name: "a", response }, member.cookie)).status;
  };
  const statuses = await Promise.all(asked.map(add));
  expect(statuses.filter((status) => status === 201)).toHaveLength(19);
  expect(new Set(statuses)).toEqual(new Set([201, 409]));
});

test("adding one never works with a token", async () => {
  const member = await register(service);
  const { token } = await makeToken(service, { cookie: member.cookie });
  const headers = { authorization: `Bearer ${token}` };
  expect((await call(service, OPTIONS, { json: {}, headers })).body).toMatchObject({
    code: "session_required",
  });
});

describe("some time after the login the password is asked for", () => {
  test.each([
    ["to begin with an authenticator app", "/api/users/me/totp", "POST", 200],
    ["to add a passkey", OPTIONS, "POST", 200],
    ["to delete one", `${PASSKEYS}/AAAA`, "DELETE", 404],
  ])("%s", async (_, path, method, status) => {
    const { cookie, password } = await register(service);
    const send = (json: object) => call(service, path, { method, json, headers: { cookie }, ip: freshIp() });
    service.clock.now += 600;
    expect((await send({})).status).toBe(status);
    service.clock.now += 1;
    expect((await send({})).body).toMatchObject({ code: "missing_parameter", parameter: "password" });
    expect((await send({ password: "another one" })).body).toMatchObject({ code: "password_wrong" });
    expect((await send({ password })).status).toBe(status);
  });

  test("and who has none has to log in again", async () => {
    const { cookie, id } = await register(service);
    await service.db.query.updateTable("member").set({ password: "" }).where("id", "=", id).execute();
    service.clock.now += 601;
    for (const path of ["/api/users/me/totp", OPTIONS])
      expect((await post(path, {}, cookie)).body).toMatchObject({ code: "login_required" });
  });
});

test.each([
  ["https://hush.example/base", true],
  ["http://localhost:3000", true],
  ["http://hush.example", false],
  ["https://192.0.2.1", false],
  ["https://[2001:db8::1]", false],
])("GET /api/instance names passkeys at %s: %s", async (publicUrl, isOffered) => {
  const other = await startForTest({ publicUrl });
  const path = `${new URL(publicUrl).pathname.replace(/\/$/, "")}/api/instance`;
  const { login } = (await call(other, path)).body as { login: string[] };
  expect(login.includes("passkey")).toBe(isOffered);
});
