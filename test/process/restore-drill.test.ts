// process
import { randomFillSync } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePostgres, makeSqlite, type TestDatabase } from "../db/support/harness.ts";
import { runtimesHere, testWith } from "../machine/skips.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { isSweep, seed } from "../support/sampled.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { runAdminOn } from "./support/admin.ts";
import { forAll, reveal, share, startInstance, type Shared } from "./support/instances.ts";
import type { RunningServer } from "./support/server.ts";

/** Rounds on each database; more by hand. */
const ROUNDS = Number(process.env["DRILL_ROUNDS"] ?? (isSweep ? 2 : 1));
const PATIENCE_MS = 180_000 + ROUNDS * 120_000;
/** Each is asked for three times afterwards. */
const MOST_MEANWHILE = 100;
const RUNTIMES = runtimesHere();

/** Some chunks of a file. */
const FILE = randomFillSync(new Uint8Array(300_000));

let runs = 0;
/** Administers a database, each time on the next runtime. */
function administer(url: string, args: readonly string[], killAfter?: number) {
  const runtime = RUNTIMES[runs++ % RUNTIMES.length]!;
  // One that is killed does not come to removing what it has put there.
  const env = { DATABASE_URL: url, TMPDIR: makeTempFolder() };
  return runAdminOn(runtime, args, { env, killAfter });
}

/** What a round has seen: secrets by when they were made, and which were read before the backup or after it. */
interface Seen {
  before: Shared[];
  meanwhile: Shared[];
  after: Shared[];
  readBefore: Set<string>;
  /** A file of before the backup. */
  file: Omit<Shared, "content">;
}

/** A day at the server, with a backup in the middle of it; ends without notice. */
async function liveUntilKilled(url: string, backupFile: string): Promise<Seen> {
  const server = await startInstance(url);
  try {
    const before = await shareMany(server, "before", 8);
    const file = await shareFile(server);
    const readBefore = new Set(before.slice(0, 2).map(({ id }) => id));
    for (const secret of before.slice(0, 2)) expect((await reveal(server, secret)).status).toBe(200);
    const meanwhile: Shared[] = [];
    const backup = administer(url, ["backup", backupFile]);
    let isDone = false;
    void backup.finally(() => (isDone = true));
    while (!isDone && meanwhile.length < MOST_MEANWHILE)
      meanwhile.push(await share(server, `meanwhile ${meanwhile.length}`));
    expect(await backup).toMatchObject({ code: 0, err: "" });
    // These two can be read a second time where the backup's secrets are kept.
    for (const secret of before.slice(2, 4)) expect((await reveal(server, secret)).status).toBe(200);
    const after = await shareMany(server, "after", 3);
    const refused = await administer(url, ["restore", backupFile]);
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("in use") });
    return { before, meanwhile, after, readBefore, file };
  } finally {
    await server.kill();
  }
}

function shareMany(server: RunningServer, name: string, count: number): Promise<Shared[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => share(server, `${name} ${i}`)));
}

async function shareFile({ url }: RunningServer): Promise<Seen["file"]> {
  const headers = { "x-forwarded-for": freshIp() };
  const response = await fetch(`${url}/api/secrets/file`, { method: "POST", body: FILE, headers });
  expect(response.status).toBe(201);
  return (await response.json()) as Seen["file"];
}

/** Takes a file; answers whether it came, whole. */
async function takeFile({ url }: RunningServer, { id, key }: Seen["file"]): Promise<boolean> {
  const headers = { "content-type": "application/json", "x-forwarded-for": freshIp() };
  const body = JSON.stringify({ key });
  const response = await fetch(`${url}/api/secrets/${id}/file`, { method: "POST", body, headers });
  const content = Buffer.from(await response.arrayBuffer());
  if (response.status === 200) expect(content.equals(FILE)).toBe(true);
  else expect([404, 410]).toContain(response.status);
  return response.status === 200;
}

