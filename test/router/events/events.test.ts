import { onTestFinished, expect, test, vi } from "vitest";
import { disableMember } from "../../../db/accounts/administered.ts";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { endSession } from "../../../db/accounts/sessions.ts";
import { deleteToken } from "../../../db/accounts/tokens.ts";
import { listenTo, readEvents } from "../../support/events.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import type { Harness } from "../../support/harness.ts";
import { addMember, call, type AddedMember } from "../../support/members.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();
const UNKNOWN = "0123456789abcdef";
const GATE = "g".repeat(43);
const ANSWER = `r1.${"A".repeat(40)}`;
/** The end, with the last state once more. */
const doneAs = (status: string) => ({ event: "done", data: expect.stringContaining(`"status":"${status}"`) });

async function ask(at: Harness = service): Promise<{ id: string; collectToken: string }> {
  const { body } = await call(at, "/api/requests", { json: { gate: GATE } });
  return body as { id: string; collectToken: string };
}

const streams = async (at: Harness = service) =>
  /hushkit_event_streams (\d+)/.exec(await at.metrics.text())?.[1];

test("tells how a secret stands, that it was opened, and ends", async () => {
  const { id, key, revokeToken } = await shareSecret(service);
  const path = `/api/secrets/${id}/events`;
  const both = [
    await listenTo(service, path, { proof: key }),
    await listenTo(service, path, { proof: revokeToken }),
  ];
  const { body } = await call(service, `/api/secrets/${id}/status`, { json: { key } });
  for (const { response, state } of both) {
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(await state()).toEqual(body);
  }
  await service.request(`/api/secrets/${id}/reveal`, jsonPost({ key }));
  for (const { state, next } of both) {
    expect(await state()).toMatchObject({ id, status: "revealed", closed: expect.any(String) });
    expect([await next(), await next()]).toEqual([doneAs("revealed"), undefined]);
  }
});

test("tells each change of a request, by the gate and by the collect token", async () => {
  const { id, collectToken } = await ask();
  const path = `/api/requests/${id}/events`;
  const both = [
    await listenTo(service, path, { proof: GATE }),
    await listenTo(service, path, { proof: collectToken }),
  ];
  for (const { state } of both) expect(await state()).toMatchObject({ id, status: "open", note: null });
  await service.request(`/api/requests/${id}/answer`, jsonPost({ gate: GATE, content: ANSWER }));
  for (const { state } of both) expect(await state()).toMatchObject({ status: "answered" });
  await service.request(`/api/requests/${id}/collect`, jsonPost({ collectToken }));
  for (const { state, next } of both) {
    expect(await state()).toMatchObject({ status: "collected" });
    expect(await next()).toEqual(doneAs("collected"));
  }
});

test("tells each answer of a request that takes several, and each that is collected", async () => {
  const { body } = await call(service, "/api/requests", { json: { gate: GATE, answers: 2 } });
  const { id, collectToken } = body as { id: string; collectToken: string };
  const { state, next } = await listenTo(service, `/api/requests/${id}/events`, { proof: GATE });
  expect(await state()).toMatchObject({ status: "open", answered: 0 });
  await service.request(`/api/requests/${id}/answer`, jsonPost({ gate: GATE, content: ANSWER }));
  expect(await state()).toMatchObject({ status: "open", answered: 1, collected: 0 });
  await service.request(`/api/requests/${id}/collect`, jsonPost({ collectToken }));
  expect(await state()).toMatchObject({ status: "open", answered: 1, collected: 1 });
  await service.request(`/api/requests/${id}/close`, jsonPost({ collectToken }));
  expect(await state()).toMatchObject({ status: "collected" });
  expect(await next()).toEqual(doneAs("collected"));
});

test("tells one state, and ends, of what is over already", async () => {
  const { id, revokeToken } = await shareSecret(service);
  await service.request(`/api/secrets/${id}/revoke`, jsonPost({ revokeToken }));
  const { state, next } = await listenTo(service, `/api/secrets/${id}/events`, { proof: revokeToken });
  expect(await state()).toMatchObject({ status: "revoked" });
  expect(await next()).toEqual(doneAs("revoked"));
});

test("tells that a secret has expired, and ends when it is deleted", async () => {
  const own = await startForTest({ databaseUrl: ":memory:" });
  const [soon, gone] = [await shareSecret(own, { expires: 60 }), await shareSecret(own, { expires: 3600 })];
  const expiring = await listenTo(own, `/api/secrets/${soon.id}/events`, { proof: soon.key });
  const deleted = await listenTo(own, `/api/secrets/${gone.id}/events`, { proof: gone.key });
  for (const { state } of [expiring, deleted]) expect(await state()).toMatchObject({ status: "active" });
  own.clock.now += 60;
  expect(await expiring.state()).toMatchObject({ status: "expired", closed: soon.expiry });
  expect(await expiring.next()).toEqual(doneAs("expired"));
  await own.db.query.deleteFrom("secret_content").where("secret_id", "=", gone.id).execute();
  await own.db.query.deleteFrom("secret").where("id", "=", gone.id).execute();
  expect(await deleted.next()).toEqual(doneAs("active"));
});

