import { setRole } from "../../../db/accounts/administered.ts";
import { tieIdentity } from "../../../db/accounts/identities.ts";
import { insertPasskey } from "../../../db/accounts/passkeys.ts";
import { procedures, serviceMetaOf } from "../../../adapters/service/endpoints.ts";
import { HASH_ALGORITHMS } from "../../../tools/file-hash.ts";
import { HOOK_URL } from "../../support/hook-receiver.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN, type Harness, type Sent } from "../../support/harness.ts";
import { addMember, register, type AddedMember, type Registered } from "../../support/members.ts";
import { RenewedCookies } from "../../support/renewed-cookies.ts";
import { shareSecret } from "../../support/requests.ts";
import { codeAt } from "../../support/totp.ts";
import { largePdf, largePng, MEBIBYTE, pieces } from "./large-files.ts";

/** A service, and who calls it. */
export interface World {
  readonly service: Harness;
  readonly member: AddedMember;
  readonly admin: Registered;
}

export async function makeWorld(service: Harness): Promise<World> {
  const admin = await register(service);
  await setRole(service.db, admin.id, "admin");
  return { service, member: await addMember(service), admin };
}

/** Makes a call ready, which is what is measured. */
type Prepare = (world: World) => Promise<() => Promise<Response>>;

/** What the instance of the test takes of a member. */
export const FILE = 8 * MEBIBYTE;
const TEXT = "x".repeat(500_000);
const PASSPHRASE = "p".repeat(1024);
const PASSWORD = "long enough to be one".padEnd(256, "x");
const GATE = "x".repeat(43);
const LABEL = `l1.${"x".repeat(397)}`;
const BROWSER = { origin: ORIGIN, rpId: new URL(ORIGIN).hostname, isVerified: true };

function pathOf(rpc: string, id = ""): string {
  const procedure = procedures[rpc];
  return ((procedure && serviceMetaOf(procedure).openapi?.path) ?? "").replace("{id}", id);
}

function methodOf(rpc: string): string {
  const procedure = procedures[rpc];
  return (procedure && serviceMetaOf(procedure).openapi?.method) ?? "POST";
}

interface Rest {
  readonly id?: string;
  readonly query?: string;
  readonly json?: unknown;
  readonly file?: Uint8Array;
  readonly headers?: Record<string, string>;
}

const cookies = new RenewedCookies();

/** A call over REST. Long bodies come in the pieces of a socket. */
function rest({ service }: World, rpc: string, { id, query = "", json, file, headers }: Rest = {}) {
  const body = file ?? (json === undefined ? undefined : new TextEncoder().encode(JSON.stringify(json)));
  const type = json === undefined ? {} : { "content-type": "application/json" };
  const length = body ? { "content-length": String(body.length) } : {};
  const sent: Sent = { method: methodOf(rpc), headers: { ...type, ...length, ...headers }, ip: freshIp() };
  return () =>
    cookies.send(sent, (last) =>
      service.request(pathOf(rpc, id) + query, { ...last, ...(body && { body: pieces(body) }) }),
    );
}

function fields(rpc: string, json: (world: World) => object = () => ({})): Prepare {
  return async (world) => rest(world, rpc, { json: json(world) });
}

function asMember({ member }: World) {
  return { authorization: member.bearer };
}

async function withIdentity(world: World) {
  const member = await registered(world);
  const { db, clock } = world.service;
  const identity = { issuer: "https://acme.example", subject: member.id, name: "ann" };
  await tieIdentity(db, { ...identity, member: member.id, now: clock.now });
  const list = rest(world, "account.identities", { headers: withCookie(member.cookie) });
  const [{ id } = { id: "" }] = (await (await list()).json()) as { id: string }[];
  return { ...member, id };
}

function withCookie(cookie: string) {
  return { cookie, "sec-fetch-site": "same-origin" };
}

function tool(rpc: string, { file, query = "" }: { file: () => Uint8Array; query?: string }): Prepare {
  return async (world) => rest(world, rpc, { file: file(), query, headers: asMember(world) });
}

