// slow
import { beforeAll, beforeEach, expect, test } from "vitest";
import { setRole } from "../../../db/accounts/administered.ts";
import { tieIdentity } from "../../../db/accounts/identities.ts";
import { insertPasskey } from "../../../db/accounts/passkeys.ts";
import { procedures, serviceMetaOf } from "../../../adapters/service/endpoints.ts";
import { claimKey, keepFirstAnswer } from "../../../db/idempotency-keys.ts";
import { digestIdempotencyKey } from "../../../tools/crypto/answer-seal.ts";
import { inputOf } from "../../../adapters/trpc/schema/input.ts";
import { statusesOf, type Meta } from "../../../router/meta.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { ORIGIN, type Sent } from "../../support/harness.ts";
import { codeAt } from "../../support/totp.ts";
import { makeToken, register, type Registered } from "../../support/members.ts";
import { RenewedCookies } from "../../support/renewed-cookies.ts";
import { jsonPost, shareSecret } from "../../support/requests.ts";
import { sampled } from "../../support/sampled.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();
const ending = withServer();
const cookies = new RenewedCookies();
let member: { id: string; token: string; cookie: string };
let admin: Registered;
beforeAll(async () => {
  ending.health.startDraining();
  admin = await register(service);
  await setRole(service.db, admin.id, "admin");
  const { id, cookie } = await register(service);
  member = { id, cookie, token: (await makeToken(service, { cookie })).token };
});

// A window of its own for each: the member's budgets are shared.
beforeEach(() => void (service.clock.now += 60));

/** One procedure over REST, as a caller finds it in the document. */
interface Endpoint {
  readonly rpc: string;
  readonly method: string;
  readonly path: string;
  readonly meta: Meta;
  readonly statuses: readonly number[];
}

const documented = Object.entries(procedures)
  .map(([rpc, procedure]): Endpoint => {
    const [meta, { names }] = [serviceMetaOf(procedure), inputOf(procedure)];
    const { method = "POST", path = "/" } = meta.openapi ?? {};
    const statuses = statusesOf(meta, names);
    return { rpc, method, path: path.replace("{id}", "0123456789abcdef"), meta, statuses };
  })
  .flatMap((endpoint) => endpoint.statuses.map((status) => ({ ...endpoint, status })))
  // What a caller can send is never a 500.
  .filter(({ status }) => status !== 500)
  // Sixty million lines that differ fit into a member's two texts only; the tool's own tests go there.
  .filter(({ rpc, status }) => !(rpc === "tools.textCompare" && status === 422));

// Many cases share one member, whose calls are counted by the minute.
beforeEach(() => void (service.clock.now += 61));

// All together take half a minute.
test.each(sampled(documented, 150))("$rpc answers $status as documented", async (endpoint) => {
  const provoke = PROVOKED[endpoint.status];
  if (!provoke) throw new Error(`Nothing provokes ${endpoint.status}`);
  const response = await provoke(endpoint);
  const body = (await response.json()) as Record<string, unknown>;
  expect([response.status, body.status, typeof body.code]).toEqual([
    endpoint.status,
    endpoint.status,
    "string",
  ]);
  expect(response.headers.get("request-id")).toBe(body.requestId);
});

/** How to get each status from any endpoint that documents it. */
const PROVOKED: Record<number, (endpoint: Endpoint) => Promise<Response>> = {
  400: (endpoint) => call(endpoint, { ...proof(endpoint), ...badRequest(endpoint) }),
  401: (endpoint) => call(endpoint, { headers: { authorization: "Bearer wrong" } }),
  403: forbid,
  404: async (endpoint) =>
    endpoint.meta.access === "admin"
      ? administer(endpoint, { id: "0123456789abcdef" })
      : ["endTotp", "deletePasskey", "beginIdentity", "deleteIdentity"].includes(endpoint.rpc.slice(8))
        ? endNothing(endpoint)
        : endpoint.rpc === "tokens.current"
          ? call(endpoint, { headers: { cookie: member.cookie } })
          : call(endpoint, {
              ...proof(endpoint),
              ...fields(endpoint, NOBODYS),
            }),
  409: conflict,
  410: gone,
  413: (endpoint) => call(endpoint, unread(endpoint, { "content-length": "999999999" })),
  415: (endpoint) => call(endpoint, unread(endpoint, unreadable(endpoint))),
  416: rangePastEnd,
  422: unfit,
  429: exhaust,
  503: refuseWork,
};

