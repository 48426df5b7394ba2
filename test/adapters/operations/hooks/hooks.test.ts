// process
import { expect, test } from "vitest";
import { disableMember, enableMember } from "../../../../db/accounts/administered.ts";
import type { Harness } from "../../../support/harness.ts";
import { call, register, type Registered } from "../../../support/members.ts";
import { startForTest } from "../../../support/with-server.ts";
import { callHooks, until, waiting } from "../support/deliver.ts";
import { signatureOf, startReceiver } from "../support/receiver.ts";

/** A service whose members may have hooks at a receiver on this machine, and what delivers to it. */
async function startNotifying(...answers: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...answers);
  const settings = { NOTIFY_HOSTS: new URL(receiver.url).host };
  const service = await startForTest({ settings });
  return { receiver, service, ...(await callHooks(service, settings)) };
}

function hook(service: Harness, { cookie }: Registered, json?: object, id = "") {
  const method = json ? "POST" : id === "" ? "GET" : "DELETE";
  const path = `/api/users/me/hooks${id && `/${id}`}`;
  return call(service, path, { method, headers: { cookie }, ...(json && { json }) });
}

async function share(service: Harness, { cookie }: Registered, json: object = {}) {
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const { body } = await call(service, "/api/secrets", { json: { content: "canary", ...json }, headers });
  return body as { id: string; key: string };
}

function reveal(service: Harness, { id, key }: { id: string; key: string }) {
  return call(service, `/api/secrets/${id}/reveal`, { json: { key } });
}

test("tells a member alone of their own, in signed calls, without what was handed over", async () => {
  const { service, receiver, faults } = await startNotifying();
  const [ann, ben] = [await register(service), await register(service)];
  const made = await hook(service, ann, { url: receiver.url });
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ form: "standard", host: new URL(receiver.url).host, ended: null }),
  ]);
  const { id: hookId, secret } = made.body as { id: string; secret: string };
  expect(receiver.received[0]).toMatchObject({ type: "hook.created", data: { id: hookId, kind: "hook" } });
  const [told, quiet, others] = [
    await share(service, ann),
    await share(service, ann, { notify: false }),
    await share(service, ben),
  ];
  for (const each of [told, quiet, others]) expect((await reveal(service, each)).status).toBe(200);
  await until(async () => receiver.received.length === 2 && (await waiting(service)) === 0, service);
  const [, event] = receiver.received;
  expect(event).toMatchObject({
    type: "secret.revealed",
    data: { id: told.id, kind: "text", account: ann.id },
  });
  expect(event?.headers["webhook-signature"]).toBe(event && signatureOf(event, secret));
  expect(event?.text).not.toMatch(/canary|member-|192\.0/);
  const { body } = await hook(service, ann);
  expect(JSON.stringify(body)).not.toMatch(/canary|whsec/);
  expect(await service.db.query.selectFrom("hook").selectAll().execute()).toEqual([
    expect.objectContaining({ sealed: expect.not.stringContaining("canary") }),
  ]);
  expect(await hook(service, ben, undefined, hookId)).toMatchObject({ status: 404 });
  expect(await hook(service, ann, undefined, hookId)).toMatchObject({ status: 200, body: { deleted: true } });
  await reveal(service, await share(service, ann));
  expect([await waiting(service), faults]).toEqual([0, []]);
});

test("tells again what was not taken, later each time, and leaves the receiver alone as it asks", async () => {
  const wait = 600;
  const { service, receiver } = await startNotifying(
    (count) => (count === 1 ? 503 : 204),
    () => String(wait),
  );
  const ann = await register(service);
  await hook(service, ann, { url: receiver.url, events: ["secret.created", "request.created"] });
  await share(service, ann);
  const nextAt = async () =>
    (await service.db.query.selectFrom("outbox").select("next_at").executeTakeFirst())?.next_at;
  await until(async () => (await nextAt()) === service.clock.now + wait, service);
  service.clock.now += wait;
  await until(async () => (await waiting(service)) === 0, service);
  expect(receiver.received.map(({ type }) => type)).toEqual(["hook.created", "secret.created"]);
});

