// process
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../db/open.ts";
import { threadStates } from "../../machine/leftovers.ts";
import { describeEach, placeOf, testWith } from "../../machine/skips.ts";
import { runAdminOn } from "../../process/support/admin.ts";
import { programOf } from "../../process/support/server.ts";
import { nodePath, runtimeAt } from "../../support/runtimes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { OWN, RUNTIMES, startChild, type Child } from "../support/runtimes.ts";

const BACKUPS = 3;
/** SQLite tells apart a full disk and one that fails, but not in every file of its own. */
const FULL = expect.stringMatching(
  /^\/\S+\.db: (There is not enough room on the disk|The disk is full, or fails)\.\n$/,
);

/** Counts what a process has said so far, for as long as it lives. */
function listen(child: Child): { acknowledged: () => number; end: () => Promise<void> } {
  let count = 0;
  const ended = once(child.process, "exit");
  void (async () => {
    for (;;) {
      await child.next();
      count += 1;
    }
  })().catch(() => undefined);
  return {
    acknowledged: () => count,
    end: async () => {
      child.process.kill("SIGKILL");
      await ended;
    },
  };
}

describeEach("a backup on $name while another process writes", (runtime) => {
  test("holds everything that was acknowledged before it, and nothing by halves", async () => {
    const folder = makeTempFolder();
    const path = join(folder, "service.db");
    const writer = listen(startChild(OWN, ["mortal.ts", path, "create", "0"]));
    await expect.poll(writer.acknowledged).toBeGreaterThan(20);
    for (let i = 0; i < BACKUPS; i++) {
      const file = join(folder, `backup${i}.db`);
      const before = writer.acknowledged();
      const { code, shown } = await runAdminOn(runtime, ["backup", file], { env: { DATABASE_URL: path } });
      expect(code).toBe(0);
      const content = readFileSync(file);
      expect(shown).toMatchObject({
        ...{ file, bytes: String(content.length), accounts: "0" },
        sha256: digest(content),
      });
      expect(await countWhole(file)).toBeGreaterThanOrEqual(before);
    }
    expect(writer.acknowledged()).toBeGreaterThan(20);
    await writer.end();
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });
});

describeEach("a restore on $name", (runtime) => {
  let [elsewhere, file] = ["", ""];
  beforeAll(async () => {
    elsewhere = mkdtempSync(join(tmpdir(), "hushkit-"));
    file = join(elsewhere, "backup.db");
    const env = { DATABASE_URL: join(elsewhere, "service.db") };
    await (await openDatabase(env.DATABASE_URL)).close();
    expect(await runAdminOn(runtime, ["backup", file], { env })).toMatchObject({ code: 0 });
  });
  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

  test.each(RUNTIMES.map((holder) => [basename(holder[0]), holder] as const))(
    "changes nothing while a process on %s has the database open and does nothing",
    async (_, holder) => {
      const folder = makeTempFolder();
      const path = join(folder, "service.db");
      const child = startChild(holder, ["mortal.ts", path, "create", "0"]);
      for (let made = 0; made < 5; made++) await child.next();
      const env = { DATABASE_URL: path };
      await stopAll(child);
      const before = readFolder(folder);
      const refused = await runAdminOn(runtime, ["restore", file], { env });
      expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("in use") });
      expect(readFolder(folder)).toEqual(before);
      process.kill(child.process.pid!, "SIGCONT");
      expect(await child.next()).toMatch(/^mortal/);
      const ended = once(child.process, "exit");
      child.process.kill("SIGKILL");
      await ended;
      expect(await runAdminOn(runtime, ["restore", file], { env })).toMatchObject({ code: 0, err: "" });
    },
  );
});

/** Holds a process. Each of its threads ends the call to the system that it is in, which may be a write. */
async function stopAll(child: Child): Promise<void> {
  const pid = child.process.pid!;
  // Not by the child's own kill, after which Deno takes it for ended.
  process.kill(pid, "SIGSTOP");
  await expect.poll(() => threadStates(pid).every((state) => state === "T")).toBe(true);
}

/** Every file of a folder with its digest, but for the index of the log, in which readers leave marks. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
  return Object.fromEntries(names.map((name) => [name, digest(readFileSync(join(folder, name)))]));
}

function digest(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** How many secrets are there; none of the first ones is missing, and each has its content. */
async function countWhole(file: string): Promise<number> {
  const db = await openDatabase(file);
  const rows = await db.query.selectFrom("secret_content").select(["secret_id", "sealed"]).execute();
  const secrets = await db.query.selectFrom("secret").select("id").execute();
  await db.close();
  const contents = new Map(rows.map(({ secret_id, sealed }) => [secret_id, sealed]));
  const isWhole = secrets.map((_, i) => contents.get(`mortal${i}`)?.every((byte) => byte === i % 256));
  expect(isWhole).toEqual(secrets.map(() => true));
  return secrets.length;
}

/** Runs `admin` on a disk that is full from some write on; answers its code and what it says. */
function onFullDisk(args: readonly string[], { url, from }: { url: string; from: number }) {
  const inject = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64,copy_file_range,sendfile,ftruncate"];
  const full = ["-e", `inject=pwrite64,copy_file_range,sendfile:error=ENOSPC:when=${from}+`];
  const program = [...programOf(runtimeAt("node", nodePath()), "admin"), ...args];
  const env = { ...process.env, DATABASE_URL: url };
  return new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(placeOf("strace"), [...inject, ...full, ...program], { env }, (error, _, err) =>
      resolve({ code: error?.code ?? 0, err }),
    );
  });
}

testWith("strace")(
  "on a full disk a backup and a restore end with a sentence and leave nothing",
  async () => {
    const [folder, elsewhere] = [makeTempFolder(), makeTempFolder()];
    const [path, file] = [join(folder, "service.db"), join(elsewhere, "backup.db")];
    const db = await openDatabase(path);
    await db.close();
    for (const from of [1, 10]) {
      const answer = await onFullDisk(["backup", file], { url: path, from });
      expect(answer).toEqual({ code: 1, err: FULL });
      expect(readdirSync(elsewhere)).toEqual([]);
    }
    expect(await onFullDisk(["backup", file], { url: path, from: 60_000 })).toEqual({ code: 0, err: "" });
    const before = readFileSync(path);
    const answer = await onFullDisk(["restore", file], { url: path, from: 1 });
    expect(answer).toEqual({ code: 1, err: FULL });
    // That of the database is full, and not that of the backup.
    expect(answer.err).toContain(`${path}: `);
    expect(readdirSync(folder)).toEqual(["service.db"]);
    expect(readFileSync(path).equals(before)).toBe(true);
  },
);