function call(endpoint: Endpoint, init: Sent & { path?: string } = {}): Promise<Response> {
  const { path = endpoint.path, ...rest } = init;
  return send(path, { method: endpoint.method, ...rest });
}

function send(path: string, init: Sent): Promise<Response> {
  return cookies.send(init, (sent) => service.request(path, sent));
}

function proof({ meta: { access } }: Endpoint): { headers: Record<string, string> } {
  if (access === "admin") return { headers: { cookie: admin.cookie, "sec-fetch-site": "same-origin" } };
  if (access === "member") return { headers: { authorization: `Bearer ${member.token}` } };
  return { headers: access === "session" ? { cookie: member.cookie, "sec-fetch-site": "same-origin" } : {} };
}

function fields(endpoint: Endpoint, values: Record<string, unknown>): Sent {
  const isProved = endpoint.meta.openapi?.requestHeaders !== undefined;
  if (isProved) return { headers: { "secret-proof": NOBODYS.revokeToken } };
  if (endpoint.method === "GET" || endpoint.meta.http?.body === "none") return {};
  const { names: known } = inputOf(procedures[endpoint.rpc]!);
  const names = Object.entries(values)
    .filter(([name]) => !endpoint.rpc.startsWith("secrets.re") || wanted(endpoint.rpc, name))
    .filter(([name]) => !/^(requests|secrets|hooks)\./.test(endpoint.rpc) || known.includes(name));
  return {
    body: JSON.stringify(Object.fromEntries(names)),
    headers: { ...proof(endpoint).headers, "content-type": "application/json" },
  };
}

function wanted(rpc: string, name: string): boolean {
  if (rpc === "secrets.received" && name === "ticket") return true;
  return name === (rpc === "secrets.revoke" ? "revokeToken" : "key");
}

/** What opens nothing, by field. */
const NOBODYS = {
  key: "x".repeat(22),
  revokeToken: "x".repeat(32),
  gate: "x".repeat(43),
  collectToken: "x".repeat(32),
  ticket: "x".repeat(32),
  content: "r1.AAAA",
  events: ["secret.revealed"],
};

function badRequest(endpoint: Endpoint): Sent & { path?: string } {
  const kind = endpoint.meta.http?.body;
  const type = { "content-type": "application/json" };
  if (kind === "upload") return { path: `${endpoint.path}?expires=never`, body: "x" };
  if (kind === "none") return { path: `${endpoint.path}?id=a&id=b&limit=x&limit=y` };
  if (kind === "file" || kind === "stream")
    return { path: `${endpoint.path}?password=a&password=b&algorithms=x&quality=x` };
  return { body: "[]", headers: { ...proof(endpoint).headers, ...type } };
}

function unread(endpoint: Endpoint, headers: Record<string, string>): Sent & { path: string } {
  // What is locked needs a password before its bytes are looked at.
  const path = endpoint.rpc === "tools.fileEncrypt" ? `${endpoint.path}?password=p` : endpoint.path;
  return { path, body: "x", headers: { ...proof(endpoint).headers, ...headers } };
}

function unreadable({ meta: { http } }: Endpoint): Record<string, string> {
  const isText = ["fields", "content", "download"].includes(http?.body ?? "");
  return isText ? { "content-type": "text/plain; charset=latin1" } : { "content-encoding": "br" };
}

async function forbid(endpoint: Endpoint): Promise<Response> {
  if (endpoint.rpc === "secrets.openFile") {
    const { id, key } = await shareFile({ "secret-passphrase": "p" });
    return call(endpoint, { path: `/api/secrets/${id}/file`, ...fields(endpoint, { key }) });
  }
  if (endpoint.rpc === "secrets.reveal") {
    const { id, key } = await share({ content: "x", passphrase: "p" });
    return call(endpoint, { path: `/api/secrets/${id}/reveal`, ...fields(endpoint, { key }) });
  }
  if (endpoint.meta.access === "session" || endpoint.meta.access === "admin")
    return call(endpoint, { headers: { authorization: `Bearer ${member.token}` } });
  const headers = {
    cookie: member.cookie,
    "sec-fetch-site": "cross-site",
    "content-type": "application/json",
  };
  return call(endpoint, { headers, ...(endpoint.meta.http?.body === "fields" ? { body: "{}" } : {}) });
}

