import { mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDiskSync, shareRuns } from "../../db/disk-sync.ts";
import { DatabaseUnavailable, openDatabase } from "../../db/open.ts";
import { insertSecret } from "../../db/secrets.ts";
import { newSecret } from "./fixtures.ts";

/** Work that a test lets end. */
function makeSlowWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  return { ends, work };
}

test("callers of one moment share a run, and later ones wait for one that begins after they came", async () => {
  const { ends, work } = makeSlowWork();
  const shared = shareRuns(work);
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

test("a run that fails fails for those who waited for it, and the next one is tried", async () => {
  let runs = 0;
  const shared = shareRuns(async () => {
    runs++;
    if (runs === 1) throw new Error("no disk");
  });
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

test.runIf(process.platform !== "win32")(
  "a transaction is acknowledged only when the log was synced",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "hushkit-sync-"));
    const path = join(folder, "service.db");
    const db = await openDatabase(path);
    // SQLite goes on writing into the log that it has open; only who opens it now finds nothing to sync.
    unlinkSync(`${path}-wal`);
    await db.ping();
    await expect(insertSecret(db, newSecret())).rejects.toThrow(DatabaseUnavailable);
    await db.close();
    rmSync(folder, { recursive: true });
  },
);
