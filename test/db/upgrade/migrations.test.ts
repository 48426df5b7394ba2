import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sql } from "kysely";
import { openDatabase } from "../../../db/open.ts";
import { MIGRATIONS } from "../../../db/upgrade/migrations.ts";

const FOLDER = new URL("../../../db/migrations/", import.meta.url);
const FIXTURES = new URL("../fixtures/", import.meta.url);

/** SHA-256 of each file. A digest is only ever added: databases out there have run these very steps. */
const STEPS: Readonly<Record<string, string>> = {
  "0001-baseline": "5946753a64786c85a192cd4d3dfacc83cb49a18fed4345f91e9b70923ac05b10",
  "0002-owner-index": "967e8c885358cf0da5222f8f2ab15f11facedb16e8c0ea244884b508ec971e0f",
  "0003-deliveries": "2cf71ec748ce2895e0a97a7c8a916aaacde4bbdbf3850f324c0622bbce087193",
  "0004-labels": "96c6f168d53e873ca94926bccec9f6492a2855971bfaaa02ac72fe14363a9273",
  "0005-large-files": "f721b701703ca94816ed45b99c4291a2497860bc8f59bd564d96f57ec83cb0cc",
  "0006-logins": "333322ce12c7c3c3b14a832af87bacf7f3ad904ff8f5870cfbff8ce431c8b329",
  "0007-outbox": "522f09d16bacdba35589dfe81992f56bb738bbc477e83e832936068c34d96fb3",
  "0008-administrators": "68a2ec33afc5e43fe88f3aa676007077ff13a109ec960353c879ea658e2c5262",
  "0009-idempotency-keys": "f8690fd137695edd488c4d41c9aef0401683e0dc65d42f1cee9fa42ee9d0fe7f",
  "0010-ways-in": "675e51af376b8a81c4a25726801e9f56f9b8030696179a1bcf5b17f069a28761",
  "0011-instance-key": "79ad3bf9cbac0f28ba79ce0c741265d54029fce007d9864bc9d78c237d244867",
  "0012-acts": "5725f050758d4bae3ca1d4f77d636dc8968d0507a01358b770666232fd50a1de",
  "0013-former-values": "35f362e88e54ee80228e25344f56f5cca18de934e33cf48bea75a00fc5ed6789",
  "0014-several-answers": "bd7c1cb0dc5d386ea85f225e9b88d540e9ce15bd1751c86946d3ecd938a249f6",
  "0015-hooks": "1ee3eb9bbaa75d846a120f228ff569a93f9673819133ac3450f51d6306f4243b",
  "0016-file-owner": "6271f516fb027f80bf7e6b7a0a791468871dcc8a48e70600e3938f5c5323ecb2",
};

/** The same of the fixtures of releases, which have their tables. */
const LEFT: Readonly<Record<string, string>> = {
  "0.1.0.sqlite.sql": "da7620c442d75d97bc53a5b967647aa6fb618696b0890465908d799b60087af2",
  "0.1.0.postgres.sql": "e0749797d4e804551a292152cfe7c8230d48e2efe607af9d8944c68246608cf9",
};

function digestOf(file: URL): string {
  const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  return createHash("sha256").update(text).digest("hex");
}

test("every migration is a file of its own, in the order of its number", () => {
  const files = readdirSync(FOLDER).sort();
  expect(Object.keys(MIGRATIONS).map((name) => `${name}.ts`)).toEqual(files);
});

test.each(Object.keys(MIGRATIONS))("migration %s is as it was when databases ran it", (name) => {
  const why = `Databases have run ${name} as it was; take the change back and add another migration.`;
  expect(digestOf(new URL(`${name}.ts`, FOLDER)), why).toBe(STEPS[name]);
});

test.each(Object.entries(LEFT))("what a release has left in %s is as it was", (name, digest) => {
  const why = `${name} is what a release left behind; write it never again.`;
  expect(digestOf(new URL(name, FIXTURES)), why).toBe(digest);
});

test("every column that refers to another row begins an index: without one a deletion reads the whole table", async () => {
  const db = await openDatabase(":memory:");
  const { rows } = await sql<{ name: string; indexes: string | null }>`
    select tables.name || '.' || keys."from" as name, (
      select group_concat(indexes.name) from pragma_index_list(tables.name) as indexes
        join pragma_index_info(indexes.name) as columns on columns.seqno = 0 and columns.name = keys."from"
    ) as indexes
    from sqlite_master as tables join pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`.execute(
    db.query,
  );
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ indexes }) => indexes === null).map(({ name }) => name)).toEqual([]);
  await db.close();
});
