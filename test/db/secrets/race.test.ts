// process
import { expect, test } from "vitest";
import { insertSecret } from "../../../db/secrets/secrets.ts";
import type { Database } from "../../../db/open.ts";
import { activateFile, beginFile, storeChunks } from "../../../db/secrets/secret-files.ts";
import { isSweep } from "../../support/sampled.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { describeShared } from "../support/harness.ts";
import { OWN, RUNTIMES, startChild, type Child } from "../support/runtimes.ts";

const PROCESSES = 4;
/** A quarter of all of them asks for the limit, which is to be more than that allows. */
const SECRETS_EACH = new Map([
  ["SQLite", isSweep ? 250 : 100],
  ["PostgreSQL", isSweep ? 120 : 60],
]);
const LIMIT = 200;

interface Report {
  key: number;
  claimed: string[];
  damaged: number;
  allowed: number;
  attempts: number;
  files: string[];
}

const FILES = 40;

/** Files that every process wants, too. */
async function storeFiles(db: Database): Promise<void> {
  for (let i = 0; i < FILES; i++) {
    const secret = newSecret({ id: `file${i}` });
    await beginFile(db, { id: secret.id, owner: null, sweepAt: 9_000 });
    await storeChunks(db, { id: secret.id, from: 1, chunks: [bytes(i)], sweepAt: 9_000 });
    await activateFile(db, { ...secret, fileSize: 16, storedSize: 32 });
  }
}

describeShared("four processes on one %s", (make, name) => {
  test("open it at once, read each of many secrets once, and share every limit", async () => {
    const place = await make();
    const each = SECRETS_EACH.get(name) ?? 0;
    const children = start(place.url, each);
    await meet(children); // all open and migrate the empty database
    await meet(children); // all create
    const db = await place.open();
    await insertSecret(db, newSecret({ id: "attempted" }));
    await storeFiles(db);
    await meet(children); // all want everything
    const reports = await Promise.all(
      children.map(async (child) => JSON.parse(await child.next()) as Report),
    );

    const claimed = reports.flatMap((report) => report.claimed);
    expect(claimed).toHaveLength(PROCESSES * each);
    expect(new Set(claimed).size).toBe(PROCESSES * each);
    expect(sum(reports, "damaged")).toBe(0);
    const files = reports.flatMap((report) => report.files);
    expect([files.length, new Set(files).size]).toEqual([FILES, FILES]);
    expect(sum(reports, "allowed")).toBe(LIMIT);
    expect(sum(reports, "attempts")).toBe(10);
    expect(new Set(reports.map((report) => report.key)).size).toBe(1);
    expect(
      await db.query.selectFrom("secret_content").select("secret_id").where("sweep_at", "is", null).execute(),
    ).toHaveLength(1);
    await db.close();
    await place.drop();
  }, 240_000);
});

function start(url: string, each: number): Child[] {
  return Array.from({ length: PROCESSES }, (_, me) => {
    const args = ["worker.ts", url, String(me), String(PROCESSES), String(each), String(LIMIT)];
    return startChild(RUNTIMES[me % RUNTIMES.length] ?? OWN, args);
  });
}

/** Waits until every process has come to its next meeting point, then lets all of them go on. */
async function meet(children: Child[]): Promise<void> {
  for (const child of children) expect(await child.next()).toBe("ready");
  for (const child of children) child.go();
}

function sum(reports: Report[], field: "damaged" | "allowed" | "attempts"): number {
  return reports.reduce((total, report) => total + report[field], 0);
}
