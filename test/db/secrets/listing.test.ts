import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { closeSecret, insertSecret, listSecrets } from "../../../db/secrets/secrets.ts";
import { CURSOR } from "../../../db/pages.ts";
import { newSecret } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

withDatabases("a member's list", (db) => {
  beforeAll(async () => {
    for (const id of ["anna", "ben", "cleo", "dora", "emil"]) {
      await db.query
        .insertInto("member")
        .values({ id, name: id, password: "x", recovery_hash: null, created_at: 1 })
        .execute();
    }
  });

  test("shows the newest first, and only one's own", async () => {
    for (const created of [1_002, 1_001, 1_003])
      await insertSecret(db, newSecret({ owner: "anna", createdAt: created }));
    await insertSecret(db, newSecret({ owner: "ben" }));
    await insertSecret(db, newSecret());
    const { secrets, next } = await listSecrets(db, { owner: "anna", now: 1_500, limit: 50 });
    expect(secrets.map(({ createdAt: created }) => created)).toStrictEqual([1_003, 1_002, 1_001]);
    expect(next).toBeNull();
    expect(Object.keys(secrets[0] ?? {})).not.toContain("sealed");
  });

  test("goes through every secret once, page by page, while others are made", async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 25; i++) {
      const secret = newSecret({ owner: "cleo", createdAt: 1_000 + (i >> 3) });
      await insertSecret(db, secret);
      ids.add(secret.id);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSecrets(db, { owner: "cleo", now: 1_500, limit: 4, cursor });
      seen.push(...page.secrets.map(({ id }) => id));
      if (page.next) expect(page.next).toMatch(CURSOR);
      cursor = page.next ?? undefined;
      await insertSecret(db, newSecret({ owner: "cleo", createdAt: 1_400 }));
    } while (cursor);
    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toStrictEqual(ids);
  });

  test("is searched for a status in steps, and others have their turn between them", async () => {
    const owner = "emil";
    const hash = new Uint8Array(32);
    await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 7000)
      insert into secret (id, verifier, revoke_hash, status, created_at, expires_at, closed_at, is_encrypted, attempts,
        owner)
      select 'emil' || i, ${hash}, ${hash}, case when i % 3000 = 1 then 'locked' else 'revealed' end, 1000 + i / 5,
        9000, 3000, 0, 0, 'emil' from n`.execute(db.query);
    const list = (limit: number, cursor?: string) =>
      listSecrets(db, { owner, now: 1_500, status: "locked", limit, cursor });
    const order: string[] = [];
    const listing = list(50).then((page) => (order.push("listed"), page));
    const passes = new Promise((resolve) => setImmediate(() => resolve(order.push("other"))));
    const { secrets, next } = await listing;
    await passes;
    expect(order).toStrictEqual(["other", "listed"]);
    expect([secrets.map(({ id }) => id), next]).toStrictEqual([["emil6001", "emil3001", "emil1"], null]);
    const first = await list(2);
    expect(first.secrets.map(({ id }) => id)).toStrictEqual(["emil6001", "emil3001"]);
    expect((await list(2, first.next ?? "")).secrets.map(({ id }) => id)).toStrictEqual(["emil1"]);
  });

  test("says that there is no next page when the last one is just full", async () => {
    for (let i = 0; i < 2; i++) await insertSecret(db, newSecret({ owner: "ben" }));
    expect(await listSecrets(db, { owner: "ben", now: 1_500, limit: 3 })).toMatchObject({ next: null });
    expect((await listSecrets(db, { owner: "ben", now: 1_500, limit: 2 })).next).not.toBeNull();
  });

  test("tells by status, and shows as expired what nobody has swept yet", async () => {
    const over = newSecret({ owner: "dora", expiresAt: 1_400 });
    const running = newSecret({ owner: "dora" });
    const revoked = newSecret({ owner: "dora" });
    for (const secret of [over, running, revoked]) await insertSecret(db, secret);
    await closeSecret(db, { id: revoked.id, now: 1_300, status: "revoked" });
    const list = async (status: "active" | "expired" | "revoked" | "revealed") =>
      (await listSecrets(db, { owner: "dora", now: 1_500, limit: 50, status })).secrets;
    expect(await list("active")).toMatchObject([{ id: running.id, status: "active", closedAt: null }]);
    expect(await list("expired")).toMatchObject([{ id: over.id, status: "expired", closedAt: 1_400 }]);
    expect(await list("revoked")).toMatchObject([{ id: revoked.id, status: "revoked", closedAt: 1_300 }]);
    expect(await list("revealed")).toStrictEqual([]);
  });
});