/** An administrator does something with a member, and gives what is needed besides. */
function administer(endpoint: Endpoint, { id, ...more }: { id: string; [field: string]: string }) {
  const needed = endpoint.method === "DELETE" ? { secrets: "keep" } : {};
  const path = endpoint.path.replace("0123456789abcdef", id);
  return call(endpoint, { path, ...as(admin.cookie, { ...needed, ...more }) });
}

async function conflict(endpoint: Endpoint): Promise<Response> {
  if (endpoint.rpc === "admin.addMember")
    return call(endpoint, as(admin.cookie, { name: admin.name, password: admin.password }));
  if (endpoint.meta.access === "admin") return administer(endpoint, { id: admin.id });
  if (endpoint.rpc === "account.delete")
    return call(endpoint, as(admin.cookie, { password: admin.password, secrets: "keep" }));
  if (endpoint.rpc === "account.beginTotp") return call(endpoint, as((await withApp()).cookie, {}));
  if (endpoint.rpc === "account.addPasskey") return addTooMany(endpoint);
  if (endpoint.rpc === "account.deleteIdentity") return deleteLastWayIn(endpoint);
  if (endpoint.meta.http?.retry === "key") return sendWhileAnotherRuns(endpoint);
  return callOn(await askFor(), endpoint);
}

/** Another instance has claimed the key. */
async function sendWhileAnotherRuns(endpoint: Endpoint): Promise<Response> {
  const { sent, claim } = keyed(endpoint);
  await claimKey(service.db, claim);
  return call(endpoint, sent);
}

/** The same key with another body. */
async function mismatch(endpoint: Endpoint): Promise<Response> {
  const { sent, claim } = keyed(endpoint);
  const first = { ...claim, bodyHash: new Uint8Array(32), sealed: new Uint8Array(1) };
  await service.db.write((trx) => keepFirstAnswer(trx, first));
  return call(endpoint, sent);
}

/** What each of them takes, whatever may come of it. */
const KEYED: Readonly<Record<string, object>> = {
  "requests.create": { gate: NOBODYS.gate },
  "account.register": { name: "somebody", password: "long enough to be one" },
  "account.login": { name: "somebody", password: "long enough to be one" },
  "account.recover": { name: "somebody", recoveryCode: "x", password: "long enough to be one" },
  "account.passkeyLogin": { response: { id: "AAAA", type: "public-key", response: {} } },
  "account.changePassword": { password: "x", newPassword: "long enough to be one" },
  "account.confirmTotp": { code: "abcdef" },
  "account.endTotp": {},
  "account.deletePasskey": {},
  "tokens.create": { name: "tests" },
  "hooks.create": { url: "https://ntfy.sh/topic" },
  "hooks.change": { events: ["secret.revealed"] },
};

function keyed(endpoint: Endpoint) {
  const [key, ip, json] = [crypto.randomUUID(), freshIp(), KEYED[endpoint.rpc]];
  const hasBody = endpoint.meta.http?.body !== "none";
  const headers = {
    ...{ ...proof(endpoint).headers, "idempotency-key": key },
    ...(hasBody && { "content-type": json ? "application/json" : "text/plain" }),
  };
  const caller = endpoint.meta.access ? `member ${member.id}` : `address ${ip}`;
  const keyHash = digestIdempotencyKey(key, { caller, procedure: endpoint.rpc });
  const { now } = service.clock;
  return {
    sent: { headers, ip, ...(hasBody && { body: json ? JSON.stringify(json) : "x" }) },
    claim: { keyHash, claim: "another", now, sweepAt: now + 30 },
  };
}

interface Asked {
  readonly id: string;
  readonly collectToken: string;
}

/** A request of the member's. */
async function askFor(): Promise<Asked> {
  const headers = { authorization: `Bearer ${member.token}` };
  const response = await service.request("/api/requests", jsonPost({ gate: NOBODYS.gate }, headers));
  return (await response.json()) as Asked;
}

function callOn({ id, ...asked }: Asked, endpoint: Endpoint): Promise<Response> {
  const path = endpoint.path.replace("0123456789abcdef", id);
  return call(endpoint, { ...proof(endpoint), path, ...fields(endpoint, { ...NOBODYS, ...asked }) });
}