/** Every secret that the backup holds opens once, or is told gone; all others are told gone. */
async function expectOnce(url: string, seen: Seen, secrets: "keep" | "revoke"): Promise<void> {
  const server = await startInstance(url);
  try {
    const { before, meanwhile, after, readBefore, file } = seen;
    const taken = await Promise.all([takeFile(server, file), takeFile(server, file)]);
    expect(taken.filter(Boolean)).toHaveLength(secrets === "keep" ? 1 : 0);
    await forAll([...before, ...meanwhile, ...after], {
      atOnce: 4,
      work: async (secret) => {
        const first = await Promise.all([reveal(server, secret), reveal(server, secret)]);
        const opened = first.filter(({ status }) => status === 200);
        const isHeld = before.includes(secret) && !readBefore.has(secret.id);
        if (secrets === "revoke" || after.includes(secret) || readBefore.has(secret.id))
          expect(opened).toEqual([]);
        else if (isHeld) expect(opened).toHaveLength(1);
        else expect(opened.length).toBeLessThanOrEqual(1);
        for (const { content } of opened) expect(content).toBe(secret.content);
        for (const answer of first.filter(({ status }) => status !== 200))
          expect([404, 410]).toContain(answer.status);
        expect([404, 410]).toContain((await reveal(server, secret)).status);
      },
    });
  } finally {
    await server.stop();
  }
}

async function drill(place: TestDatabase, { round, file }: { round: number; file: string }): Promise<void> {
  const secrets = round % 2 === 0 ? "keep" : "revoke";
  const seen = await liveUntilKilled(place.url, file);
  // A killed process takes its connections with it a moment later.
  let restored: Awaited<ReturnType<typeof administer>> | undefined;
  const restore = async () => {
    restored = await administer(place.url, ["restore", file, "--secrets", secrets]);
    return restored.err;
  };
  await expect.poll(restore).not.toContain("in use");
  expect(restored).toMatchObject({ code: 0, err: "" });
  const { err, shown } = await administer(place.url, ["check"]);
  // A PostgreSQL for tests may clean up nowhere, which is told.
  const { vacuum: _, "free space": __, "": ___, ...rows } = shown;
  expect([err, Object.values(rows).filter((found) => !/^(ok|\d+)$/.test(found))]).toEqual(["", []]);
  await expectOnce(place.url, seen, secrets);
}

test(
  "a SQLite server that was killed is restored over what it has left",
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const place = await makeSqlite();
      await drill(place, { round, file: join(makeTempFolder(), "backup.db") });
      const asides = readdirSync(join(place.url, "..")).filter((name) => name.includes("before-restore"));
      expect(asides).toHaveLength(1);
      await place.drop();
    }
  },
  PATIENCE_MS,
);

testWith("PostgreSQL", "pg_dump", "pg_restore")(
  "a PostgreSQL server that was killed is restored",
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const place = await makePostgres();
      // A single round is another one than on SQLite.
      await drill(place, { round: round + 1, file: join(makeTempFolder(), "backup.dump") });
      await place.drop();
    }
  },
  PATIENCE_MS,
);

test(
  "a restore that is killed leaves the old database or the new one",
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const place = await makeSqlite();
      const file = join(makeTempFolder(), "backup.db");
      const { before, after } = await liveUntilKilled(place.url, file);
      const started = performance.now();
      const whole = await administer(join(makeTempFolder(), "try.db"), ["restore", file]);
      expect(whole.code).toBe(0);
      // The same runtime is not needed: where in its work the next one is killed is to differ. Each moment is right.
      const part = (round + (seed % 100) / 100) / ROUNDS;
      const killAfter = (performance.now() - started) * (0.5 + 0.6 * part);
      const held = readFileSync(file);
      const killed = await administer(place.url, ["restore", file, "--secrets", "keep"], killAfter);
      expect(readFileSync(file).equals(held)).toBe(true);
      expect(await administer(place.url, ["check"])).toMatchObject({ code: 0, err: "" });
      const isNew = readdirSync(join(place.url, "..")).some((name) => name.includes("before-restore"));
      if (killed.code === 0) expect(isNew).toBe(true);
      await expectEither(place, { before, after });
      await place.drop();
    }
  },
  PATIENCE_MS,
);

/** The old database has what was made after the backup, and the new one has not. */
async function expectEither(place: TestDatabase, { before, after }: Pick<Seen, "before" | "after">) {
  const server = await startInstance(place.url);
  try {
    const statuses = async (secrets: Shared[]) =>
      new Set(
        (await Promise.all(secrets.map((secret) => reveal(server, secret)))).map(({ status }) => status),
      );
    const late = await statuses(after);
    expect(late.size).toBe(1);
    expect([200, 404]).toContain([...late][0]);
    expect(await statuses(before.slice(4))).toEqual(new Set([200]));
  } finally {
    await server.stop();
  }
  expect(existsSync(place.url)).toBe(true);
}