test("hears what another instance has done", async () => {
  const databaseUrl = `${makeTempFolder()}/two.db`;
  const [one, other] = [await startForTest({ databaseUrl }), await startForTest({ databaseUrl })];
  const { id, key, revokeToken } = await shareSecret(one);
  const request = await ask(one);
  const secretEvents = await listenTo(one, `/api/secrets/${id}/events`, { proof: key });
  const requestEvents = await listenTo(one, `/api/requests/${request.id}/events`, { proof: GATE });
  expect([await secretEvents.state(), await requestEvents.state()]).toMatchObject([
    { status: "active" },
    { status: "open" },
  ]);
  await other.request(`/api/requests/${request.id}/answer`, jsonPost({ gate: GATE, content: ANSWER }));
  expect(await requestEvents.state()).toMatchObject({ status: "answered" });
  // This instance has written nothing in between.
  await other.request(`/api/secrets/${id}/revoke`, jsonPost({ revokeToken }));
  await other.request(`/api/requests/${request.id}/cancel`, jsonPost({ collectToken: request.collectToken }));
  expect([await secretEvents.state(), await requestEvents.state()]).toMatchObject([
    { status: "revoked" },
    { status: "cancelled" },
  ]);
});

test("answers an unknown id and a wrong proof like the status", async () => {
  const { id, key } = await shareSecret(service);
  const request = await ask();
  const bytes = async (response: Response) =>
    [response.status, (await response.text()).replace(/"requestId":"[^"]*"/, "")] as const;
  const ofSecrets = await bytes(await service.request(`/api/secrets/${UNKNOWN}/status`, jsonPost({ key })));
  const ofRequests = await bytes(
    await service.request(`/api/requests/${UNKNOWN}/status`, jsonPost({ gate: GATE })),
  );
  expect([ofSecrets[0], ofRequests[0]]).toEqual([404, 404]);
  const ask404 = async (path: string, proof: string) =>
    bytes(await service.request(path, { headers: { "secret-proof": proof } }));
  for (const proof of ["x".repeat(22), "x".repeat(32), "x", key.slice(1)])
    expect(await ask404(`/api/secrets/${id}/events`, proof)).toEqual(ofSecrets);
  expect(await ask404(`/api/secrets/${UNKNOWN}/events`, key)).toEqual(ofSecrets);
  for (const proof of ["x".repeat(43), "x".repeat(32), "x"])
    expect(await ask404(`/api/requests/${request.id}/events`, proof)).toEqual(ofRequests);
  expect(await ask404(`/api/requests/${UNKNOWN}/events`, GATE)).toEqual(ofRequests);
});

test("asks for a proof in a header, takes none from the URL, and knows the member who created it", async () => {
  const member = await addMember(service);
  const headers = { cookie: member.cookie };
  const { id, key } = await shareSecret(service, { headers });
  const missing = { code: "missing_parameter", parameter: "Secret-Proof", in: "header" };
  for (const path of [`/api/secrets/${id}/events`, `/api/requests/${UNKNOWN}/events`])
    expect(await call(service, path)).toMatchObject({ status: 400, body: missing });
  const inUrl = await call(service, `/api/secrets/${id}/events?key=${key}`);
  expect(inUrl).toMatchObject({ status: 400, body: missing });
  const { state, leave } = await listenTo(service, `/api/secrets/${id}/events`, { headers });
  expect(await state()).toMatchObject({ id, status: "active" });
  await leave();
});

test.each<[string, (member: AddedMember) => Promise<unknown>]>([
  ["token is revoked", ({ id, tokenId }) => deleteToken(service.db, id, tokenId)],
  ["session has ended", ({ id, sessionId }) => endSession(service.db, id, sessionId)],
  ["account is disabled", ({ id }) => disableMember(service.db, { id, now: service.clock.now })],
  [
    "account is deleted",
    ({ id }) => deleteMember(service.db, { id, now: service.clock.now, secrets: "keep" }),
  ],
])("tells a member nothing more once their %s", async (what, end) => {
  const member = await addMember(service);
  const headers = what.startsWith("token") ? { authorization: member.bearer } : { cookie: member.cookie };
  const { id, key } = await shareSecret(service, { headers });
  const path = `/api/secrets/${id}/events`;
  const [own, ofKey] = [
    await listenTo(service, path, { headers }),
    await listenTo(service, path, { proof: key }),
  ];
  for (const { state } of [own, ofKey]) expect(await state()).toMatchObject({ status: "active" });
  await end(member);
  await service.request(`/api/secrets/${id}/reveal`, jsonPost({ key }));
  expect(await ofKey.state()).toMatchObject({ status: "revealed" });
  expect([await ofKey.next(), await ofKey.next()]).toEqual([doneAs("revealed"), undefined]);
  expect([await own.next(), await own.next()]).toEqual([doneAs("active"), undefined]);
});

test("three streams of one address are open at once; the next is told what to ask instead", async () => {
  const ip = freshIp();
  const { id, key } = await shareSecret(service);
  const path = `/api/secrets/${id}/events`;
  const open = () => listenTo(service, path, { proof: key, ip });
  const three = [await open(), await open(), await open()];
  for (const { state } of three) await state();
  expect(await streams()).toBe("3");
  const fourth = await call(service, path, { ip, headers: { "secret-proof": key } });
  const instead = `/api/secrets/${id}/status`;
  expect(fourth).toMatchObject({
    status: 429,
    body: { code: "too_many_concurrent", limit: "eventStreams", value: 3, path: instead },
  });
  expect(fourth.body.error).toContain(`POST ${instead}`);
  expect(fourth.headers.get("retry-after")).toBe("5");
  const elsewhere = await listenTo(service, path, { proof: key, ip: freshIp() });
  expect(await elsewhere.state()).toMatchObject({ status: "active" });
  for (const { leave } of [...three, elsewhere]) await leave();
  await expect.poll(() => streams()).toBe("0");
  const again = await open();
  expect(await again.state()).toMatchObject({ status: "active" });
  await again.leave();
});

test("five hundred streams are open on an instance, and no more", async () => {
  const own = await startForTest();
  const { id, key } = await shareSecret(own);
  const path = `/api/secrets/${id}/events`;
  const open = await Promise.all(
    Array.from({ length: 167 }, async (_, i) => {
      const ip = freshIp();
      const count = i === 166 ? 2 : 3;
      return Promise.all(Array.from({ length: count }, () => listenTo(own, path, { proof: key, ip })));
    }),
  );
  expect(await streams(own)).toBe("500");
  expect((await call(own, path, { headers: { "secret-proof": key } })).status).toBe(429);
  for (const { leave } of open.flat()) await leave();
  await expect.poll(() => streams(own)).toBe("0");
});

test("ends all streams when the server begins to end", async () => {
  const own = await startForTest();
  const { id, key } = await shareSecret(own);
  const { state, next } = await listenTo(own, `/api/secrets/${id}/events`, { proof: key });
  expect(await state()).toMatchObject({ status: "active" });
  own.health.startDraining();
  expect([await next(), await next()]).toEqual([doneAs("active"), undefined]);
  expect(await streams(own)).toBe("0");
  expect((await call(own, `/api/secrets/${id}/events`, { headers: { "secret-proof": key } })).status).toBe(
    503,
  );
});

test("ends after an hour, and sends a comment every 25 seconds until then", async () => {
  const own = await startForTest({ databaseUrl: ":memory:" });
  const { id, key } = await shareSecret(own, { expires: 86_400 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const response = await own.request(`/api/secrets/${id}/events`, { headers: { "secret-proof": key } });
  const reader = response.body!.getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe(": \n\n");
  expect(await read()).toContain("event: message");
  const comment = read();
  await vi.advanceTimersByTimeAsync(24_000);
  expect(await Promise.race([comment, "nothing yet"])).toBe("nothing yet");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await comment).toBe(": \n\n");
  own.clock.now += 3_599;
  const end = read();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await Promise.race([end, "nothing yet"])).toBe("nothing yet");
  own.clock.now += 1;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await end).toContain("event: done");
});

