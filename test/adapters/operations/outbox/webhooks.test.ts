// process
import { expect, test } from "vitest";
import { callReceiver } from "../../../../adapters/operations/outbox/webhooks.ts";
import { recordEvents } from "../../../../db/outbox/triggers.ts";
import { call, makeToken, register } from "../../../support/members.ts";
import { startForTest } from "../../../support/with-server.ts";
import { deliverEvents, until, waiting } from "../support/deliver.ts";
import { SECRET, signatureOf, startReceiver } from "../support/receiver.ts";

test("signs the time that it sends, also where a second passes meanwhile", async () => {
  const receiver = await startReceiver();
  let seconds = 1_800_000_000;
  const send = callReceiver({ url: receiver.url, secrets: [SECRET], now: () => seconds++ });
  const data = { id: "a", kind: "text" };
  await send({ type: "secret.created", timestamp: "2027-01-15T08:00:00.000Z", data }, { id: "b", tries: 0 });
  const [call] = receiver.received;
  expect(call?.headers["webhook-signature"]).toBe(call && signatureOf(call));
});

test("two keys both sign, the first one first", async () => {
  const [receiver, old] = [await startReceiver(), `whsec_${"A".repeat(32)}`];
  const send = callReceiver({ url: receiver.url, secrets: [SECRET, old], now: () => 1_800_000_000 });
  const data = { id: "a", kind: "text" };
  await send({ type: "secret.created", timestamp: "2027-01-15T08:00:00.000Z", data }, { id: "b", tries: 0 });
  const [call] = receiver.received;
  expect(call?.headers["webhook-signature"]).toBe(call && `${signatureOf(call)} ${signatureOf(call, old)}`);
});

test("410 ends the webhook with one line: nothing waits, is sent or written down any more", async () => {
  const [service, receiver] = [await startForTest(), await startReceiver(() => 410)];
  const share = () => call(service, "/api/secrets", { json: { content: "a" } });
  await recordEvents(service.db, ["webhook"]);
  await Promise.all([share(), share(), share()]);
  const { faults } = await deliverEvents(service, receiver);
  await until(async () => service.db.sinks.length === 0, service);
  const count = receiver.count();
  await share();
  expect(await waiting(service)).toBe(0);
  expect([faults, receiver.count()]).toEqual([["WebhookError: webhook_gone"], count]);
});

test.each([
  ["seconds", () => "120", 120],
  ["a date", (now: number) => new Date((now + 120) * 1000).toUTCString(), 120],
  ["more than eight hours", () => "999999999", 8 * 3600],
  ["nothing", () => "0", 5],
  ["no time", () => "soon", 5],
])("a receiver is left alone for as long as its Retry-After of %s says", async (_, text, wait) => {
  const service = await startForTest();
  const receiver = await startReceiver(
    (count) => (count === 0 ? 503 : 204),
    () => text(service.clock.now),
  );
  const { hooks } = await deliverEvents(service, receiver);
  const share = () => call(service, "/api/secrets", { json: { content: "a" } });
  const nextAt = () => service.db.query.selectFrom("outbox").select("next_at").execute();
  await share();
  const expected = { next_at: service.clock.now + wait };
  await until(async () => (await nextAt())[0]?.next_at === expected.next_at, service);
  if (wait > 5) {
    // What happens meanwhile waits too.
    await share();
    await until(async () => (await nextAt()).every(({ next_at: at }) => at === expected.next_at), service);
    expect(receiver.count()).toBe(1);
  }
  service.clock.now += wait;
  await until(async () => (await waiting(service)) === 0, service);
  await hooks.stop();
});

