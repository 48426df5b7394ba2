// slow
// What SECURITY.md says of a stolen database, tried as a thief would.
import { createServer } from "node:http";
import { readdirSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBackups } from "../../db/backup/open.ts";
import { keepFlow } from "../../router/accounts/login-flow.ts";
import {
  adoptInstanceKey,
  deriveInstanceKeys,
  openFor,
  type InstanceKeys,
} from "../../router/instance-key.ts";
import { keyedDigest } from "../../tools/crypto/key-derivation.ts";
import { Authenticator } from "../support/authenticator.ts";
import { INSTANCE_KEY, startHarness, type Harness } from "../support/harness.ts";
import { call, makeToken, register, type Registered } from "../support/members.ts";
import { CLIENT } from "../support/oidc/start.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { codeAt } from "../support/totp.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Whence everybody calls, somewhere in 127.0.0.0/16. */
const ADDRESS = "127.0.77.5";
const PUBLIC_URL = "https://hush.example";
const BROWSER = { origin: PUBLIC_URL, rpId: "hush.example", isVerified: true };
const CANARY = "canary-51c0";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Of every table but those of the migrations. */
const COLUMNS = `select tables.name || '.' || columns.name as name from sqlite_master as tables
  join pragma_table_info(tables.name) as columns where tables.type = 'table' and tables.name not like 'kysely%' order by 1`;

/** How often the provider was asked: only a flow that the server takes for its own leads there. */
let asked = 0;
const provider = createServer((_, answer) => {
  asked += 1;
  answer.writeHead(500).end();
});
const folder = makeTempFolder(afterAll);
const path = join(folder, "service.db");
let service: Harness;
let member: Registered;
/** The seed of the member's authenticator app, in base32. */
let secret: string;
/** Everything that whoever made it keeps, and the server does not. */
let kept: string[];
/** All bytes of the database with its log, and of a backup. */
let loot: Buffer;
/** Whatever short bytes stand in a column, which a thief may try as a key. */
let finds: Bytes[];

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  // Listening on a port, a server has the address of one.
  const { port } = provider.address() as AddressInfo;
  const settings = { OIDC_ISSUER: `http://127.0.0.1:${port}`, ...CLIENT };
  service = await startHarness({ databaseUrl: path, publicUrl: PUBLIC_URL, settings });
  expect(await adoptInstanceKey(service.db, service.services.keys)).toBe(true);
  await live();
  const backups = openBackups(path, async () => undefined);
  await backups.backUp(join(folder, "backup.db"), { now: service.clock.now });
  loot = Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
  finds = readFinds();
});
afterAll(async () => {
  await service.close();
  provider.close();
});

/** A day at an instance: one of everything that a database can hold. */
async function live(): Promise<void> {
  member = await register(service);
  const headers = { cookie: member.cookie, "sec-fetch-site": "same-origin" };
  const post = (path: string, json: object, more: Record<string, string> = {}) =>
    call(service, path, { json, headers: { ...headers, ...more }, ip: ADDRESS });
  const stranger = await call(service, "/api/account/register", {
    json: { name: "stranger", password: `${CANARY} password` },
    ip: ADDRESS,
  });
  ({ secret } = (await post("/api/users/me/totp", {})).body as { secret: string });
  const proof = await post("/api/users/me/totp/confirm", { code: codeAt(secret, service.clock.now) });
  const before = member.cookie;
  headers.cookie = proof.cookie ?? "";
  member = { ...member, cookie: headers.cookie };
  const options = (await post("/api/users/me/passkeys/options", {})).body as { challenge: string };
  const response = new Authenticator().create(options, BROWSER);
  expect((await post("/api/users/me/passkeys", { name: "Laptop", response })).status).toBe(201);
  const { token } = await makeToken(service, { cookie: member.cookie });
  const repeat = { "idempotency-key": crypto.randomUUID() };
  const made = await post("/api/secrets", { content: `${CANARY} content`, passphrase: CANARY }, repeat);
  expect(made.status).toBe(201);
  const gate = "g".repeat(43);
  const request = await post("/api/requests", { gate });
  expect(request.status).toBe(201);
  const texts = [made.body.key, made.body.revokeToken, request.body.collectToken, stranger.body.recoveryCode];
  const values = [before, member.cookie].map((cookie) => cookie.split("=")[1]);
  kept = [
    ...texts,
    ...values,
    gate,
    token,
    secret,
    repeat["idempotency-key"],
    CANARY,
    member.recoveryCode,
  ].map(String);
}

function readFinds(): Bytes[] {
  const file = new SqliteFile(path, { readonly: true });
  const rows = file
    .prepare<[], { value: Buffer }>("select value from installation where length(value) < 100")
    .all();
  file.close();
  return [new Uint8Array(), ...rows.map(({ value }) => new Uint8Array(value))];
}