test("tRPC's subscription link hears the same, with the proof in a header", async () => {
  const { id, key } = await shareSecret(service);
  const response = await service.request(
    `/trpc/secrets.events?input=${encodeURIComponent(JSON.stringify({ id }))}`,
    { headers: { "secret-proof": key, accept: "text/event-stream" } },
  );
  const { next } = readEvents(response);
  expect(await next()).toMatchObject({ event: "connected" });
  expect(JSON.parse((await next())?.["data"] ?? "")).toMatchObject({ id, status: "active" });
  expect(await streams()).toBe("1");
  await service.request(`/api/secrets/${id}/reveal`, jsonPost({ key }));
  expect(JSON.parse((await next())?.["data"] ?? "")).toMatchObject({ status: "revealed" });
  expect([await next(), await next()]).toMatchObject([{ event: "return" }, undefined]);
  await expect.poll(() => streams()).toBe("0");
});

test("a listener over RPC who leaves gives the place back", async () => {
  const { id, key } = await shareSecret(service);
  const path = `/trpc/secrets.events?input=${encodeURIComponent(JSON.stringify({ id }))}`;
  const { next, leave } = readEvents(await service.request(path, { headers: { "secret-proof": key } }));
  await next();
  expect(await next()).toHaveProperty("data");
  await leave();
  await expect.poll(() => streams()).toBe("0");
});

test("pages of other origins may send the proof", async () => {
  const { headers } = await service.request(`/api/secrets/${UNKNOWN}/events`, { method: "OPTIONS" });
  const allowed = headers.get("access-control-allow-headers")?.split(", ");
  expect(allowed).toEqual(expect.arrayContaining(["Secret-Proof", "Last-Event-ID"]));
});