async function answer<Body>(call: () => Promise<Response>): Promise<Body> {
  // What each endpoint answers is known where it is asked for.
  return (await (await call()).json()) as Body;
}

/** A file that a tool made of a large one. */
async function made(world: World, rpc: string, query: string): Promise<Uint8Array> {
  const response = await rest(world, rpc, {
    file: largePdf(FILE - MEBIBYTE / 16),
    query,
    headers: asMember(world),
  })();
  return new Uint8Array(await response.arrayBuffer());
}

/** Two texts of long lines, of which one differs. */
function longTexts() {
  const line = "x".repeat(32_767);
  const lines = Array.from({ length: FILE / 32_768 }, (_, i) => (i === 100 ? "y" : line));
  return { a: lines.map((each) => `${each}\n`).join(""), b: `${line}\n`.repeat(lines.length) };
}

/** All that a list of a hundred can hold. */
async function fill(world: World, add: (world: World) => () => Promise<Response>): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (i % 50 === 0) world.service.clock.now += 61;
    await (await add(world)()).arrayBuffer();
  }
}

const newRequest = (world: World) =>
  rest(world, "requests.create", {
    json: { gate: GATE, note: `n1.${"x".repeat(1197)}`, label: LABEL },
    headers: asMember(world),
  });

async function asked(world: World) {
  return answer<{ id: string; collectToken: string }>(newRequest(world));
}

async function answered(world: World) {
  const request = await asked(world);
  const json = { gate: GATE, content: `r1.${TEXT}` };
  await rest(world, "requests.answer", { id: request.id, json, headers: asMember(world) })();
  return request;
}

const shared = (world: World, more: object = {}) =>
  shareSecret(world.service, { headers: asMember(world), content: TEXT, ...more });

async function sharedFile(world: World) {
  const file = largePng(FILE);
  return answer<{ id: string; key: string }>(
    rest(world, "secrets.createFile", { file, headers: asMember(world) }),
  );
}

async function registered({ service }: World): Promise<Registered> {
  service.clock.now += 3_600;
  return register(service, PASSWORD);
}

/** A call of a new member, who has logged in right now. */
function own(rpc: string, json?: (member: Registered, world: World) => Promise<object> | object): Prepare {
  return async (world) => {
    const member = await registered(world);
    const headers = withCookie(member.cookie);
    return rest(world, rpc, { headers, ...(json && { json: await json(member, world) }) });
  };
}

function administer(rpc: string, json: object = {}): Prepare {
  return async (world) => {
    const { id } = await registered(world);
    const headers = withCookie(world.admin.cookie);
    return rest(world, rpc, { id, headers, json: { ...json, password: world.admin.password } });
  };
}

async function beginTotp(world: World, { cookie }: Registered): Promise<string> {
  const begun = rest(world, "account.beginTotp", { json: {}, headers: withCookie(cookie) });
  return (await answer<{ secret: string }>(begun)).secret;
}

async function challenge(world: World, rpc: string, headers: Record<string, string> = {}) {
  return answer<{ challenge: string }>(rest(world, rpc, { headers, json: {} }));
}

async function newPasskey(world: World, { cookie }: Registered) {
  const authenticator = new Authenticator();
  const options = await challenge(world, "account.beginPasskey", withCookie(cookie));
  const json = { name: "n".repeat(64), response: authenticator.create(options, BROWSER) };
  return { authenticator, add: rest(world, "account.addPasskey", { json, headers: withCookie(cookie) }) };
}

async function withPasskeys(world: World): Promise<Registered> {
  const owner = await registered(world);
  const passkey = { member: owner.id, name: "n".repeat(64), publicKey: new Uint8Array(77), counter: 0 };
  for (let i = 0; i < 20; i++)
    await insertPasskey(world.service.db, {
      ...{ ...passkey, id: `a${i}-${owner.id}`, createdAt: i, ceiling: 20 },
      transports: ["internal"],
    });
  return owner;
}

const PASSWORDS = { count: 1_000, length: 1_024, requireAll: true, symbols: true };
const QUERY_OF_ALL = `?algorithms=${HASH_ALGORITHMS.join(",")}`;