test("tells of secrets, requests, accounts and tokens, in signed calls", async () => {
  const [service, receiver] = [await startForTest(), await startReceiver()];
  // PostgreSQL has a clock of its own, and a sweep by one that is far from it does nothing.
  service.clock.now = Math.floor(Date.now() / 1000);
  const { faults } = await deliverEvents(service, receiver);
  const member = await register(service);
  const { token, id: tokenId } = await makeToken(service, { cookie: member.cookie, name: "canary" });
  const headers = { authorization: `Bearer ${token}` };
  const share = async (json: object) =>
    (await call(service, "/api/secrets", { json: { content: "canary", ...json }, headers })).body;
  const [read, revoked, expiring] = [await share({}), await share({}), await share({ expires: 60 })];
  await call(service, `/api/secrets/${read.id}/reveal`, { json: { key: read.key } });
  await call(service, `/api/secrets/${revoked.id}/revoke`, { json: { revokeToken: revoked.revokeToken } });
  const locked = await share({ passphrase: "canary" });
  for (let i = 0; i < 10; i++) {
    await call(service, `/api/secrets/${locked.id}/reveal`, {
      json: { key: locked.key, passphrase: "wrong" },
    });
  }
  const gate = "g".repeat(43);
  const request = (await call(service, "/api/requests", { json: { gate }, headers })).body;
  await call(service, `/api/requests/${request.id}/cancel`, { json: { collectToken: request.collectToken } });
  service.clock.now += 61;
  await service.sweep();
  await call(service, `/api/users/me/tokens/${tokenId}`, {
    method: "DELETE",
    headers: { cookie: member.cookie },
  });
  await call(service, "/api/account/login", { json: { name: member.name, password: "canary wrong" } });
  const json = { password: member.password, secrets: "keep" };
  await call(service, "/api/users/me", { method: "DELETE", json, headers: { cookie: member.cookie } });
  const of = (event: string) =>
    receiver.received.filter(({ type }) => type === event).map(({ data }) => data);
  await until(async () => of("account.deleted").length === 1 && (await waiting(service)) === 0, service);
  const own = { account: member.id };
  expect(of("secret.created")).toHaveLength(4);
  expect(of("secret.revealed")).toEqual([{ id: read.id, kind: "text", ...own }]);
  expect(of("secret.revoked")).toEqual([{ id: revoked.id, kind: "text", ...own }]);
  expect(of("secret.expired")).toEqual([{ id: expiring.id, kind: "text", ...own }]);
  expect(of("secret.locked")).toEqual([{ id: locked.id, kind: "text", ...own }]);
  expect(of("request.created")).toEqual([{ id: request.id, kind: "request", ...own }]);
  expect(of("request.cancelled")).toEqual([{ id: request.id, kind: "request", ...own }]);
  expect(of("account.created")).toEqual([{ id: member.id, kind: "account", ...own }]);
  expect(of("account.login")).toHaveLength(1);
  expect(of("account.login_failed")).toEqual([{ id: null, kind: "account" }]);
  expect(of("token.created")).toEqual([{ id: tokenId, kind: "token", ...own }]);
  expect(of("token.revoked")).toEqual([{ id: tokenId, kind: "token", ...own }]);
  for (const { headers: sent, text } of receiver.received) {
    expect(sent["webhook-signature"]).toBe(signatureOf({ headers: sent, text }));
    expect(text).not.toMatch(/"content|member-\d|correct horse/);
    for (const { key: secretKey, revokeToken } of [read, revoked, locked]) {
      expect(text).not.toContain(String(secretKey));
      expect(text).not.toContain(String(revokeToken));
    }
    expect(text).not.toContain("canary");
  }
  expect(new Set(receiver.received.map(({ headers: sent }) => sent["webhook-id"])).size).toBe(
    receiver.received.length,
  );
  expect(faults).toEqual([]);
});

test("what was not committed is told nobody", async () => {
  const service = await startForTest();
  await recordEvents(service.db, ["webhook"]);
  const row = {
    id: "a".repeat(16),
    name: "nobody",
    password: "",
    recovery_hash: null,
    created_at: 1,
    created_from: null,
  };
  await service.db
    .write(async (trx) => {
      await trx.insertInto("member").values(row).execute();
      throw new Error("taken back");
    })
    .catch(() => undefined);
  expect(await waiting(service)).toBe(0);
});

test("loses none of two thousand events to a receiver that fails a third of the time, and sends none to another", async () => {
  const service = await startForTest();
  const receiver = await startReceiver((count) => (count % 3 === 0 ? 500 : count % 7 === 0 ? 302 : 200));
  const { faults } = await deliverEvents(service, receiver);
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    ...{ id: `e${at}`, event: "secret.created", subject: `s${at}`, kind: "text", account: null },
    ...{ happened_at: service.clock.now, next_at: service.clock.now, tries: 0 },
  }));
  // A statement of PostgreSQL takes 65,535 values.
  for (let at = 0; at < rows.length; at += 500)
    await service.db.query
      .insertInto("outbox")
      .values(rows.slice(at, at + 500))
      .execute();
  await until(async () => {
    const next = await service.db.query
      .selectFrom("outbox")
      .select("next_at")
      .orderBy("next_at")
      .executeTakeFirst();
    service.clock.now = Math.max(service.clock.now, next?.next_at ?? 0);
    return next === undefined;
  }, service);
  expect(new Set(receiver.received.map(({ data }) => data.id)).size).toBe(2_000);
  expect(faults.join()).toContain("webhook_refused");
  expect(faults.join()).not.toContain("canary");
});

test("without a receiver nothing is recorded, and what waits is forgotten", async () => {
  const service = await startForTest();
  await recordEvents(service.db, ["webhook"]);
  await call(service, "/api/secrets", { json: { content: "a" } });
  expect(await waiting(service)).toBe(1);
  await recordEvents(service.db, []);
  await call(service, "/api/secrets", { json: { content: "a" } });
  expect(await waiting(service)).toBe(0);
});
