// slow
import { expect, onTestFinished, test, vi } from "vitest";
import { makeApiToken } from "../../../tools/crypto/api-token.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { openBody } from "../../support/harness.ts";
import { addMember, call, register } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

const WRONG = "another password";
const login = (name: string, { password = WRONG, ip = freshIp() } = {}) =>
  call(service, "/api/account/login", { json: { name, password }, ip });

/** How fifty addresses fare that each try a name five times. */
async function hammer(name: string): Promise<string[]> {
  const seen: string[] = [];
  for (const ip of Array.from({ length: 50 }, () => freshIp())) {
    for (let i = 0; i < 5; i++) {
      const { status, body } = await login(name, { ip });
      seen.push(status === 401 ? "401" : String(body.limit));
    }
  }
  return seen;
}

test("never keeps the owner of a name out from another address", async () => {
  const { name, password } = await register(service);
  const [attacker, owner] = [freshIp(), freshIp()];
  for (let i = 0; i < 20; i++) await login(name, { ip: attacker });
  expect((await login(name, { password, ip: attacker })).status).toBe(429);
  expect((await login(name, { password, ip: owner })).status).toBe(200);
  const [known, unknown] = [await hammer(name), await hammer("nobody-at-all")];
  expect((await login(name, { password, ip: owner })).status).toBe(200);
  expect((await login(name, { password })).status).toBe(200);
  const failures = known.filter((each) => each === "401").length;
  // Five came from the first address. Each that came after the hundredth failure had one try.
  expect(failures).toBe(95 + 31);
  expect(unknown.filter((each) => each === "401")).toHaveLength(100 + 30);
  expect(known.at(-1)).toBe("loginsOfAttackedName");
  expect(unknown.at(-1)).toBe("loginsOfAttackedName");
});

test("leaves an address one try a minute at a name that failed a hundred times in an hour", async () => {
  const { name, password } = await register(service);
  for (let i = 0; i < 99; i++) expect((await login(name)).status).toBe(401);
  const ip = freshIp();
  expect((await login(name, { ip })).status).toBe(401);
  expect((await login(name, { ip })).status).toBe(401);
  expect(await login(name, { ip })).toMatchObject({
    status: 429,
    body: { limit: "loginsOfAttackedName", value: 1, window: 60, retryAfter: 60 },
  });
  service.clock.now += 60;
  expect((await login(name, { password, ip })).status).toBe(200);
  service.clock.now += 3600;
  for (let i = 0; i < 5; i++) expect((await login(name, { ip })).status).toBe(401);
});

test("counts no login that succeeds as a failure", async () => {
  const { name, password } = await register(service);
  for (let i = 0; i < 101; i++) expect((await login(name, { password })).status).toBe(200);
  const ip = freshIp();
  for (let i = 0; i < 5; i++) expect((await login(name, { ip })).status).toBe(401);
});

test("hashes for at most a hundred of many guesses at once, and one for each address", async () => {
  const { name } = await register(service);
  onTestFinished(() => void vi.restoreAllMocks());
  const check = vi.spyOn(service.services.passwords, "check");
  const addresses = Array.from({ length: 40 }, () => freshIp());
  await Promise.all(addresses.flatMap((ip) => Array.from({ length: 6 }, () => login(name, { ip }))));
  expect(check.mock.calls.length).toBeLessThanOrEqual(100 + addresses.length);
  expect(check.mock.calls.length).toBeGreaterThanOrEqual(100);
});

test("gives recovery and the password in a session tries of their own", async () => {
  const { name, password, recoveryCode, cookie } = await register(service);
  const ip = freshIp();
  for (let i = 0; i < 20; i++) await login(name, { ip });
  const recover = (code: string) =>
    call(service, "/api/account/recover", { json: { name, recoveryCode: code, password: WRONG }, ip });
  const change = (given: string) =>
    call(service, "/api/users/me/password", {
      ...{ json: { password: given, newPassword: password }, headers: { cookie }, ip },
    });
  for (let i = 0; i < 5; i++) expect((await recover("A".repeat(24))).status).toBe(401);
  expect(await recover(recoveryCode)).toMatchObject({ status: 429, body: { limit: "recoveriesOfName" } });
  for (let i = 0; i < 4; i++) expect((await change(WRONG)).status).toBe(422);
  expect((await change(password)).status).toBe(200);
  expect(await change(password)).toMatchObject({ status: 429, body: { limit: "passwordChecks", value: 5 } });
  service.clock.now += 60;
  expect((await recover(recoveryCode)).status).toBe(200);
});

