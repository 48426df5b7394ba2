import { expect, test } from "vitest";
import {
  deriveRequestGate,
  makeAskerKeys,
  openAnswer,
  openNote,
  sealAnswer,
  sealNote,
} from "../../../tools/crypto/request-seal.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN } from "../../support/harness.ts";
import { addMember, call as send, type Call } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();
const UNKNOWN = "0123456789abcdef";
const SOME_ANSWER = `r1.${"A".repeat(400)}`;

const call = (path: string, json: unknown, init: Omit<Call, "json"> = {}) =>
  send(service, path, { json, ...init });

const COUNTS = { answers: 1, answered: 0, collected: 0 };

/** A request as its asker has it. */
async function ask(fields: Record<string, unknown> = {}, init: Omit<Call, "json"> = {}) {
  const keys = await makeAskerKeys();
  const gate = deriveRequestGate(keys.publicKey);
  const { status, body, headers } = await call("/api/requests", { gate, ...fields }, init);
  if (status !== 201) throw new Error(`Asking answered ${status}`);
  const { id, collectToken } = body as { id: string; collectToken: string };
  const on = (what: string, json: unknown) => call(`/api/requests/${id}/${what}`, json);
  return { ...keys, gate, id, collectToken, body, headers, on };
}

const time = (seconds = 0) => new Date((service.clock.now + seconds) * 1000).toISOString();

test("asks, answers and collects, with a note and an answer that the server cannot read", async () => {
  const keys = await makeAskerKeys();
  const { publicKey, privateKey } = keys;
  const gate = deriveRequestGate(publicKey);
  const note = await sealNote("the Wi-Fi password, please", publicKey);
  const made = await call("/api/requests", { gate, note, expires: 3600 });
  expect(made).toMatchObject({ status: 201, body: { status: "open", expiry: time(3600) } });
  const { id, url, collectToken } = made.body as Record<string, string>;
  expect(Object.keys(made.body).toSorted()).toEqual(["collectToken", "expiry", "id", "status", "url"]);
  expect(made.headers.get("location")).toBe(`/api/requests/${id}`);
  expect([id, url, collectToken]).toEqual([
    expect.stringMatching(/^[0-9A-Za-z]{16}$/),
    `${ORIGIN}/r/${id}`,
    expect.stringMatching(/^[0-9A-Za-z]{32}$/),
  ]);

  const seen = await call(`/api/requests/${id}/status`, { gate });
  expect(seen.body).toEqual({ id, status: "open", expiry: time(3600), closed: null, note, ...COUNTS });
  expect(await openNote(String(seen.body.note), publicKey)).toBe("the Wi-Fi password, please");
  expect(await call(`/api/requests/${id}/collect`, { collectToken })).toMatchObject({
    status: 409,
    body: { code: "request_open", requestStatus: "open" },
  });

  const content = await sealAnswer("hunter2", { publicKey, requestId: id ?? "" });
  const answered = { ...COUNTS, id, status: "answered", expiry: time(3600), closed: time(), answered: 1 };
  expect((await call(`/api/requests/${id}/answer`, { gate, content })).body).toEqual(answered);
  expect((await call(`/api/requests/${id}/status`, { collectToken })).body).toEqual({ ...answered, note });
  const stored = await service.db.query.selectFrom("request_answer").select("sealed").execute();
  expect(Buffer.concat(stored.map(({ sealed }) => sealed)).toString()).not.toContain("hunter2");

  const collected = await call(`/api/requests/${id}/collect`, { collectToken });
  expect(collected).toMatchObject({ status: 200, body: { content } });
  expect(Object.keys(collected.body)).toEqual(["content", "left"]);
  expect(await openAnswer(content, { privateKey, requestId: id ?? "" })).toBe("hunter2");
  expect(await call(`/api/requests/${id}/collect`, { collectToken })).toMatchObject({
    status: 410,
    body: { code: "request_closed", requestStatus: "collected", closed: time() },
  });
  expect((await call(`/api/requests/${id}/status`, { gate })).body).toMatchObject({
    status: "collected",
    note: null,
  });
});