/** The largest legal input of every procedure, by its name; or what makes it take longest. */
export const LARGEST: Readonly<Record<string, Prepare>> = {
  "tools.pdfLock": tool("tools.pdfLock", { file: () => largePdf(FILE), query: "?password=p" }),
  "tools.pdfRotate": tool("tools.pdfRotate", { file: () => largePdf(FILE), query: "?angle=90" }),
  "tools.pdfSplit": tool("tools.pdfSplit", { file: () => largePdf(FILE) }),
  "tools.pdfUnlock": async (world) => {
    const file = await made(world, "tools.pdfLock", "?password=p");
    return rest(world, "tools.pdfUnlock", { file, query: "?password=p", headers: asMember(world) });
  },
  "tools.pdfMerge": async (world) => {
    const form = new FormData();
    for (const name of ["a.pdf", "b.pdf"]) form.append("file", new File([largePdf(FILE)], name));
    const whole = new Response(form);
    const type = whole.headers.get("content-type") ?? "";
    const file = new Uint8Array(await whole.arrayBuffer());
    return rest(world, "tools.pdfMerge", { file, headers: { ...asMember(world), "content-type": type } });
  },
  "tools.pdfClean": tool("tools.pdfClean", { file: () => largePdf(FILE) }),
  "tools.pdfCompress": tool("tools.pdfCompress", { file: () => largePdf(FILE) }),
  "tools.imageConvert": tool("tools.imageConvert", { file: () => largePng(FILE), query: "?format=png" }),
  "tools.fileHash": tool("tools.fileHash", { file: () => largePng(FILE), query: QUERY_OF_ALL }),
  "tools.fileEncrypt": tool("tools.fileEncrypt", { file: () => largePng(FILE), query: "?password=p" }),
  "tools.password": fields("tools.password", () => PASSWORDS),
  "tools.textCompare": async (world) =>
    rest(world, "tools.textCompare", { json: longTexts(), headers: asMember(world) }),
  "tools.catalogue": async (world) => rest(world, "tools.catalogue", { headers: asMember(world) }),
  instance: async (world) => rest(world, "instance"),
  "secrets.create": async (world) => {
    const json = { content: TEXT, passphrase: PASSPHRASE, label: LABEL };
    return rest(world, "secrets.create", { json, headers: asMember(world) });
  },
  "secrets.reveal": async (world) => {
    const { id, key } = await shared(world, { passphrase: PASSPHRASE });
    return rest(world, "secrets.reveal", {
      id,
      json: { key, passphrase: PASSPHRASE, ticket: "t".repeat(32) },
    });
  },
  "secrets.received": async (world) => {
    const { id, key } = await shared(world);
    const json = { key, ticket: "t".repeat(32) };
    await rest(world, "secrets.reveal", { id, json })();
    return rest(world, "secrets.received", { id, json });
  },
  "secrets.status": async (world) => {
    const { id, revokeToken } = await shared(world);
    return rest(world, "secrets.status", { id, json: { revokeToken } });
  },
  "secrets.events": async (world) => {
    const { id, revokeToken } = await shared(world);
    // One that goes on would not be answered.
    await rest(world, "secrets.revoke", { id, json: { revokeToken } })();
    return rest(world, "secrets.events", { id, headers: { "secret-proof": revokeToken } });
  },
  "secrets.revoke": async (world) => {
    const { id, revokeToken } = await shared(world);
    return rest(world, "secrets.revoke", { id, json: { revokeToken } });
  },
  "secrets.createFile": async (world) =>
    rest(world, "secrets.createFile", { file: largePng(FILE), headers: asMember(world) }),
  "secrets.openFile": async (world) => {
    const { id, key } = await sharedFile(world);
    return rest(world, "secrets.openFile", { id, json: { key } });
  },
  "secrets.list": async (world) => {
    await fill(world, (at) =>
      rest(at, "secrets.create", { json: { content: "x", label: LABEL }, headers: asMember(at) }),
    );
    return rest(world, "secrets.list", { query: "?limit=100", headers: asMember(world) });
  },
  "secrets.revokeOwn": async (world) => {
    const { id } = await shared(world);
    return rest(world, "secrets.revokeOwn", { id, headers: asMember(world) });
  },
  "requests.create": async (world) => newRequest(world),
  "requests.status": async (world) => {
    const { id, collectToken } = await asked(world);
    return rest(world, "requests.status", { id, json: { collectToken } });
  },
  "requests.events": async (world) => {
    const { id, collectToken } = await asked(world);
    await rest(world, "requests.cancel", { id, json: { collectToken } })();
    return rest(world, "requests.events", { id, headers: { "secret-proof": collectToken } });
  },
  "requests.answer": async (world) => {
    const { id } = await asked(world);
    const json = { gate: GATE, content: `r1.${TEXT}` };
    return rest(world, "requests.answer", { id, json, headers: asMember(world) });
  },
  "requests.collect": async (world) => {
    const { id, collectToken } = await answered(world);
    return rest(world, "requests.collect", { id, json: { collectToken, ticket: "t".repeat(32) } });
  },
  "requests.received": async (world) => {
    const { id, collectToken } = await answered(world);
    const json = { collectToken, ticket: "t".repeat(32) };
    await rest(world, "requests.collect", { id, json })();
    return rest(world, "requests.received", { id, json });
  },
  "requests.close": async (world) => {
    const { id, collectToken } = await asked(world);
    return rest(world, "requests.close", { id, json: { collectToken } });
  },
  "requests.cancel": async (world) => {
    const { id, collectToken } = await asked(world);
    return rest(world, "requests.cancel", { id, json: { collectToken } });
  },
  "requests.list": async (world) => {
    await fill(world, newRequest);
    return rest(world, "requests.list", { query: "?limit=100", headers: asMember(world) });
  },
  "requests.cancelOwn": async (world) => {
    const { id } = await asked(world);
    return rest(world, "requests.cancelOwn", { id, headers: asMember(world) });
  },
  "account.register": fields("account.register", () => ({
    name: `n${crypto.randomUUID().slice(0, 30).toLowerCase()}`,
    password: PASSWORD,
  })),
  "account.login": async (world) => {
    const { name, password } = await registered(world);
    return rest(world, "account.login", { json: { name, password } });
  },
  "account.recover": async (world) => {
    const { name, recoveryCode } = await registered(world);
    return rest(world, "account.recover", { json: { name, recoveryCode, password: PASSWORD } });
  },
  "account.logout": own("account.logout"),
  "account.me": own("account.me"),
  "account.delete": own("account.delete", ({ password }) => ({ password, secrets: "revoke" })),
  "account.changePassword": own("account.changePassword", ({ password }) => ({
    ...{ password, newPassword: `${PASSWORD.slice(1)}y`, revokeTokens: true },
  })),
  "account.sessions": async (world) => {
    const member = await registered(world);
    const { name, password } = member;
    for (let i = 0; i < 20; i++) {
      world.service.clock.now += 61;
      await rest(world, "account.login", { json: { name, password } })();
    }
    return rest(world, "account.sessions", { headers: withCookie(member.cookie) });
  },
  "account.endSession": async (world) => {
    const { cookie } = await registered(world);
    const listed = rest(world, "account.sessions", { headers: withCookie(cookie) });
    const { sessions } = await answer<{ sessions: { id: string }[] }>(listed);
    return rest(world, "account.endSession", { id: sessions[0]?.id ?? "", headers: withCookie(cookie) });
  },
  "account.endOtherSessions": own("account.endOtherSessions"),
  "account.beginTotp": own("account.beginTotp", ({ password }) => ({ password })),
  "account.confirmTotp": own("account.confirmTotp", async (member, world) => ({
    code: codeAt(await beginTotp(world, member), world.service.clock.now),
  })),
  "account.endTotp": own("account.endTotp", async (member, world) => {
    const code = codeAt(await beginTotp(world, member), world.service.clock.now);
    await rest(world, "account.confirmTotp", { json: { code }, headers: withCookie(member.cookie) })();
    return { password: member.password };
  }),
  "account.passkeys": async (world) => {
    const { cookie } = await withPasskeys(world);
    return rest(world, "account.passkeys", { headers: withCookie(cookie) });
  },
  "account.beginPasskey": async (world) => {
    const { cookie, password } = await withPasskeys(world);
    return rest(world, "account.beginPasskey", { json: { password }, headers: withCookie(cookie) });
  },
  "account.addPasskey": async (world) => (await newPasskey(world, await registered(world))).add,
  "account.deletePasskey": async (world) => {
    const member = await registered(world);
    const { authenticator, add } = await newPasskey(world, member);
    await add();
    const { cookie, password } = member;
    const headers = withCookie(cookie);
    return rest(world, "account.deletePasskey", { id: authenticator.id, json: { password }, headers });
  },
  "account.identities": async (world) => {
    const { cookie } = await withIdentity(world);
    return rest(world, "account.identities", { headers: withCookie(cookie) });
  },
  "account.beginIdentity": async (world) => {
    const { cookie, password } = await registered(world);
    const begin = rest(world, "account.beginIdentity", { json: { password }, headers: withCookie(cookie) });
    // There is no provider here. What one answers has bounds of its own.
    return async () => {
      const answer = await begin();
      return answer.status === 404 ? new Response() : answer;
    };
  },
  "account.deleteIdentity": async (world) => {
    const { id, cookie, password } = await withIdentity(world);
    return rest(world, "account.deleteIdentity", { id, json: { password }, headers: withCookie(cookie) });
  },
  "account.beginPasskeyLogin": fields("account.beginPasskeyLogin"),
  "account.passkeyLogin": async (world) => {
    const { authenticator, add } = await newPasskey(world, await registered(world));
    await add();
    authenticator.counter = 1;
    const options = await challenge(world, "account.beginPasskeyLogin");
    return rest(world, "account.passkeyLogin", { json: { response: authenticator.get(options, BROWSER) } });
  },
  "tokens.list": async (world) => {
    const { cookie } = await registered(world);
    const headers = withCookie(cookie);
    for (let i = 0; i < 20; i++)
      await rest(world, "tokens.create", { json: { name: "n".repeat(64) }, headers })();
    return rest(world, "tokens.list", { headers });
  },
  "tokens.current": async (world) => rest(world, "tokens.current", { headers: asMember(world) }),
  "tokens.create": own("tokens.create", () => ({ name: "n".repeat(64), expires: null })),
  "tokens.revoke": async (world) => {
    const headers = withCookie(world.member.cookie);
    const { id } = await answer<{ id: string }>(
      rest(world, "tokens.create", { json: { name: "n" }, headers }),
    );
    return rest(world, "tokens.revoke", { id, headers });
  },
  "hooks.list": async (world) => {
    const headers = withCookie((await registered(world)).cookie);
    for (let i = 0; i < 3; i++) await rest(world, "hooks.create", { json: { url: HOOK_URL }, headers })();
    return rest(world, "hooks.list", { headers });
  },
  "hooks.create": async (world) =>
    rest(world, "hooks.create", {
      json: { url: `${HOOK_URL}?${"a".repeat(1900)}` },
      headers: withCookie((await registered(world)).cookie),
    }),
  "hooks.change": async (world) => {
    const headers = withCookie((await registered(world)).cookie);
    const { id } = await answer<{ id: string }>(
      rest(world, "hooks.create", { json: { url: HOOK_URL }, headers }),
    );
    return rest(world, "hooks.change", { id, json: { url: `${HOOK_URL}?${"a".repeat(1900)}` }, headers });
  },
  "hooks.remove": async (world) => {
    const headers = withCookie((await registered(world)).cookie);
    const { id } = await answer<{ id: string }>(
      rest(world, "hooks.create", { json: { url: HOOK_URL }, headers }),
    );
    return rest(world, "hooks.remove", { id, headers });
  },
  "admin.members": async (world) => {
    for (let i = 0; i < 100; i++) await addMember(world.service);
    return rest(world, "admin.members", { query: "?limit=100", headers: withCookie(world.admin.cookie) });
  },
  "admin.addMember": async (world) => {
    const { admin } = world;
    const json = { name: `n${crypto.randomUUID().slice(0, 30)}`, password: admin.password };
    return rest(world, "admin.addMember", { json, headers: withCookie(admin.cookie) });
  },
  "admin.resetMember": administer("admin.resetMember"),
  "admin.disableMember": administer("admin.disableMember"),
  "admin.enableMember": administer("admin.enableMember"),
  "admin.deleteMember": administer("admin.deleteMember", { secrets: "revoke" }),
  "admin.counters": async (world) =>
    rest(world, "admin.counters", { headers: withCookie(world.admin.cookie) }),
};