test("takes twenty recoveries a minute from an address", async () => {
  const ip = freshIp();
  const recover = (name: string) =>
    call(service, "/api/account/recover", { json: { name, recoveryCode: "A", password: WRONG }, ip });
  for (let i = 0; i < 20; i++) expect((await recover(`guess-${i}`)).status).toBe(401);
  expect(await recover("guess-20")).toMatchObject({ status: 429, body: { limit: "recoveries", value: 20 } });
});

test.each([
  ["nonsense", () => "Bearer nonsense"],
  ["well-formed tokens", () => `Bearer ${makeApiToken(randomBase62(32))}`],
])("throttles %s by address, and never a good token behind it", async (_what, wrong) => {
  const { bearer } = await addMember(service);
  const ip = freshIp();
  const ask = async (authorization: string) =>
    (await service.request("/api/tools", { ip, headers: { authorization } })).status;
  for (let i = 0; i < 30; i++) expect(await ask(wrong())).toBe(401);
  expect(await ask(wrong())).toBe(429);
  expect(await ask(bearer)).toBe(200);
  expect(await ask(wrong())).toBe(429);
  service.clock.now += 60;
  expect(await ask(wrong())).toBe(401);
});

const create = async (init: { ip?: string; headers?: Record<string, string> }) =>
  service.request("/", { method: "POST", body: "hush", ...init });

test("lets young accounts of one address do together what one member may", async () => {
  const ip = freshIp();
  const make = async (name: string, from = ip) => {
    const { cookie } = await call(service, "/api/account/register", {
      ...{ json: { name, password: WRONG }, ip: from },
    });
    return { headers: { cookie: cookie ?? "" } };
  };
  const young = [await make("young-1"), await make("young-2"), await make("young-3")];
  const other = await make("young-elsewhere", freshIp());
  for (let i = 0; i < 60; i++) expect((await create(young[i % 3] ?? {})).status).toBe(201);
  for (const each of young) expect((await create(each)).status).toBe(429);
  expect((await create(other)).headers.get("ratelimit")).toBe('"secrets";r=59;t=60');
  const ends: (() => void)[] = [];
  const slow = (each: object) =>
    service.request("/api/tools/file-hash", { method: "POST", body: openBody(ends), ...each });
  const running = Array.from({ length: 8 }, (_, i) => slow(young[i % 3] ?? {}));
  await expect.poll(() => ends.length).toBe(8);
  expect((await service.request("/api/tools/password", young[0])).status).toBe(429);
  for (const end of ends) end();
  await Promise.all(running);
  service.clock.now += 86_400 - 1;
  await create(young[0] ?? {});
  expect((await create(young[1] ?? {})).headers.get("ratelimit")).toBe('"secrets";r=58;t=60');
  service.clock.now += 1;
  await create(young[0] ?? {});
  expect((await create(young[1] ?? {})).headers.get("ratelimit")).toBe('"secrets";r=59;t=60');
});

test("stores of an account's address an HMAC alone, and none for one that was added", async () => {
  await call(service, "/api/account/register", {
    ...{ json: { name: "from-here", password: WRONG }, ip: "203.0.113.77" },
  });
  const rows = await service.db.query
    .selectFrom("member")
    .select(["name", "created_from"])
    .where("name", "=", "from-here")
    .execute();
  expect(rows[0]?.created_from).toHaveLength(32);
  expect(Buffer.from(rows[0]?.created_from ?? []).toString("latin1")).not.toContain("203.0.113");
});

test("lets an IPv6 /48 do four times what a /64 may", async () => {
  const from = (net: number) => create({ ip: `2001:db8:77:${net}::1` });
  for (let net = 1; net <= 4; net++) {
    for (let i = 0; i < 10; i++) expect((await from(net)).status).toBe(201);
    expect((await from(net)).status).toBe(429);
  }
  const fifth = await from(5);
  expect([fifth.status, fifth.headers.get("ratelimit")]).toEqual([429, '"secrets";r=0;t=60']);
  expect((await create({ ip: "2001:db8:78:5::1" })).headers.get("ratelimit")).toBe('"secrets";r=9;t=60');
});

test("lets an IPv6 /48 run four times as many tools at once as a /64", async () => {
  const ends: (() => void)[] = [];
  const slow = (net: number) =>
    service.request("/api/tools/file-hash", {
      ...{ method: "POST", body: openBody(ends), ip: `2001:db8:99:${net}::1` },
    });
  const running = [1, 1, 2, 2, 3, 3, 4, 4].map(slow);
  await expect.poll(() => ends.length).toBe(8);
  const quick = (net: number) => service.request("/api/tools/password", { ip: `2001:db8:99:${net}::1` });
  expect([(await quick(5)).status, (await quick(1)).status]).toEqual([429, 429]);
  for (const end of ends) end();
  await Promise.all(running);
  expect((await quick(5)).status).toBe(200);
});
