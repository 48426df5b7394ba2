// process
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBackups } from "../../../db/backup/open.ts";
import { openDatabase } from "../../../db/open.ts";
import { findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { placeOf, testWith } from "../../machine/skips.ts";
import { programOf } from "../../process/support/server.ts";
import { nodePath, runtimeAt } from "../../support/runtimes.ts";
import { isSweep } from "../../support/sampled.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { newSecret } from "../support/fixtures.ts";
import { OWN, spawnChild } from "../support/runtimes.ts";

const ADMIN = programOf(runtimeAt("node", nodePath()), "admin");
const AT = { now: 1_600 };
const noProgram = async () => undefined;

/** Each call of a kind before a release, else some of them. */
const STEP = isSweep ? 1 : 6;

/** A database that a killed process has left with its log, and a backup of the day before. */
let [left, file] = ["", ""];
const old = newSecret();
beforeAll(async () => {
  left = mkdtempSync(join(tmpdir(), "hushkit-"));
  file = join(left, "backup.db");
  const path = join(left, "service.db");
  const db = await openDatabase(path);
  await insertSecret(db, old);
  await openBackups(path, noProgram).backUp(file, AT);
  await db.close();
  const child = spawnChild(OWN, ["mortal.ts", path, "create", "0"]);
  const ended = new Promise((resolve) => child.process.once("exit", resolve));
  try {
    for (let made = 0; made < 20; made++) await child.next();
  } finally {
    child.process.kill("SIGKILL");
    await ended;
  }
});
afterAll(() => rmSync(left, { recursive: true, force: true }));

/** The same in a folder of its own. */
function copyPlace(): { folder: string; path: string } {
  const folder = makeTempFolder();
  cpSync(left, folder, { recursive: true, filter: (path) => path !== file });
  return { folder, path: join(folder, "service.db") };
}

/** Restores and kills the process when it makes the call number `when` of a kind; answers whether it came so far. */
async function restoreUntil(
  call: string,
  { when, path }: { when: number; path: string },
): Promise<"killed" | "ended"> {
  const strace = ["-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`];
  const inject = ["-e", `inject=${call}:signal=KILL:when=${when}`];
  const program = [...ADMIN, "restore", file, "--secrets", "keep"];
  const env = { ...process.env, DATABASE_URL: path };
  return new Promise((resolve, reject) =>
    execFile(placeOf("strace"), [...strace, ...inject, ...program], { env }, (error) => {
      if (!error) resolve("ended");
      else if (error.signal === "SIGKILL") resolve("killed");
      else reject(error);
    }),
  );
}

async function expectOldOrNew(path: string): Promise<"old" | "new"> {
  const file = new SqliteFile(path);
  expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
  file.close();
  const db = await openDatabase(path);
  try {
    expect(await findSecret(db, old.id, 1_600)).toMatchObject({ status: "active" });
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => findSecret(db, `mortal${i}`, 1_600)));
    const there = made.filter(Boolean).length;
    expect([0, 20]).toContain(there);
    return there === 0 ? "new" : "old";
  } finally {
    await db.close();
  }
}

describe("a restore", () => {
  testWith("strace").for(["link", "rename", "fsync", "unlink", "ftruncate"])(
    "that is killed at any %s leaves the old database or the new one, whole",
    { timeout: 300_000 },
    async (call) => {
      const outcomes: string[] = [];
      for (let when = 1, how = "killed"; how === "killed"; when += STEP) {
        const { folder, path } = copyPlace();
        how = await restoreUntil(call, { when, path });
        outcomes.push(await expectOldOrNew(path));
        if (how === "ended") expect(readdirSync(folder).join()).not.toContain(".part");
      }
      expect(outcomes.at(-1)).toBe("new");
    },
  );

  testWith("strace")("that fails at its last step leaves everything as it was", async () => {
    const { folder, path } = copyPlace();
    const strace = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=rename", "-e", "inject=rename:error=EIO"];
    const env = { ...process.env, DATABASE_URL: path };
    const program = [...ADMIN, "restore", file];
    const said = new Promise<string>((resolve) =>
      execFile(placeOf("strace"), [...strace, ...program], { env }, (_error, _out, err) => resolve(err)),
    );
    expect(await said).toBe(`${path}: The disk is full, or fails.\n`);
    expect(readdirSync(folder)).toEqual(["service.db"]);
    expect(await expectOldOrNew(path)).toBe("old");
  });
});

test("a log that a killed process has left does not reach the restored database", async () => {
  const { folder, path } = copyPlace();
  expect(readdirSync(folder)).toContain("service.db-wal");
  const { aside = "" } = await openBackups(path, noProgram).restore(file, { ...AT, secrets: "keep" });
  expect(await expectOldOrNew(path)).toBe("new");
  expect(await expectOldOrNew(aside)).toBe("old");
});
