// slow
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sweepDeliveries } from "../../../db/deliveries/contents.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { PASSPHRASE_ATTEMPTS } from "../../../router/limits.ts";
import { ticketOf } from "../../../router/procedures/secrets/ticket.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();
const CONTENT = "hush, ünïcode 🤫";
const DAY = 86_400;

const makeTicket = () => randomBase62(32);

async function ask(path: string, json: object, headers: Record<string, string> = {}) {
  const response = await service.request(path, { ...jsonPost(json, headers), ip: freshIp() });
  return { status: response.status, text: await response.text() };
}

/** An error without what differs from one answer to the next. */
function stable({ status, text }: { status: number; text: string }): unknown {
  const { requestId: _, ...body } = JSON.parse(text) as Record<string, unknown>;
  return { status, body };
}

/** Something that is read once: a text, one with a passphrase, or the answer of a request. */
interface Source {
  readonly path: string;
  readonly read: object;
  readonly prove: object;
  readonly status: "revealed" | "collected";
}

async function makeText(passphrase?: string): Promise<Source> {
  const { id, key } = await shareSecret(service, { content: CONTENT, ...(passphrase && { passphrase }) });
  const path = `/api/secrets/${id}`;
  const read = { key, ...(passphrase && { passphrase }) };
  return { path, read, prove: { key }, status: "revealed" };
}

async function makeAnswer(): Promise<Source> {
  const gate = "g".repeat(43);
  const { text } = await ask("/api/requests", { gate });
  const { id, collectToken } = JSON.parse(text) as { id: string; collectToken: string };
  const path = `/api/requests/${id}`;
  await ask(`${path}/answer`, { gate, content: `r1.${"A".repeat(500)}` });
  return { path, read: { collectToken }, prove: { collectToken }, status: "collected" };
}

const KINDS: [string, () => Promise<Source>, string][] = [
  ["a text", () => makeText(), "reveal"],
  ["a text with a passphrase", () => makeText("open sesame"), "reveal"],
  ["an answer", makeAnswer, "collect"],
];

async function countKept(): Promise<number> {
  const { query } = service.db;
  const texts = await query.selectFrom("secret_content").select("size").where("sweep_at", ">", 0).execute();
  const answers = await query.selectFrom("request_answer").select("size").where("sweep_at", ">", 0).execute();
  return texts.length + answers.length;
}

test.each(KINDS)(
  "answers %s again with the same bytes for its ticket, and for nobody else",
  async (_, make, verb) => {
    const { path, read } = await make();
    const ticket = makeTicket();
    const first = await ask(`${path}/${verb}`, { ...read, ticket });
    expect(first.status).toBe(200);
    expect(await ask(`${path}/${verb}`, { ...read, ticket })).toEqual(first);
    const without = await ask(`${path}/${verb}`, read);
    const foreign = await ask(`${path}/${verb}`, { ...read, ticket: makeTicket() });
    expect(without.status).toBe(410);
    expect(stable(foreign)).toEqual(stable(without));
  },
);

// Without the passphrase, whose derivation is slow.
const CHEAP = KINDS.filter(([name]) => !name.includes("passphrase"));

test.each(CHEAP)("takes the ticket of %s in the header, as for a file", async (_, make, verb) => {
  const { path, read, prove, status } = await make();
  const header = { "secret-ticket": makeTicket() };
  const bad = await ask(`${path}/${verb}`, read, { "secret-ticket": "too short" });
  expect(JSON.parse(bad.text)).toMatchObject({ status: 400, parameter: "ticket", in: "header" });
  const twice = await ask(`${path}/${verb}`, { ...read, ticket: makeTicket() }, header);
  expect(JSON.parse(twice.text)).toMatchObject({ status: 400, code: "repeated_parameter" });
  const first = await ask(`${path}/${verb}`, read, header);
  expect(first.status).toBe(200);
  expect(await ask(`${path}/${verb}`, read, header)).toEqual(first);
  const received = await ask(`${path}/received`, prove, header);
  expect(JSON.parse(received.text)).toMatchObject({ status });
  expect((await ask(`${path}/${verb}`, read, header)).status).toBe(410);
});

test.each(KINDS)("deletes %s when it was received, and says the same again", async (_, make, verb) => {
  const { path, read, prove, status } = await make();
  const ticket = makeTicket();
  await ask(`${path}/${verb}`, { ...read, ticket });
  const before = await countKept();
  const wrong = await ask(`${path}/received`, { ...prove, ticket: makeTicket() });
  expect(wrong.status).toBe(410);
  expect(await countKept()).toBe(before);
  for (let i = 0; i < 3; i++) {
    const received = await ask(`${path}/received`, { ...prove, ticket });
    expect([received.status, JSON.parse(received.text)]).toEqual([
      200,
      { id: path.split("/").at(-1), status },
    ]);
    expect(await countKept()).toBe(before - 1);
  }
  expect((await ask(`${path}/${verb}`, { ...read, ticket })).status).toBe(410);
});

test.each(CHEAP)("keeps %s for ten minutes after each reading, and a day at most", async (_, make, verb) => {
  const { path, read } = await make();
  const ticket = makeTicket();
  const again = async () => (await ask(`${path}/${verb}`, { ...read, ticket })).status;
  expect(await again()).toBe(200);
  const claimedAt = service.clock.now;
  service.clock.now += 599;
  expect(await again()).toBe(200);
  while (service.clock.now + 599 < claimedAt + DAY) {
    service.clock.now += 599;
    if ((await again()) !== 200) throw new Error("It is gone too early");
  }
  service.clock.now = claimedAt + DAY - 1;
  expect(await again()).toBe(200);
  service.clock.now++;
  expect(await again()).toBe(410);
  expect(await sweepDeliveries(service.db, { now: service.clock.now })).toBeGreaterThan(0);
});