test("takes several answers, gives each out once and the oldest first, and says how many are left", async () => {
  const { id, gate, collectToken, publicKey, privateKey, on } = await ask({ answers: 3 });
  const seal = (text: string) => sealAnswer(text, { publicKey, requestId: id });
  const collect = async (ticket?: string) => (await on("collect", { collectToken, ticket })).body;
  const first = await seal("one");
  expect((await on("answer", { gate, content: first })).body).toMatchObject({ status: "open", answered: 1 });
  // The same again, as a caller sends it whose answer was lost, is the same answer.
  const again = await on("answer", { gate, content: first });
  expect([again.status, again.body.status, again.body.answered]).toEqual([200, "open", 1]);
  const ticket = "T".repeat(32);
  expect(await collect(ticket)).toEqual({ content: first, left: 0 });
  await on("answer", { gate, content: await seal("two") });
  // A ticket is for one answer.
  expect(await collect(ticket)).toEqual({ content: first, left: 1 });
  expect((await on("received", { collectToken, ticket })).status).toBe(200);
  expect((await on("received", { collectToken, ticket })).status).toBe(200);
  const late = await on("collect", { collectToken, ticket });
  expect([late.status, late.body.code]).toEqual([410, "request_closed"]);
  const { content } = await collect();
  expect(await openAnswer(String(content), { privateKey, requestId: id })).toBe("two");
  const none = await on("collect", { collectToken });
  expect([none.status, none.body.code]).toEqual([409, "request_open"]);
  await on("answer", { gate, content: await seal("three") });
  const full = await on("answer", { gate, content: await seal("four") });
  expect([full.status, full.body.code]).toEqual([410, "request_closed"]);
  expect((await on("status", { gate })).body).toMatchObject({
    status: "answered",
    answers: 3,
    answered: 3,
    collected: 2,
  });
  expect(await collect()).toMatchObject({ left: 0 });
  // Also once it was collected, and nothing second is stored.
  expect((await on("answer", { gate, content: first })).status).toBe(200);
  expect((await on("status", { collectToken })).body).toMatchObject({ status: "collected", collected: 3 });
});

test.each([0, 101, 1.5])("refuses %d answers", async (answers) => {
  const { status, body } = await call("/api/requests", { gate: "g".repeat(43), answers });
  expect([status, body]).toMatchObject([400, { parameter: "answers", minimum: 1, maximum: 100 }]);
});

test("closing a request ends the answers and leaves those that there are", async () => {
  const { id, gate, collectToken, publicKey, on } = await ask({ answers: 100 });
  const content = await sealAnswer("a", { publicKey, requestId: id });
  await on("answer", { gate, content });
  expect((await on("close", { collectToken: "x".repeat(32) })).status).toBe(404);
  const closed = await on("close", { collectToken });
  expect(closed).toMatchObject({ status: 200, body: { status: "answered", closed: time(), answered: 1 } });
  expect((await on("close", { collectToken })).body).toEqual(closed.body);
  const other = await sealAnswer("b", { publicKey, requestId: id });
  expect((await on("answer", { gate, content: other })).status).toBe(410);
  expect((await on("collect", { collectToken })).body).toEqual({ content, left: 0 });
  const unanswered = await ask({ answers: 2 });
  const ended = await unanswered.on("close", { collectToken: unanswered.collectToken });
  expect(ended.body).toMatchObject({ status: "cancelled" });
  const late = await ask({ expires: 60 });
  service.clock.now += 60;
  const expired = await late.on("close", { collectToken: late.collectToken });
  expect(expired).toMatchObject({ status: 200, body: { status: "expired" } });
});

test("a member closes one of their own without its token, and nobody else's", async () => {
  const [{ bearer }, other] = [await addMember(service), await addMember(service)];
  const { id, gate, collectToken, publicKey, on } = await ask(
    { answers: 3 },
    { headers: { authorization: bearer } },
  );
  const content = await sealAnswer("a", { publicKey, requestId: id });
  await on("answer", { gate, content });
  const end = (authorization: string, { query = "", json }: { query?: string; json?: object } = {}) =>
    send(service, `/api/requests/${id}${query}`, {
      method: "DELETE",
      headers: { authorization, ...(json && { "content-type": "application/json" }) },
      ...(json && { body: JSON.stringify(json) }),
    });
  // What would have kept the answers is not passed over.
  for (const wrong of [{ query: "?answer=keep" }, { query: "?answers=kep" }, { json: { answers: "keep" } }])
    expect(await end(bearer, wrong)).toMatchObject({ status: 400, body: { code: "invalid_parameter" } });
  const close = (authorization: string) => end(authorization, { query: "?answers=keep" });
  expect((await close(other.bearer)).status).toBe(404);
  for (let i = 0; i < 2; i++)
    expect(await close(bearer)).toMatchObject({
      status: 200,
      body: { id, status: "answered", closed: time() },
    });
  expect((await on("answer", { gate, content: SOME_ANSWER })).status).toBe(410);
  expect((await on("collect", { collectToken })).body).toEqual({ content, left: 0 });
});

