// slow
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { DatabaseUnavailable } from "../../../db/open.ts";
import { call } from "../../support/members.ts";
import { jsonPost } from "../../support/requests.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();

const read = async (name: string, { metrics } = service) => {
  const line = (await metrics.text()).split("\n").find((each) => each.startsWith(`hushkit_${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
};

test("calls of the database are counted by kind", async () => {
  const kinds = ["read", "write"].map((kind) => `database_seconds_count{call="${kind}"}`);
  const before = await Promise.all(kinds.map((kind) => read(kind)));
  await call(service, "/api/secrets", { json: { content: "x" } });
  await service.db.query.selectFrom("member").select("id").execute();
  const after = await Promise.all(kinds.map((kind) => read(kind)));
  for (const [i, count] of after.entries()) expect(count).toBeGreaterThan(before[i] ?? 0);
});

test("how many chunks a file has is not counted", async () => {
  const count = async (bytes: number) => {
    const own = await startForTest();
    const body = new Uint8Array(bytes);
    const headers = { "content-type": "application/octet-stream" };
    const made = await own.request("/api/secrets/file", { method: "POST", body, headers });
    const { id, key } = (await made.json()) as { id: string; key: string };
    const sent = await own.request(`/api/secrets/${id}/file`, jsonPost({ key }));
    expect((await sent.arrayBuffer()).byteLength).toBe(bytes);
    const kinds = ["read", "write"].map((kind) => `database_seconds_count{call="${kind}"}`);
    return Promise.all(kinds.map((kind) => read(kind, own)));
  };
  expect(await count(9_000_000)).toEqual(await count(1_000));
});

test("a call that finds the database unavailable is counted", async () => {
  const folder = makeTempFolder();
  const own = await startForTest({ databaseUrl: `${folder}/service.db` });
  expect(await read("database_failures_total", own)).toBe(0);
  rmSync(`${folder}/service.db`);
  await expect(own.db.ping()).rejects.toThrow(DatabaseUnavailable);
  expect(await read("database_failures_total", own)).toBeGreaterThan(0);
});

test("a file's disk and log are told in large steps, and nothing of a database in memory", async () => {
  const onDisk = await startForTest({ databaseUrl: `${makeTempFolder()}/service.db` });
  await call(onDisk, "/api/secrets", { json: { content: "x" } });
  expect((await read("disk_free_bytes", onDisk))! % 2 ** 26).toBe(0);
  expect((await read("database_log_bytes", onDisk))! % 2 ** 24).toBe(0);
  expect((await read("stored_bytes", onDisk))! % 2 ** 26).toBe(0);
  const inMemory = await startForTest({ databaseUrl: ":memory:" });
  expect(await read("disk_free_bytes", inMemory)).toBeUndefined();
  expect(await inMemory.metrics.text()).toContain("# TYPE hushkit_disk_free_bytes gauge");
});

test("sweeps tell what they did and how long ago", async () => {
  const own = await startForTest({ databaseUrl: ":memory:" });
  await call(own, "/api/secrets", { json: { content: "x", expires: 60 } });
  await own.sweep();
  const before = (await read("swept_rows_total", own)) ?? NaN;
  own.clock.now += 60;
  own.uptime.now += 60;
  expect(await read("sweep_lag_seconds", own)).toBe(60);
  await own.sweep();
  expect(await read("sweep_lag_seconds", own)).toBe(0);
  expect(await read("swept_rows_total", own)).toBeGreaterThan(before);
});

test("lanes, connections and deliveries are there from the start", async () => {
  for (const lane of ["documents", "images", "bodies", "passwords", "file_locks"])
    for (const what of ["running", "waiting"]) expect(await read(`lane_${what}{lane="${lane}"}`)).toBe(0);
  expect(await read("deliveries")).toBe(0);
  expect(await read("database_waiting")).toBe(0);
  expect(await read('database_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
  expect(await read("stored_bytes_limit")).toBe(64 * 1024 * 1024);
});