/** What a thief can make of bytes: keys as they are, and as the server derives them. */
function keysOf(found: Bytes): Pick<InstanceKeys, "digest" | "loginFlow" | "seeds">[] {
  const key = new Uint8Array(32);
  key.set(found.subarray(0, 32));
  return [{ digest: keyedDigest(found), loginFlow: key, seeds: key }, deriveInstanceKeys(found)];
}

/** The addresses of 127.0.0.0/16 that have one of the digests. */
function findAddresses(digest: (text: string) => Bytes, stored: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let low = 0; low < 2 ** 16; low++) {
    const address = `127.0.${low >> 8}.${low & 255}`;
    for (const what of ["address", "origin"])
      if (stored.has(Buffer.from(digest(`${what} ${address}`)).toString("hex")))
        found.push(`${what} ${address}`);
  }
  return found;
}

async function readDigests(): Promise<Set<string>> {
  const allowances = await service.db.query.selectFrom("allowance").select("key").execute();
  const members = await service.db.query.selectFrom("member").select("created_from").execute();
  const digests = [...allowances.map(({ key }) => key), ...members.map(({ created_from: from }) => from)];
  return new Set(digests.flatMap((bytes) => (bytes ? [Buffer.from(bytes).toString("hex")] : [])));
}

async function readSeed(): Promise<Bytes> {
  const row = await service.db.query
    .selectFrom("member")
    .select("totp_key")
    .where("id", "=", member.id)
    .executeTakeFirstOrThrow();
  return new Uint8Array(row.totp_key ?? []);
}

/** Sends a browser back from the provider with a flow of the thief's own making; whether the server goes on with it. */
async function comeBackWith(keys: Pick<InstanceKeys, "loginFlow">): Promise<boolean> {
  const before = asked;
  const flow = { state: "s", nonce: "n", verifier: "v".repeat(43), next: "/account" };
  const services = { ...service.services, keys: { ...service.services.keys, ...keys } };
  const [kept = ""] = await keepFlow(flow, { cookie: null }, services);
  const [cookie = ""] = kept.split(";");
  const answer = await service.request("/api/account/oidc/callback?state=s&code=c", { headers: { cookie } });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  return asked > before;
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

test("a database and its backup hold nothing of what somebody else keeps, and not the key of the instance", () => {
  expect(kept.filter((text) => text.length < 8)).toEqual([]);
  expect(kept.filter((text) => loot.includes(text))).toEqual([]);
  expect(loot.includes(Buffer.from(INSTANCE_KEY))).toBe(false);
  // What is there for whoever reads it.
  for (const text of [member.name, member.id, "Laptop", "$scrypt$"]) expect(loot.includes(text)).toBe(true);
});

test("with the database alone no seed of an authenticator app can be read", async () => {
  const seed = bytesOf(secret);
  expect(seed).toHaveLength(20);
  for (const text of [seed, seed.toString("hex"), seed.toString("base64"), secret])
    expect(loot.includes(text)).toBe(false);
  const stored = await readSeed();
  expect(loot.includes(Buffer.from(stored))).toBe(true);
  for (const keys of finds.flatMap(keysOf))
    expect(await openFor(stored, keys.seeds, member.id)).toBeUndefined();
});

test("with the database alone no login flow can be forged", async () => {
  expect(finds).toContainEqual(service.services.keys.check);
  for (const keys of finds.flatMap(keysOf)) expect(await comeBackWith(keys)).toBe(false);
});

test("with the database alone no address is found, however many are tried", async () => {
  const stored = await readDigests();
  expect(stored.size).toBeGreaterThan(3);
  for (const { digest } of finds.flatMap(keysOf)) expect(findAddresses(digest, stored)).toEqual([]);
});

test("with the key too there is what SECURITY.md says: seeds, flows, and addresses by trying them", async () => {
  const keys = deriveInstanceKeys(INSTANCE_KEY);
  const seed = await openFor(await readSeed(), keys.seeds, member.id);
  expect(Buffer.from(seed ?? []).equals(bytesOf(secret))).toBe(true);
  expect(await comeBackWith(keys)).toBe(true);
  const found = findAddresses(keys.digest, await readDigests());
  expect(found.sort()).toEqual([`address ${ADDRESS}`, `origin ${ADDRESS}`]);
});

test("SECURITY.md says of each column of each table what a thief has of it", () => {
  const text = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
  const [, table = ""] = text.split("\n## What a thief has\n");
  const rows = (table.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([a-z_]+\.[a-z_]+)`/g)]);
  const file = new SqliteFile(path, { readonly: true });
  const columns = file.prepare<[], string>(COLUMNS).pluck().all();
  file.close();
  expect(named.map(([, name]) => name).sort()).toEqual(columns);
  // Each says something for the database, the key and both.
  for (const row of rows)
    expect(row.split(" | ").map((cell) => cell.trim().length > 0)).toEqual(Array(4).fill(true));
});