function batch(rpc: string, { input, isQuery = false }: { input: object; isQuery?: boolean }): Prepare {
  return async (world) => {
    const paths = Array.from({ length: 10 }, () => rpc).join(",");
    const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [i, input]));
    const text = JSON.stringify(inputs);
    const headers = { "content-type": "application/json", ...asMember(world) };
    const url = `/trpc/${paths}?batch=1${isQuery ? `&input=${encodeURIComponent(text)}` : ""}`;
    const body = () => pieces(new TextEncoder().encode(text));
    return async () =>
      world.service.request(url, isQuery ? { headers } : { method: "POST", headers, body: body() });
  };
}

/** A call in JSON over RPC, whose files are base64 both ways. */
function typed(rpc: string, input: () => object): Prepare {
  return async (world) => {
    const bytes = new TextEncoder().encode(JSON.stringify(input()));
    const headers = { "content-type": "application/json", ...asMember(world) };
    return async () =>
      world.service.request(`/trpc/${rpc}`, { method: "POST", headers, body: pieces(bytes) });
  };
}

const inBase64 = (file: Uint8Array) => ({ $bytes: Buffer.from(file).toString("base64") });

const SHORT_TEXTS = {
  a: Array.from({ length: 256 }, (_, i) => String.fromCodePoint(256 + ((i * 7_919) % 256))).join("\n"),
  b: Array.from({ length: 256 }, (_, i) => String.fromCodePoint(256 + ((i * 104_729) % 256))).join("\n"),
};