test("does the same over RPC", async () => {
  const { requests } = service.client();
  const { publicKey } = await makeAskerKeys();
  const gate = deriveRequestGate(publicKey);
  const { id, collectToken } = await requests.create.mutate({ gate });
  const content = await sealAnswer("hunter2", { publicKey, requestId: id });
  await requests.answer.mutate({ id, gate, content });
  expect(await requests.status.mutate({ id, gate })).toMatchObject({ status: "answered", note: null });
  expect(await requests.collect.mutate({ id, collectToken })).toEqual({ content, left: 0 });
  await expect(requests.cancel.mutate({ id, collectToken })).rejects.toMatchObject({
    data: { code: "request_closed", httpStatus: 410 },
  });
});

test("takes the first of many answers that come at once, and gives it out once", async () => {
  const { on, gate, collectToken } = await ask();
  const contents = Array.from({ length: 20 }, (_, i) => `${SOME_ANSWER}${String(i).padStart(4, "0")}`);
  const answers = await Promise.all(contents.map((content) => on("answer", { gate, content })));
  const first = answers.findIndex(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const [i, { status, body }] of answers.entries())
    if (i !== first)
      expect([status, body]).toMatchObject([410, { code: "request_closed", requestStatus: "answered" }]);
  const collects = await Promise.all(contents.map(() => on("collect", { collectToken })));
  expect(collects.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(410)]);
  expect(collects.find(({ status }) => status === 200)?.body).toEqual({ content: contents[first], left: 0 });
});

test("answers the same answer again, from anywhere and whatever became of it, and refuses another", async () => {
  const { id, gate, on, collectToken } = await ask();
  const content = `r1.${"C".repeat(400)}`;
  const send = (more: object = {}) =>
    call(`/api/requests/${id}/answer`, { gate, content, ...more }, { ip: freshIp() });
  const all = await Promise.all(Array.from({ length: 8 }, () => send()));
  for (const { status, body } of all) expect([status, body]).toEqual([200, all[0]?.body]);
  expect(all[0]?.body).toMatchObject({ id, status: "answered" });
  expect((await send({ content: `${content}D` })).status).toBe(410);
  expect((await send({ gate: "h".repeat(43) })).status).toBe(404);
  expect((await on("collect", { collectToken })).body).toEqual({ content, left: 0 });
  expect((await on("collect", { collectToken })).status).toBe(410);
  expect((await send()).body).toEqual(all[0]?.body);
  service.clock.now += 86_400;
  await service.sweep();
  expect((await send()).status).toBe(410);
});

test("answers an unknown id, a wrong gate and a wrong token with the same bytes", async () => {
  const { id, gate, collectToken, on } = await ask();
  const other = await ask();
  const tries: [string, object][] = [
    [`${UNKNOWN}/status`, { gate }],
    [`${UNKNOWN}/status`, { collectToken }],
    [`short/status`, { gate }],
    [`${id}/status`, { gate: other.gate }],
    [`${id}/status`, { gate: collectToken }],
    [`${id}/status`, { collectToken: other.collectToken }],
    [`${id}/status`, { collectToken: gate }],
    [`${id}/answer`, { gate: other.gate, content: SOME_ANSWER }],
    [`${UNKNOWN}/answer`, { gate, content: "not even sealed" }],
    [`${id}/collect`, { collectToken: other.collectToken }],
    [`${UNKNOWN}/collect`, { collectToken }],
    [`${id}/cancel`, { collectToken: other.collectToken }],
    [`${UNKNOWN}/cancel`, { collectToken }],
  ];
  const answers = await Promise.all(tries.map(([path, json]) => call(`/api/requests/${path}`, json)));
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect({ ...body, requestId: "" }).toEqual({ ...answers[0]?.body, requestId: "" });
  }
  expect((await on("status", { gate })).body).toMatchObject({ status: "open" });
});