/** One that was answered and collected. */
async function goneRequest(endpoint: Endpoint): Promise<Response> {
  const asked = await askFor();
  const { gate, content } = NOBODYS;
  const { collectToken } = asked;
  // Sent again, this one would be answered as it was first.
  await service.request(`/api/requests/${asked.id}/answer`, jsonPost({ gate, content: `${content}AAAA` }));
  await service.request(`/api/requests/${asked.id}/collect`, jsonPost({ collectToken }));
  return callOn(asked, endpoint);
}

async function gone(endpoint: Endpoint): Promise<Response> {
  if (endpoint.rpc.startsWith("requests.")) return goneRequest(endpoint);
  if (endpoint.rpc === "secrets.openFile") return goneFile(endpoint);
  const made = await share({ content: "x" });
  await service.request(`/api/secrets/${made.id}/reveal`, {
    method: "POST",
    body: new URLSearchParams({ key: made.key }),
  });
  return call(endpoint, {
    ...proof(endpoint),
    path: endpoint.path.replace("0123456789abcdef", made.id),
    ...fields(endpoint, { ...made, ticket: NOBODYS.ticket }),
  });
}

/** A body in JSON, of whom a cookie logs in. */
function as(cookie: string, json: object): Sent {
  const headers = { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  return { body: JSON.stringify(json), headers };
}

/** A member whose logins ask for a code. */
async function withApp(): Promise<Registered> {
  const made = await register(service);
  const post = (path: string, json: object) => send(path, { method: "POST", ...as(made.cookie, json) });
  const { secret } = (await (await post("/api/users/me/totp", {})).json()) as { secret: string };
  await post("/api/users/me/totp/confirm", { code: codeAt(secret, service.clock.now) });
  return made;
}

async function endNothing(endpoint: Endpoint): Promise<Response> {
  const { cookie, password } = await register(service);
  return call(endpoint, as(cookie, { password }));
}

async function deleteLastWayIn(endpoint: Endpoint): Promise<Response> {
  const { id: owner, cookie } = await register(service);
  const identity = { issuer: "https://acme.example", subject: owner, name: "ann", now: service.clock.now };
  await tieIdentity(service.db, { ...identity, member: owner });
  await service.db.query.updateTable("member").set({ password: "" }).where("id", "=", owner).execute();
  const listed = await service.request("/api/users/me/identities", { headers: { cookie } });
  const [{ id } = { id: "" }] = (await listed.json()) as { id: string }[];
  return call(endpoint, { ...as(cookie, {}), path: `/api/users/me/identities/${id}` });
}

async function addTooMany(endpoint: Endpoint): Promise<Response> {
  const { id: owner, cookie } = await register(service);
  const passkey = { member: owner, name: "a", publicKey: new Uint8Array(1), counter: 0, transports: [] };
  for (let i = 0; i < 20; i++)
    await insertPasskey(service.db, { ...passkey, id: `a${i}`, createdAt: i, ceiling: 20 });
  const asked = await service.request(`${endpoint.path}/options`, { method: "POST", ...as(cookie, {}) });
  const options = (await asked.json()) as { challenge: string };
  const browser = { origin: ORIGIN, rpId: new URL(ORIGIN).hostname, isVerified: true };
  const response = new Authenticator().create(options, browser);
  return call(endpoint, as(cookie, { name: "a", response }));
}

/** What second factors and passkeys refuse. */
async function unfitFactor(endpoint: Endpoint): Promise<Response | undefined> {
  const { name, password, cookie, recoveryCode } = await withApp();
  const response = { id: "AAAA", type: "public-key", response: {} };
  switch (endpoint.rpc) {
    case "account.login":
      return call(endpoint, { ...jsonPost({ name, password, code: "abcdef" }), ip: freshIp() });
    case "account.recover":
      return call(endpoint, {
        ...{ ...jsonPost({ name, password, recoveryCode, code: "abcdef" }), ip: freshIp() },
      });
    case "account.confirmTotp": {
      const { cookie: own } = await register(service);
      await send("/api/users/me/totp", { method: "POST", ...as(own, {}) });
      return call(endpoint, as(own, { code: "abcdef" }));
    }
    case "account.endTotp":
      return call(endpoint, as(cookie, { code: "abcdef" }));
    case "account.beginTotp":
    case "account.beginPasskey":
    case "account.deletePasskey":
    case "account.beginIdentity":
    case "account.deleteIdentity":
      service.clock.now += 601;
      return call(endpoint, as(cookie, { password: "not the right one" }));
    case "account.addPasskey":
      return call(endpoint, as(cookie, { name: "a", response }));
    case "account.passkeyLogin":
      return call(endpoint, { ...jsonPost({ response }), ip: freshIp() });
    default:
      return undefined;
  }
}

/** With a wrong password, when a login is no longer enough. */
async function administerWrongly(endpoint: Endpoint): Promise<Response> {
  const { id } = await register(service);
  service.clock.now += 601;
  const password = "not the right one";
  return endpoint.rpc === "admin.addMember"
    ? call(endpoint, as(admin.cookie, { name: "new-member", password }))
    : administer(endpoint, { id, password });
}

async function unfit(endpoint: Endpoint): Promise<Response> {
  const factor = endpoint.rpc.startsWith("account.") ? await unfitFactor(endpoint) : undefined;
  if (factor) return factor;
  if (endpoint.meta.access === "admin") return administerWrongly(endpoint);
  if (endpoint.rpc === "secrets.reveal" || endpoint.rpc === "secrets.openFile") return wrongKind(endpoint);
  if (endpoint.meta.http?.retry === "key") return mismatch(endpoint);
  const bodies: Record<string, Sent & { path?: string }> = {
    "tools.pdfMerge": { body: JSON.stringify({ files: [{ data: "eA==" }] }) },
    "tools.imageConvert": { path: `${endpoint.path}?format=png` },
    "tools.fileEncrypt": { path: `${endpoint.path}?password=p&direction=unlock` },
    "tools.pdfLock": { path: `${endpoint.path}?password=p` },
  };
  const json = { password: "not the right one", secrets: "keep" };
  if (endpoint.meta.access === "session")
    return call(endpoint, { ...proof(endpoint), ...fields(endpoint, json) });
  return call(endpoint, { body: "no such file at all", ...bodies[endpoint.rpc] });
}

/** A text where a file is read, or the other way round. */
async function wrongKind(endpoint: Endpoint): Promise<Response> {
  const made = endpoint.rpc === "secrets.openFile" ? await share({ content: "x" }) : await shareFile();
  const path = endpoint.path.replace("0123456789abcdef", made.id);
  return call(endpoint, { path, ...fields(endpoint, { key: made.key }) });
}

/** A file that somebody has read. */
async function goneFile(endpoint: Endpoint): Promise<Response> {
  const { id, key } = await shareFile();
  const again = () => call(endpoint, { path: `/api/secrets/${id}/file`, ...fields(endpoint, { key }) });
  await (await again()).arrayBuffer();
  return again();
}

async function shareFile(headers: Record<string, string> = {}): Promise<{ id: string; key: string }> {
  const response = await service.request("/api/secrets/file", { method: "POST", body: "x", headers });
  return (await response.json()) as { id: string; key: string };
}

/** The rest of a file of one byte, from behind that. */
async function rangePastEnd(): Promise<Response> {
  const { id, key } = await shareFile();
  const headers = { "secret-ticket": NOBODYS.ticket, range: "bytes=1-" };
  return service.request(`/api/secrets/${id}/file`, jsonPost({ key }, headers));
}

async function exhaust(endpoint: Endpoint): Promise<Response> {
  const ip = freshIp();
  for (let i = 0; i < 100; i++) {
    const response = await call(endpoint, { ...proof(endpoint), ...fields(endpoint, SOME_FIELDS), ip });
    if (response.status === 429) return response;
    await response.arrayBuffer();
    if (!endpoint.meta.rate) break;
  }
  // All others count only wrong credentials.
  for (let i = 0; i < 31; i++) {
    const response = await call(endpoint, { headers: { authorization: "Bearer wrong" }, ip });
    if (response.status === 429) return response;
  }
  return call(endpoint, { ip });
}

const SOME_FIELDS = {
  name: "nobody",
  password: "not the right one",
  recoveryCode: "x",
  key: "x",
  revokeToken: "x",
  gate: "x".repeat(43),
  collectToken: "x",
  content: "x",
};

function refuseWork(endpoint: Endpoint): Promise<Response> {
  return ending.request(endpoint.path, {
    method: endpoint.method,
    ...(endpoint.method === "GET" ? {} : { body: "x" }),
  });
}

function share(values: Record<string, unknown>) {
  return shareSecret(service, { headers: { authorization: `Bearer ${member.token}` }, ...values });
}
