// process
import type { Kysely } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../adapters/operations/admin/admin.ts";
import { insertHook, findHook } from "../../db/accounts/hooks.ts";
import { openBackups } from "../../db/backup/open.ts";
import { takeAllowance } from "../../db/allowance.ts";
import { readKeyCheck } from "../../db/installation.ts";
import { up } from "../../db/migrations/0011-instance-key.ts";
import type { Database } from "../../db/open.ts";
import { recordEvents } from "../../db/outbox/triggers.ts";
import {
  adoptInstanceKey,
  deriveInstanceKeys,
  makeInstanceKey,
  openFor,
  openHookTarget,
  replaceInstanceKey,
  sealHookTarget,
  SEED_BYTES,
} from "../../router/instance-key.ts";
import { bytes } from "./support/fixtures.ts";
import { describeShared, type TestDatabase } from "./support/harness.ts";

const [OLD, NEW, OTHER] = [makeInstanceKey(), makeInstanceKey(), makeInstanceKey()];
const KEYS = { old: deriveInstanceKeys(OLD), new: deriveInstanceKeys(NEW), other: deriveInstanceKeys(OTHER) };

/** More than are read at a time. */
const MEMBERS = 501;

const seedOf = (id: string) => bytes(id.charCodeAt(3) + id.charCodeAt(4), SEED_BYTES);

/** A database as an older version leaves it: with open seeds. */
async function fill(db: Database, count = 3): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `m${String(n).padStart(4, "0")}`);
  const rows = [...ids, "without"].map((id) => ({
    ...{ id, name: id, password: "", recovery_hash: null, created_at: 1_000, created_from: bytes(1) },
    ...(id !== "without" && { totp_key: seedOf(id), totp_since: 1 }),
  }));
  await db.write(async (trx) => {
    for (const row of rows) await trx.insertInto("member").values(row).execute();
  });
  await takeAllowance(db, { bucket: "tools", key: bytes(2), limit: 5, windowSeconds: 60, now: 1_000 });
}

const HOOK = { id: "hook", target: { url: "https://ntfy.sh/topic", secret: null } };

/** A hook of some member, sealed with the old key. */
async function addHook(db: Database): Promise<void> {
  const [{ id: member } = { id: "" }] = await readMembers(db);
  await insertHook(db, {
    ...{ id: HOOK.id, member, form: "ntfy", host: "ntfy.sh", events: ["secret.revealed"], createdAt: 1_000 },
    sealed: await sealHookTarget(HOOK.target, HOOK.id, KEYS.old),
    ceiling: 3,
  });
}

function readMembers(db: Database) {
  return db.query.selectFrom("member").select(["id", "totp_key", "created_from"]).orderBy("id").execute();
}

/** What of the seeds a key opens. */
async function countOpened(db: Database, keys: typeof KEYS.old): Promise<number> {
  let opened = 0;
  for (const { id, totp_key: stored } of await readMembers(db)) {
    const seed = stored && (await openFor(new Uint8Array(stored), keys.seeds, id));
    if (seed && String(seed) === String(seedOf(id))) opened += 1;
  }
  return opened;
}