test("is cancelled by the token, again with the same answer, and answered no more", async () => {
  const [open, answered] = [await ask(), await ask()];
  await answered.on("answer", { gate: answered.gate, content: `r1.${"B".repeat(400)}` });
  for (const { id, on, gate, collectToken } of [open, answered]) {
    for (let i = 0; i < 2; i++) {
      const body = { id, status: "cancelled", closed: time() };
      expect(await on("cancel", { collectToken })).toMatchObject({ status: 200, body });
    }
    const closed = { status: 410, body: { code: "request_closed", requestStatus: "cancelled" } };
    expect(await on("answer", { gate, content: SOME_ANSWER })).toMatchObject(closed);
    expect(await on("collect", { collectToken })).toMatchObject(closed);
  }
});

test("expires to the second, and its answer with it", async () => {
  const { on, gate, collectToken } = await ask({ expires: 60 });
  service.clock.now += 59;
  expect((await on("answer", { gate, content: SOME_ANSWER })).status).toBe(200);
  service.clock.now += 1;
  expect((await on("status", { gate })).body).toMatchObject({ status: "expired", closed: time() });
  for (const what of ["collect", "cancel"]) {
    expect(await on(what, { collectToken })).toMatchObject({
      status: 410,
      body: { requestStatus: "expired" },
    });
  }
});

test.each([
  ["no gate", { gate: undefined }, "missing_parameter", "gate"],
  ["a gate that is too short", { gate: "x".repeat(42) }, "invalid_parameter", "gate"],
  ["a gate that is no base64url", { gate: "/".repeat(43) }, "invalid_parameter", "gate"],
  ["a note in clear", { note: "the Wi-Fi password" }, "invalid_parameter", "note"],
  ["a note over 1,200 characters", { note: `n1.${"A".repeat(1198)}` }, "invalid_parameter", "note"],
  ["59 seconds", { expires: 59 }, "invalid_parameter", "expires"],
  ["a second over 30 days", { expires: 2_592_001 }, "invalid_parameter", "expires"],
  ["an unknown field", { ttl: 60 }, "invalid_parameter", "ttl"],
])("refuses to ask with %s, and repeats nothing of it", async (_, fields, code, parameter) => {
  const gate = deriveRequestGate((await makeAskerKeys()).publicKey);
  const { status, body } = await call("/api/requests", { gate, ...fields });
  expect({ status, body }).toMatchObject({ status: 400, body: { code, parameter } });
  expect(JSON.stringify(body)).not.toContain("Wi-Fi");
});

test("takes a note of 1,200 characters, and 90 days of a member", async () => {
  await ask({ note: `n1.${"A".repeat(1197)}` });
  const { bearer } = await addMember(service);
  await ask({ expires: 7_776_000 }, { headers: { authorization: bearer } });
});

test("keeps gate, token and answer out of URLs", async () => {
  const { id, gate } = await ask();
  for (const query of [`gate=${gate}`, "collectToken=x", "content=r1.oops", "note=n1.oops"]) {
    const path = `/api/requests/${id}/answer?${query}`;
    const { status, body } = await call(path, { gate, content: SOME_ANSWER });
    expect([status, body.in]).toEqual([400, "query"]);
  }
});

test("takes an answer of as many characters as a secret may have, whatever they are, and refuses more", async () => {
  const { publicKey, id, on, gate } = await ask();
  const sealed = (text: string) => sealAnswer(text, { publicKey, requestId: id });
  const over = await on("answer", { gate, content: await sealed("x".repeat(200_253)) });
  expect(over).toMatchObject({
    status: 413,
    body: { code: "content_too_large", value: 50_000, unit: "characters", tokenValue: 500_000 },
  });
  const far = await on("answer", { gate, content: `r1.${"A".repeat(700_000)}` });
  expect(far).toMatchObject({ status: 413, body: { code: "content_too_large", value: 50_000 } });
  expect((await on("answer", { gate, content: await sealed("🔑".repeat(50_000)) })).status).toBe(200);
});

