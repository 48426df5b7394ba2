import { mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import SqliteFile from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { testIf } from "../../machine/skips.ts";
import { createDiskSync, shareRuns, type DiskSync } from "../../../db/connection/disk-sync.ts";
import { DatabaseUnavailable, openDatabase } from "../../../db/open.ts";
import { claimSecret, findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { makeSqlite } from "../support/harness.ts";

/** Work that a test lets end. */
function makeSlowWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  return { ends, work };
}

test("callers of one moment share a run, and later ones wait for one that begins after they came", async () => {
  const { ends, work } = makeSlowWork();
  const shared = shareRuns(work, 1);
  const done: string[] = [];
  const call = (name: string) => shared().then(() => void done.push(name));
  const first = Promise.all([call("a"), call("b")]);
  await expect.poll(() => ends.length).toBe(1);
  const second = Promise.all([call("c"), call("d")]);
  ends[0]!();
  await first;
  expect(done).toEqual(["a", "b"]);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await second;
  expect(done).toEqual(["a", "b", "c", "d"]);
});

test("a second lane serves those who come while the first one runs, and no more than that run at a time", async () => {
  const lanes: number[] = [];
  const { ends, work } = makeSlowWork();
  const shared = shareRuns((lane) => {
    lanes.push(lane);
    return work();
  }, 2);
  const done: string[] = [];
  const call = (name: string) => shared().then(() => void done.push(name));
  const calls = [call("a")];
  await expect.poll(() => ends.length).toBe(1);
  calls.push(call("b"));
  await expect.poll(() => ends.length).toBe(2);
  calls.push(call("c"), call("d"));
  ends[1]!();
  await expect.poll(() => ends.length).toBe(3);
  expect([done, lanes]).toEqual([["b"], [0, 1, 1]]);
  ends[2]!();
  ends[0]!();
  await Promise.all(calls);
  expect(done.toSorted()).toEqual(["a", "b", "c", "d"]);
  expect(ends).toHaveLength(3);
});

test("a run that fails fails for those who waited for it, and the next one is tried", async () => {
  let runs = 0;
  const work = async () => {
    runs++;
    if (runs === 1) throw new Error("no disk");
  };
  const shared = shareRuns(work, 1);
  const failing = [shared(), shared()];
  for (const call of failing) await expect(call).rejects.toThrow("no disk");
  await shared();
  expect(runs).toBe(2);
});

test("a log that cannot be synced is an unavailable database", async () => {
  await expect(createDiskSync(join(tmpdir(), "hushkit-nowhere", "a.db")).flush()).rejects.toThrow(
    DatabaseUnavailable,
  );
});

test("a sync that has failed is never taken for a good one afterwards", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "hushkit-sync-")), "service.db");
  const disk = createDiskSync(path);
  await expect(disk.flush()).rejects.toThrow(DatabaseUnavailable);
  writeFileSync(`${path}-wal`, "");
  await expect(disk.flush()).rejects.toThrow(DatabaseUnavailable);
  const anew = createDiskSync(path);
  await anew.flush();
  await anew.close();
  rmSync(dirname(path), { recursive: true });
});

/** A disk whose syncs fail while the test says so; how many were made. */
function makeFaultyDisk() {
  const state = { fails: false, made: 0 };
  const createDisk = (path: string): DiskSync => {
    state.made++;
    const disk = createDiskSync(path);
    const error = Object.assign(new Error("injected"), { code: "EIO" });
    const flush = async () => {
      if (state.fails) throw new DatabaseUnavailable(error);
      await disk.flush();
    };
    return { flush, close: disk.close };
  };
  return { state, createDisk };
}

describe("after a sync has failed", () => {
  const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };

  test("the file is opened anew before anything is acknowledged, and holds what was acknowledged before", async () => {
    const place = await makeSqlite();
    const { state, createDisk } = makeFaultyDisk();
    const db = await openDatabase(place.url, { createDisk });
    const [before, lost] = [newSecret(), newSecret()];
    await insertSecret(db, before);
    // Both are in one transaction, however busy the machine is.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    state.fails = true;
    const calls = [insertSecret(db, lost), claimSecret(db, { id: before.id, ...right })];
    for (const call of calls) await expect(call).rejects.toThrow(DatabaseUnavailable);
    expect(state.made).toBe(1);
    state.fails = false;
    await Promise.all([insertSecret(db, newSecret()), db.ping(), insertSecret(db, newSecret())]);
    expect(state.made).toBe(2);
    expect(statSync(`${place.url}-wal`).size).toBeGreaterThan(0);
    // Whether it happened was left open; it has not happened twice.
    expect((await findSecret(db, before.id, 1_500))?.status).toBe("revealed");
    await db.close();
    await place.drop();
  });

  test("nothing is answered while the file cannot be opened again, and all is well when it can", async () => {
    const place = await makeSqlite();
    const { state, createDisk } = makeFaultyDisk();
    const db = await openDatabase(place.url, { createDisk });
    const { id } = newSecret();
    await insertSecret(db, newSecret({ id }));
    // A reader of another process keeps the log from being written back.
    const other = new SqliteFile(place.url);
    other.exec("begin; select * from secret");
    await db.ping();
    state.fails = true;
    await expect(insertSecret(db, newSecret())).rejects.toThrow(DatabaseUnavailable);
    state.fails = false;
    await expect(findSecret(db, id, 1_500)).rejects.toThrow(DatabaseUnavailable);
    await expect(db.ping()).rejects.toThrow(DatabaseUnavailable);
    other.close();
    expect(await findSecret(db, id, 1_500)).toMatchObject({ status: "active" });
    expect(await insertSecret(db, newSecret())).toBe(true);
    await db.close();
    await place.drop();
  });
});

testIf(process.platform !== "win32", "Windows syncs in another way")(
  "a transaction is acknowledged only when the log was synced",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "hushkit-sync-"));
    const path = join(folder, "service.db");
    const db = await openDatabase(path);
    // SQLite goes on writing into the log that it has open; only who opens it now finds nothing to sync.
    unlinkSync(`${path}-wal`);
    await expect(insertSecret(db, newSecret())).rejects.toThrow(DatabaseUnavailable);
    await db.close();
    // Another one, because this one may have seen meanwhile that its log is gone for good.
    const anew = await openDatabase(path);
    expect(await insertSecret(anew, newSecret())).toBe(true);
    await anew.close();
    rmSync(folder, { recursive: true });
  },
);