/** What is as large in another form, or ten times at once. */
export const OTHERS: Readonly<Record<string, Prepare>> = {
  "ten of tools.password": batch("tools.password", { input: PASSWORDS }),
  "ten of tools.password that stay here": batch("tools.password", {
    input: { count: 31, length: 1_024, requireAll: true },
  }),
  "tools.password in words": fields("tools.password", () => ({
    ...{ mode: "words", list: "large", count: 1_000, words: 64, separator: "\\".repeat(16), digit: true },
  })),
  "tools.password by a pattern": fields("tools.password", () => ({
    ...{ mode: "pattern", pattern: "S{1024}", count: 1_000 },
  })),
  "tools.password as text": async (world) =>
    rest(world, "tools.password", { json: PASSWORDS, headers: { accept: "text/plain" } }),
  "ten of tools.catalogue": batch("tools.catalogue", { input: {}, isQuery: true }),
  "ten of tools.textCompare": batch("tools.textCompare", { input: SHORT_TEXTS }),
  "ten of tools.textCompare by character": batch("tools.textCompare", {
    input: { ...SHORT_TEXTS, granularity: "character" },
  }),
  "tools.pdfRotate over RPC": typed("tools.pdfRotate", () => ({ file: inBase64(largePdf(FILE)) })),
  "tools.textCompare over RPC": typed("tools.textCompare", longTexts),
  "ten of secrets.create": batch("secrets.create", { input: { content: TEXT } }),
  "secrets.create as an encoded form": (world) => shareForm(world, "%F0%9F%98%80".repeat(500_000)),
  "secrets.create as a form of plus signs": (world) => shareForm(world, "+".repeat(500_000)),
};

async function shareForm(world: World, content: string) {
  const headers = { ...asMember(world), "content-type": "application/x-www-form-urlencoded" };
  return rest(world, "secrets.create", { file: new TextEncoder().encode(`content=${content}`), headers });
}
