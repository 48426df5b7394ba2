// process
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { basicEnvironment } from "../machine/leftovers.ts";
import { describeEach, hasThing, testIf } from "../machine/skips.ts";
import { makePostgres } from "../db/support/harness.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { exitCodes, programOf } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

const MEGABYTES = 20;

/** Sends a file to be locked and comes back with the answer before its body is read. */
async function lock(url: string): Promise<IncomingMessage> {
  const sent = request(`${url}/api/tools/file-encrypt`, {
    method: "POST",
    headers: { "tool-password": "correct horse", "content-type": "application/octet-stream" },
  });
  sent.end(Buffer.alloc(MEGABYTES * 1_000_000, 7));
  const [response] = await once(sent, "response");
  return response;
}

/** How many wait for a lock in the database of a connection. */
async function countWaiting(connection: pg.Client): Promise<number | null> {
  const { rowCount } = await connection.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
  );
  return rowCount;
}

describeEach("a server that is ended on $name", (runtime) => {
  test("ends idle connections, sends an answer whole to a slow reader, and ends with 0", async () => {
    const server = await startForTest(runtime, { WORKERS: "1" });
    const idle = connect(Number(new URL(server.url).port), "127.0.0.1");
    idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(idle, "data");
    idle.resume();
    const response = await lock(server.url);
    expect(response.statusCode).toBe(200);
    response.pause();
    const stopped = server.stop();
    // A server that waited for it would cut the answer at its deadline. From here on the server is ending.
    await once(idle, "end");
    let length = 0;
    const digest = createHash("sha256");
    for await (const chunk of response) {
      length += Buffer.byteLength(chunk);
      digest.update(chunk);
    }
    // Bun 1.4 sends a stream in chunks and leaves out the Content-Length that it was given.
    expect(response.headers["repr-digest"]).toBe(`sha-256=:${digest.digest("base64")}:`);
    expect(length).toBeGreaterThan(MEGABYTES * 1_000_000);
    expect(exitCodes(0)).toContain(await stopped);
  });

  // Service managers send the first for a reload, the rotation of logs the others, which it means for other programs.
  test.each(["SIGHUP", "SIGUSR1", "SIGUSR2"] as const)("goes on after %s", async (signal) => {
    const server = await startForTest(runtime);
    process.kill(server.pid, signal);
    for (let tries = 0; tries < 3; tries++) {
      await sleep(100);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    }
    const [, debuggerAt] = /listening on ws:\/\/([\w.:]+)/.exec(server.output()) ?? [];
    const isOpen = () =>
      fetch(`http://${debuggerAt}/json/list`).then(
        () => true,
        () => false,
      );
    if (debuggerAt !== undefined) await expect.poll(isOpen).toBe(false);
    expect(exitCodes(0)).toContain(await server.stop());
  });

  test("writes the calls that it has counted before it ends", async () => {
    const url = join(makeTempFolder(), "service.db");
    const server = await startForTest(runtime, { DATABASE_URL: url });
    for (const length of [8, 9, 5000]) await fetch(`${server.url}/api/tools/password?length=${length}`);
    expect(exitCodes(0)).toContain(await server.stop());
    const db = await openDatabase(url);
    const rows = await db.query.selectFrom("usage").select(["tool", "succeeded", "count"]).execute();
    await db.close();
    expect(rows.toSorted((a, b) => a.count - b.count)).toEqual([
      { tool: "password", succeeded: 0, count: 1 },
      { tool: "password", succeeded: 1, count: 2 },
    ]);
  });

  const canBeFirst = spawnSync("unshare", ["--fork", "--pid", "--mount-proc", "true"]).status === 0;

  testIf(canBeFirst && hasThing("PostgreSQL"), "needs unshare as root, and PostgreSQL").each(
    Object.entries({ server: ["main"], administration: ["admin", "user", "add", "ann"] } as const),
  )(
    "ends the %s while it waits for its database, also as the first process of a container",
    async (_, [program, ...args]) => {
      const place = await makePostgres();
      const holder = new pg.Client({ connectionString: place.url });
      await holder.connect();
      await holder.query("select pg_advisory_lock(3853314791062309107)");
      const first = [
        "--fork",
        "--pid",
        "--mount-proc",
        "--kill-child",
        ...programOf(runtime, program),
        ...args,
      ];
      const env = {
        ...basicEnvironment(),
        DATABASE_URL: place.url,
        INSTANCE_KEY: Buffer.alloc(32, 7).toString("base64"),
        PORT: "0",
      };
      const child = spawn("unshare", first, { env });
      const ended = once(child, "close");
      try {
        await expect.poll(() => countWaiting(holder), { timeout: 60_000 }).toBe(1);
        const server = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
        // 0 would be the tests themselves.
        expect(Number(server)).toBeGreaterThan(1);
        process.kill(Number(server), "SIGTERM");
        expect(await ended).toEqual([128 + constants.signals.SIGTERM, null]);
      } finally {
        child.kill("SIGKILL");
        await holder.end();
        await place.drop();
      }
    },
  );

  testIf(canBeFirst, "needs unshare as root")(
    "ends the command line too as the first process of a container",
    async () => {
      const first = ["--fork", "--pid", "--mount-proc", "--kill-child", ...programOf(runtime, "cli"), "mcp"];
      const child = spawn("unshare", first, { env: basicEnvironment() });
      const ended = once(child, "close");
      try {
        child.stdin.write("no message\n");
        await once(child.stdout, "data");
        const command = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
        expect(Number(command)).toBeGreaterThan(1);
        process.kill(Number(command), "SIGTERM");
        expect(await ended).toEqual([128 + constants.signals.SIGTERM, null]);
      } finally {
        child.kill("SIGKILL");
      }
    },
  );
});