test("takes half a million characters from a member", async () => {
  const { publicKey, id, gate } = await ask();
  const { token } = await addMember(service);
  const content = await sealAnswer("🔑".repeat(500_000), { publicKey, requestId: id });
  const { requests } = service.client({ token });
  expect(await requests.answer.mutate({ id, gate, content })).toMatchObject({ status: "answered" });
});

test.each(["hunter2", "s1.AAAA", "r1.", "r1.AA==", "r1.AA AA"])(
  "refuses %j as an answer, which is not sealed, and repeats nothing of it",
  async (content) => {
    const { on, gate } = await ask();
    const { status, body } = await on("answer", { gate, content });
    expect([status, body]).toMatchObject([400, { code: "invalid_parameter", parameter: "content" }]);
    expect(JSON.stringify(body)).not.toContain("hunter2");
    expect((await on("status", { gate })).body).toMatchObject({ status: "open" });
  },
);

test("counts requests with secrets, ten a minute, and looks and answers with readings", async () => {
  const ip = freshIp();
  for (let i = 0; i < 5; i++) await ask({}, { ip });
  for (let i = 0; i < 5; i++) expect((await call("/", { content: "x" }, { ip })).status).toBe(201);
  const gate = deriveRequestGate((await makeAskerKeys()).publicKey);
  expect(await call("/api/requests", { gate }, { ip })).toMatchObject({
    status: 429,
    body: { limit: "secretCreates" },
  });
  const whats = ["status", "answer", "collect", "cancel"];
  const looks = Array.from({ length: 61 }, (_, i) =>
    call(`/api/requests/${UNKNOWN}/${whats[i % 4]}`, { gate, content: SOME_ANSWER }, { ip }),
  );
  const statuses = (await Promise.all(looks)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test("lists a member's own requests by status, and lets nobody else cancel them", async () => {
  const [ann, bob] = [await addMember(service), await addMember(service)];
  const as = ({ bearer }: typeof ann) => ({ headers: { authorization: bearer } });
  const first = await ask({ note: `n1.${"A".repeat(40)}` }, as(ann));
  service.clock.now += 1;
  const second = await ask({}, as(ann));
  await first.on("answer", { gate: first.gate, content: SOME_ANSWER });
  const list = async (who: typeof ann, query = "") =>
    (await send(service, `/api/users/me/requests${query}`, as(who))).body;
  expect(await list(ann)).toEqual({
    requests: [
      { ...COUNTS, id: second.id, status: "open", expiry: time(86_400), closed: null, created: time() },
      {
        ...{ ...COUNTS, answered: 1, id: first.id, status: "answered", expiry: time(86_399) },
        ...{ closed: time(), created: time(-1) },
      },
    ],
    next: null,
  });
  expect(await list(ann, "?status=answered")).toMatchObject({ requests: [{ id: first.id }] });
  expect(await list(bob)).toEqual({ requests: [], next: null });

  const cancel = (who: typeof ann, id: string) =>
    send(service, `/api/requests/${id}`, { method: "DELETE", ...as(who) });
  for (const id of [first.id, UNKNOWN, "x"])
    expect(await cancel(bob, id)).toMatchObject({ status: 404, body: { code: "not_found" } });
  for (let i = 0; i < 2; i++)
    expect(await cancel(ann, first.id)).toMatchObject({ status: 200, body: { status: "cancelled" } });
  expect(await first.on("collect", { collectToken: first.collectToken })).toMatchObject({ status: 410 });
});

test("shows a member's label in the list and nowhere else", async () => {
  const { bearer } = await addMember(service);
  const as = { headers: { authorization: bearer } };
  const label = `l1.${"x".repeat(120)}`;
  const { id, gate, body, on } = await ask({ label }, as);
  const listed = await send(service, "/api/users/me/requests", as);
  expect(listed.body).toMatchObject({ requests: [{ id, label }] });
  const status = await on("status", { gate });
  expect(JSON.stringify([body, status.body])).not.toContain(label);
  const invalid = { status: 400, body: { code: "invalid_parameter", parameter: "label" } };
  expect(await call("/api/requests", { gate, label })).toMatchObject(invalid);
  expect(await call("/api/requests", { gate, label: "the Wi-Fi" }, as)).toMatchObject(invalid);
});