describeShared("the key of an instance on %s", (make) => {
  async function open(): Promise<{ db: Database; place: TestDatabase }> {
    const place = await make();
    const db = await place.open();
    onTestFinished(async () => {
      await db.close();
      await place.drop();
    });
    return { db, place };
  }

  test("seals every seed that an older version has left open, once, and no other key is taken then", async () => {
    const { db } = await open();
    await fill(db, MEMBERS);
    expect(await adoptInstanceKey(db, KEYS.old)).toBe(true);
    expect(await countOpened(db, KEYS.old)).toBe(MEMBERS);
    const sealed = await readMembers(db);
    expect(await adoptInstanceKey(db, KEYS.old)).toBe(true);
    expect(await adoptInstanceKey(db, KEYS.other)).toBe(false);
    expect(await readMembers(db)).toEqual(sealed);
    expect(await readKeyCheck(db.query)).toStrictEqual(KEYS.old.check);
  });

  test("of several processes that start at once on a database without a key one key wins", async () => {
    const { db, place } = await open();
    await fill(db);
    const others = await Promise.all([place.open(), place.open()]);
    onTestFinished(async () => void (await Promise.all(others.map((each) => each.close()))));
    const keys = [KEYS.old, KEYS.new, KEYS.other];
    const taken = await Promise.all([db, ...others].map((each, at) => adoptInstanceKey(each, keys[at]!)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
    expect(await countOpened(db, keys[taken.indexOf(true)]!)).toBe(3);
  });

  test("a failure in the middle leaves everything as it was, and the next start seals all", async () => {
    const { db } = await open();
    await fill(db);
    const before = await readMembers(db);
    const broken = { ...KEYS.old, seeds: new Uint8Array(5) };
    await expect(adoptInstanceKey(db, broken)).rejects.toThrow();
    expect([await readMembers(db), await readKeyCheck(db.query)]).toEqual([before, undefined]);
    expect(await adoptInstanceKey(db, KEYS.old)).toBe(true);
    expect(await countOpened(db, KEYS.old)).toBe(3);
  });

  test("the migration forgets the key that stood in the database, and the digests that were made with it", async () => {
    const { db } = await open();
    await fill(db);
    await db.query
      .insertInto("installation")
      .values({ name: "key", value: bytes(5) })
      .execute();
    // A migration knows no tables.
    await db.write((trx) => up(trx as unknown as Kysely<unknown>));
    const left = await db.query.selectFrom("installation").select("name").where("name", "=", "key").execute();
    const allowances = await db.query.selectFrom("allowance").select("key").execute();
    const origins = (await readMembers(db)).filter(({ created_from: from }) => from !== null);
    expect([left, allowances, origins]).toEqual([[], [], []]);
  });

  test("is replaced in one transaction, with nothing left that the old one opens, and once only", async () => {
    const { db, place } = await open();
    await fill(db, MEMBERS);
    await adoptInstanceKey(db, KEYS.old);
    await addHook(db);
    // Whose triggers ask who acts, of whoever writes.
    await recordEvents(db, ["audit"]);
    await db.close();
    const { changeAlone: change } = openBackups(place.url, runProgram);
    const replace = () => change((trx) => replaceInstanceKey(trx, { from: OLD, to: NEW, isLost: false }));
    expect([await replace(), await replace()]).toEqual([
      { renewed: MEMBERS, left: 0 },
      { renewed: 0, left: 0 },
    ]);
    const after = await place.open();
    expect([await countOpened(after, KEYS.new), await countOpened(after, KEYS.old)]).toEqual([MEMBERS, 0]);
    expect([await adoptInstanceKey(after, KEYS.old), await adoptInstanceKey(after, KEYS.new)]).toEqual([
      false,
      true,
    ]);
    expect(await after.query.selectFrom("allowance").select("key").execute()).toEqual([]);
    const hook = await findHook(after, HOOK.id);
    const opens = (keys: typeof KEYS.old) => hook && openHookTarget(hook.sealed, HOOK.id, keys);
    expect([await opens(KEYS.new), await opens(KEYS.old)]).toEqual([HOOK.target, undefined]);
    await after.close();
  });

  test("is not replaced by who has another one, unless it is given up: then its seeds stay, and open no more", async () => {
    const { db, place } = await open();
    await fill(db);
    await adoptInstanceKey(db, KEYS.old);
    await addHook(db);
    const before = await readMembers(db);
    await db.close();
    const { changeAlone: change } = openBackups(place.url, runProgram);
    const replace = (isLost: boolean) =>
      change((trx) => replaceInstanceKey(trx, { from: OTHER, to: NEW, isLost }));
    expect(await replace(false)).toBeUndefined();
    const untouched = await place.open();
    expect(await readMembers(untouched)).toEqual(before);
    await untouched.close();
    expect(await replace(true)).toEqual({ renewed: 0, left: 3 });
    const after = await place.open();
    expect((await readMembers(after)).map(({ totp_key: key }) => key)).toEqual(
      before.map(({ totp_key: key }) => key),
    );
    expect([await adoptInstanceKey(after, KEYS.new), await countOpened(after, KEYS.new)]).toEqual([true, 0]);
    // It leads nowhere any more.
    expect(await findHook(after, HOOK.id)).toBeUndefined();
    await after.close();
  });

  test("is not replaced while somebody else has the database open, and a failure changes nothing", async () => {
    const { db, place } = await open();
    await fill(db);
    await adoptInstanceKey(db, KEYS.old);
    // A connection that is idle counts too.
    await readKeyCheck(db.query);
    const { changeAlone: change } = openBackups(place.url, runProgram);
    const replace = (trx: Parameters<typeof replaceInstanceKey>[0]) =>
      replaceInstanceKey(trx, { from: OLD, to: NEW, isLost: false });
    await expect(change(replace)).rejects.toThrow(/is in use: stop the server first/);
    expect(await countOpened(db, KEYS.old)).toBe(3);
    await db.close();
    await expect(change(async (trx) => [await replace(trx), JSON.parse("{")])).rejects.toThrow(SyntaxError);
    const after = await place.open();
    expect([await countOpened(after, KEYS.old), await adoptInstanceKey(after, KEYS.old)]).toEqual([3, true]);
    await after.close();
  });
});