test.each(KINDS)("takes %s away ten minutes after it was last read", async (_, make, verb) => {
  const { path, read } = await make();
  const ticket = makeTicket();
  await ask(`${path}/${verb}`, { ...read, ticket });
  service.clock.now += 600;
  expect((await ask(`${path}/${verb}`, { ...read, ticket })).status).toBe(410);
});

test.each(KINDS)("uses nothing of %s up with a ticket of the wrong form", async (_, make, verb) => {
  const { path, read, prove } = await make();
  for (const ticket of ["", "x".repeat(31), "x".repeat(33), `${"x".repeat(31)}-`, `${"x".repeat(32)}\n`]) {
    const refused = await ask(`${path}/${verb}`, { ...read, ticket });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      400,
      { code: "invalid_parameter", parameter: "ticket" },
    ]);
    if (ticket) expect(refused.text).not.toContain(ticket);
    expect((await ask(`${path}/received`, { ...prove, ticket })).status).toBe(400);
  }
  expect((await ask(`${path}/${verb}`, read)).status).toBe(200);
});

test.each(KINDS)(
  "changes nothing of %s that nobody has read when it is called received",
  async (_, make, verb) => {
    const { path, read, prove } = await make();
    const early = await ask(`${path}/received`, { ...prove, ticket: makeTicket() });
    expect([early.status, JSON.parse(early.text)]).toMatchObject([400, { parameter: "ticket" }]);
    expect((await ask(`${path}/${verb}`, read)).status).toBe(200);
    expect((await ask(`${path}/received`, { ...prove, ticket: makeTicket() })).status).toBe(410);
  },
);

test.each(KINDS)(
  "gives %s to every call of one ticket that comes at the same time",
  async (_, make, verb) => {
    const { path, read } = await make();
    const ticket = makeTicket();
    const calls = [...Array<string>(4).fill(ticket), makeTicket(), makeTicket()];
    const answers = await Promise.all(calls.map((each) => ask(`${path}/${verb}`, { ...read, ticket: each })));
    const statuses = answers.map(({ status }) => status);
    const won = statuses.indexOf(200);
    expect(statuses).toEqual(calls.map((each) => (each === calls[won] ? 200 : 410)));
  },
);

test("wants the passphrase again, and counts no wrong one", async () => {
  const { path, read, prove } = await makeText("open sesame");
  const ticket = makeTicket();
  await ask(`${path}/reveal`, { ...read, ticket });
  for (let i = 0; i <= PASSPHRASE_ATTEMPTS; i++) {
    const wrong = await ask(`${path}/reveal`, { ...prove, passphrase: "open barley", ticket });
    expect([wrong.status, JSON.parse(wrong.text)]).toMatchObject([403, { code: "wrong_passphrase" }]);
    expect(wrong.text).not.toContain("attemptsLeft");
  }
  const missing = await ask(`${path}/reveal`, { ...prove, ticket });
  expect([missing.status, JSON.parse(missing.text)]).toMatchObject([403, { code: "passphrase_required" }]);
  expect((await ask(`${path}/reveal`, { ...read, ticket })).status).toBe(200);
});

test("goes on with a delivery past the end of the secret's lifetime", async () => {
  const { id, key } = await shareSecret(service, { content: CONTENT, expires: 60 });
  const ticket = makeTicket();
  const read = () => ask(`/api/secrets/${id}/reveal`, { key, ticket });
  expect((await read()).status).toBe(200);
  service.clock.now += 61;
  expect((await read()).status).toBe(200);
});

test("cannot be revoked once it was claimed with a ticket", async () => {
  const { id, key, revokeToken } = await shareSecret(service, { content: CONTENT });
  const ticket = makeTicket();
  await ask(`/api/secrets/${id}/reveal`, { key, ticket });
  const revoked = await ask(`/api/secrets/${id}/revoke`, { revokeToken });
  expect([revoked.status, JSON.parse(revoked.text)]).toMatchObject([410, { secretStatus: "revealed" }]);
  expect((await ask(`/api/secrets/${id}/reveal`, { key, ticket })).status).toBe(200);
});

test("stores a ticket as a hash of its own only", async () => {
  const { id, key } = await shareSecret(service, { content: CONTENT });
  const ticket = makeTicket();
  await ask(`/api/secrets/${id}/reveal`, { key, ticket });
  const text = new TextEncoder().encode(`hushkit ticket v1${id}${ticket}`);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  const row = await service.db.query
    .selectFrom("secret")
    .select("ticket_hash")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(new Uint8Array(row.ticket_hash ?? [])).toEqual(hash);
});

test("hashes the ticket of docs/formats.md as it says", () => {
  const formats = readFileSync(new URL("../../../docs/formats.md", import.meta.url), "utf8");
  const row = /^\| `(\w{16})` +\| `(\w{32})` +\| `(\w{64})` +\|$/m.exec(formats);
  const [, id = "", ticket = "", expected] = row ?? [];
  const { hash } = ticketOf({ id, ticket, claimedAt: 0, now: 0 });
  expect(Buffer.from(hash).toString("hex")).toBe(expected);
});

test("stays exactly as it was for a caller without a ticket", async () => {
  const { path, read } = await makeText();
  const before = await countKept();
  expect((await ask(`${path}/reveal?raw=true`, read)).text).toBe(CONTENT);
  expect(await countKept()).toBe(before);
  expect((await ask(`${path}/reveal`, read)).status).toBe(410);
});
