// process
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { deriveAtRest, openContent } from "../../tools/crypto/secret-seal.ts";
import { nodePath, runtimeAt } from "../support/runtimes.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { withProcess } from "./support/with-process.ts";

const CANARY = "canary-7f3a";

const server = withProcess(runtimeAt("node", nodePath()), { REGISTRATION: "open" });

interface Made {
  id: string;
  key: string;
  revokeToken: string;
}

async function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { method: "POST", body, headers });
}

async function share(fields: Record<string, unknown>): Promise<Made> {
  const response = await post("/api/secrets", JSON.stringify(fields), { "content-type": "application/json" });
  return (await response.json()) as Made;
}

/** All that a thief finds: database, write-ahead log, shared memory, and what the server has printed. */
function loot(): Buffer {
  const files = readdirSync(server.folder).map((file) => readFileSync(join(server.folder, file)));
  return Buffer.concat([...files, Buffer.from(server.output())]);
}

test("opens nothing to a thief of database, write-ahead log, configuration and logs", async () => {
  const made = await share({ content: `${CANARY} content`, passphrase: `${CANARY} passphrase` });
  const plain = await share({ content: `${CANARY} plain` });
  const stolen = loot();
  for (const { id, key, revokeToken } of [made, plain]) {
    expect(stolen.includes(id)).toBe(true);
    for (const wanted of [key, revokeToken, CANARY]) expect(stolen.includes(wanted)).toBe(false);
  }
  const db = await openDatabase(join(server.folder, "service.db"));
  const row = await db.query
    .selectFrom("secret")
    .innerJoin("secret_content", "secret_content.secret_id", "secret.id")
    .selectAll()
    .where("secret.id", "=", plain.id)
    .executeTakeFirstOrThrow();
  await db.close();
  const binding = { id: plain.id, isEncrypted: false, expirySeconds: Number(row.expires_at) };
  const sealed = new Uint8Array(row.sealed);
  // Everything of 32 bytes that is stored, tried as the key; then the one thing that is not stored.
  for (const storageKey of [row.verifier, row.revoke_hash].map((bytes) => new Uint8Array(bytes))) {
    await expect(openContent(sealed, { ...binding, storageKey })).rejects.toThrow();
  }
  const { storageKey } = await deriveAtRest(plain.key, { id: plain.id });
  expect(await openContent(sealed, { ...binding, storageKey })).toBe(`${CANARY} plain`);
});

test("leaves nothing of a read or revoked content behind", async () => {
  const made = await share({ content: "x".repeat(2000) });
  await post(`/api/secrets/${made.id}/reveal`, new URLSearchParams({ key: made.key }));
  const db = await openDatabase(join(server.folder, "service.db"));
  const left = await db.query
    .selectFrom("secret_content")
    .select("secret_id")
    .where("secret_id", "=", made.id)
    .execute();
  await db.close();
  expect(left).toEqual([]);
});

test("lets no canary of any request reach the log or the database", async () => {
  const pdf = await makeBlankPdf();
  const query = `filename=${CANARY}.pdf&password=${CANARY}&range=${CANARY}&${CANARY}=${CANARY}`;
  const headers = {
    "tool-password": CANARY,
    "user-agent": CANARY,
    authorization: `Bearer ${CANARY}`,
    cookie: CANARY,
  };
  const { authorization: _, ...anonymous } = headers;
  const answers = [
    await post(`/api/tools/pdf-rotate?filename=${CANARY}.pdf&angle=90`, pdf, anonymous),
    await post(`/api/tools/pdf-rotate?${query}`, pdf, headers),
    await post(`/api/tools/pdf-rotate?${query}`, CANARY, anonymous),
    await post(`/api/tools/${CANARY}?${query}`, CANARY, anonymous),
    await post(`/api/tools/file-hash?expected=${CANARY}`, CANARY, anonymous),
    await post(`/trpc/tools.password`, `{"${CANARY}`, { "content-type": "application/json" }),
    await post(`/trpc/${CANARY}`, `{}`, { "content-type": "application/json" }),
    await post(`/api/secrets?content=${CANARY}`, CANARY, anonymous),
    await post(`/api/secrets`, `{"content":{"a":"${CANARY}"}}`, { "content-type": "application/json" }),
    await post(`/api/secrets/${CANARY}/reveal`, new URLSearchParams({ key: CANARY, passphrase: CANARY })),
    await post(`/${CANARY}?${CANARY}`, CANARY, anonymous),
    await fetch(`${server.url}/s/${CANARY}%23${CANARY}`),
  ];
  expect(answers.filter(({ status }) => status === 500)).toEqual([]);
  // What is written of the last one comes behind everything of the others.
  await expect.poll(server.output).toContain(answers.at(-1)!.headers.get("request-id"));
  expect(loot().includes(CANARY)).toBe(false);
});