test("a receiver that hangs keeps no other member waiting, and is told the rest when it answers", async () => {
  const answer = Promise.withResolvers<number>();
  const { service, receiver, faults } = await startNotifying((count) => (count === 2 ? answer.promise : 204));
  const [ann, ben] = [await register(service), await register(service)];
  const events = ["secret.created"];
  for (const each of [ann, ben]) await hook(service, each, { url: receiver.url, events });
  await share(service, ann);
  await until(() => receiver.count() === 3, service);
  await share(service, ann);
  await share(service, ben);
  const told = () => receiver.received.slice(2).map(({ data }) => data["account"]);
  await until(() => told().length === 1, service);
  expect(told()).toEqual([ben.id]);
  answer.resolve(204);
  await until(async () => (await waiting(service)) === 0, service);
  expect([told(), faults]).toEqual([[ben.id, ann.id, ann.id], []]);
});

test("tells each event once after the hook could not be read while more of them came", async () => {
  const { service, receiver, faults, reading } = await startNotifying();
  const ann = await register(service);
  await hook(service, ann, { url: receiver.url, events: ["secret.created"] });
  const [asked, away] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  reading.before = () => {
    asked.resolve();
    return away.promise;
  };
  await share(service, ann);
  await asked.promise;
  await share(service, ann);
  const isTaken = async () =>
    (await service.db.query.selectFrom("outbox").select("next_at").execute()).every(
      ({ next_at: at }) => at > service.clock.now,
    );
  await until(async () => (await waiting(service)) === 2 && (await isTaken()), service);
  reading.before = async () => {};
  away.reject(new Error("away"));
  await until(() => faults.length === 1, service);
  service.clock.now += 60;
  await until(async () => (await waiting(service)) === 0, service);
  expect(receiver.received.map(({ type }) => type)).toEqual([
    "hook.created",
    "secret.created",
    "secret.created",
  ]);
});

test("tells a disabled member nothing, also not later, and goes on when they are enabled", async () => {
  const { service, receiver, faults } = await startNotifying();
  const ann = await register(service);
  await hook(service, ann, { url: receiver.url });
  const [first, second] = [await share(service, ann), await share(service, ann)];
  await disableMember(service.db, { id: ann.id, now: service.clock.now });
  await reveal(service, first);
  await until(async () => (await waiting(service)) === 0, service);
  await enableMember(service.db, { id: ann.id });
  await reveal(service, second);
  await until(async () => receiver.received.length > 1 && (await waiting(service)) === 0, service);
  expect(receiver.received.map(({ data }) => data.id).slice(1)).toEqual([second.id]);
  expect(faults).toEqual([]);
});

test("410 ends a hook: nothing is written down for it any more, and its member sees since when", async () => {
  const { service, receiver, faults } = await startNotifying((count) => (count === 0 ? 204 : 410));
  const ann = await register(service);
  await hook(service, ann, { url: receiver.url, events: ["secret.created"] });
  await share(service, ann);
  const ended = async () =>
    ((await hook(service, ann)).body as { hooks: { ended: string | null }[] }).hooks[0]?.ended;
  await until(async () => (await ended()) !== null, service);
  await share(service, ann);
  expect([await waiting(service), faults]).toEqual([0, ["WebhookError: webhook_gone"]]);
});

test("a hook is changed: where it is, in whose words and of what it tells, and an ended one goes on", async () => {
  const { service, receiver, faults } = await startNotifying((count) => (count === 1 ? 410 : 204));
  const [ann, ben] = [await register(service), await register(service)];
  const events = ["secret.created"];
  const { body } = await hook(service, ann, { url: receiver.url, form: "slack", events });
  const made = body as { id: string; secret: null };
  const change = (json: object, who = ann) => hook(service, who, json, made.id);
  await share(service, ann);
  await until(() => faults.length === 1, service);
  expect(await change({ events: ["secret.locked", "secret.created"] })).toMatchObject({
    status: 200,
    body: { form: "slack", events: ["secret.created", "secret.locked"], ended: expect.any(String) },
  });
  // No test call for that, and nothing is told of an ended one.
  await share(service, ann);
  expect(receiver.count()).toBe(2);
  const moved = await change({ form: "standard" });
  const { secret } = moved.body as { secret: string };
  expect(moved.body).toEqual({ ...made, form: "standard", ended: null, secret, events: expect.any(Array) });
  const other = await change({ url: `${receiver.url}/other` });
  expect(other.body).toEqual({ ...moved.body, secret: null });
  const { id } = await share(service, ann);
  await until(async () => receiver.count() === 5 && (await waiting(service)) === 0, service);
  const [told] = receiver.received.slice(-1);
  expect(told).toMatchObject({ type: "secret.created", data: { id } });
  // The key of the one that it was signs on.
  expect(told?.headers["webhook-signature"]).toBe(told && signatureOf(told, secret));
  const before = (await hook(service, ann)).body;
  expect(await change({ events }, ben)).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect(await change({ url: "https://ntfy.sh/topic" })).toMatchObject({
    status: 400,
    body: { code: "invalid_parameter", parameter: "url" },
  });
  expect(await change({ form: "fax" })).toMatchObject({ status: 400, body: { parameter: "form" } });
  receiver.end();
  expect(await change({ form: "teams" })).toMatchObject({ status: 422, body: { code: "hook_unreachable" } });
  expect((await hook(service, ann)).body).toEqual(before);
});

test("of two who change a hook at once, each is told what it is or that it was not changed", async () => {
  const { service, receiver } = await startNotifying();
  const ann = await register(service);
  const { body } = await hook(service, ann, { url: receiver.url, form: "slack" });
  const { id } = body as { id: string };
  const both = await Promise.all([1, 2].map(() => hook(service, ann, { form: "standard" }, id)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(both.find(({ status }) => status === 200)?.body.secret).toMatch(/^whsec_/);
});

test("adds no hook whose test call fails, at another host, or beside three others", async () => {
  const { service, receiver } = await startNotifying((count) => (count === 0 ? 302 : 204));
  const ann = await register(service);
  const { port } = new URL(receiver.url);
  const add = async (json: object) => {
    const { status, body } = await hook(service, ann, json);
    return [status, body.code ?? null, body.parameter ?? null];
  };
  expect(await add({ url: receiver.url })).toEqual([422, "hook_refused", "url"]);
  for (const url of [
    "https://ntfy.sh/topic",
    `http://localhost:${port}/`,
    `http://127.0.0.2:${port}/`,
    "http://127.0.0.1/",
    `http://ann:word@127.0.0.1:${port}/`,
    "ftp://127.0.0.1/",
    "nonsense",
  ])
    expect([url, await add({ url })]).toEqual([url, [400, "invalid_parameter", "url"]]);
  expect(await add({ url: receiver.url, form: "ntfy" })).toEqual([201, null, null]);
  expect(await add({ url: `http://127.0.0.1:${port}/`, form: "ntfy" })).toEqual([
    400,
    "invalid_parameter",
    "url",
  ]);
  expect(await add({ url: receiver.url, events: [] })).toEqual([400, "invalid_parameter", "events"]);
  expect(await add({ url: receiver.url, events: ["account.login"] })).toEqual([
    400,
    "invalid_parameter",
    "events",
  ]);
  for (const form of ["slack", "teams"]) expect((await add({ url: receiver.url, form }))[0]).toBe(201);
  expect(await add({ url: receiver.url })).toEqual([409, "too_many_hooks", null]);
  receiver.end();
  const [{ id = "" } = {}] = ((await hook(service, ann)).body as { hooks: { id: string }[] }).hooks;
  await hook(service, ann, undefined, id);
  expect(await add({ url: receiver.url })).toEqual([422, "hook_unreachable", "url"]);
  // The receiver is somebody else's: only so many test calls reach it.
  for (let tries = 0; tries < 20 && (await add({ url: receiver.url }))[0] === 422; tries++);
  expect(await add({ url: receiver.url })).toEqual([429, "rate_limited", null]);
});

test("has none, and says so, where the operator has named no hosts", async () => {
  const service = await startForTest();
  const ann = await register(service);
  expect(await hook(service, ann)).toMatchObject({ status: 200, body: { hooks: [], hosts: [] } });
  expect(await hook(service, ann, { url: "https://ntfy.sh/topic" })).toMatchObject({
    status: 403,
    body: { code: "hooks_closed", error: expect.stringContaining("NOTIFY_HOSTS") },
  });
});

test("is not added where its receiver does not answer in time for the member's own call", async () => {
  const { service, receiver } = await startNotifying(() => "hang");
  const ann = await register(service);
  const begunAt = performance.now();
  const refused = await hook(service, ann, { url: receiver.url });
  expect(refused).toMatchObject({ status: 422, body: { code: "hook_unreachable" } });
  // Then a call has waited too long, and is told of a fault of the database.
  expect(performance.now() - begunAt).toBeLessThan(9_000);
  expect((await hook(service, ann)).body).toMatchObject({ hooks: [] });
});
