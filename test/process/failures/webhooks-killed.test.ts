// process
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import {
  SECRET,
  signatureOf,
  startReceiver,
  type Received,
} from "../../adapters/operations/support/receiver.ts";
import { describeShared, makeSqlite, type TestDatabase } from "../../db/support/harness.ts";
import { describeEach } from "../../machine/skips.ts";
import { nodePath, runtimeAt, type Runtime } from "../../support/runtimes.ts";
import { isSweep } from "../../support/sampled.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { forAll, reveal, share } from "../support/instances.ts";
import { startServer, type RunningServer } from "../support/server.ts";

/** Servers that are killed while events come; more by hand. */
const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? (isSweep ? 3 : 2));
const PATIENCE_MS = 180_000 + ROUNDS * 60_000;
const LANES = 4;
/** What a killed server has taken is free again. */
const LEASE_MS = 61_000;
const CLOCK = fileURLToPath(new URL("../../soak/clock.mjs", import.meta.url));
const PRELOAD = { node: "--import", deno: "--preload", bun: "--preload" };

/** A server on a database whose events go to a receiver, and whose clock goes as fast as the test likes. */
function makeStart(runtime: Runtime, env: { DATABASE_URL: string; WEBHOOK_URL: string }) {
  const file = join(makeTempFolder(), "clock");
  let ahead = 0;
  const hurry = (milliseconds: number) => writeFileSync(file, String((ahead += milliseconds)));
  const clock = runtime.name === "node" ? pathToFileURL(CLOCK).href : CLOCK;
  const changed = { ...runtime, args: [...runtime.args, PRELOAD[runtime.name], clock] };
  const settings = { ...env, WEBHOOK_SECRET: SECRET, TRUST_PROXY: "1", WORKERS: "1", SOAK_CLOCK: file };
  const start = async () => {
    hurry(LEASE_MS);
    const server = await startServer(changed, settings);
    onTestFinished(server.kill);
    return server;
  };
  return { start, hurry };
}

/** Shares and reads until the server is gone; tells of each event of which a caller was told that it has happened. */
async function work(server: RunningServer, tell: (event: string) => void): Promise<void> {
  for (;;) {
    const secret = await share(server, "a").catch(() => undefined);
    if (!secret) return;
    tell(`secret.created ${secret.id}`);
    const read = await reveal(server, secret).catch(() => undefined);
    if (read?.status !== 200) return;
    tell(`secret.revealed ${secret.id}`);
  }
}

const nameOf = ({ type, data }: Received) => `${type} ${String(data["id"])}`;

async function expectAllToArrive(runtime: Runtime, place: TestDatabase, rounds: number): Promise<void> {
  // Slow, so that calls are under way when a server dies, and sometimes out of order.
  const answer = async (count: number) => (await sleep(Math.random() * 60), count % 7 === 0 ? 503 : 204);
  const receiver = await startReceiver(answer);
  const env = { DATABASE_URL: place.url, WEBHOOK_URL: receiver.url };
  const { start, hurry } = makeStart(runtime, env);
  const happened = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const server = await start();
    const before = happened.size;
    const lanes = forAll(Array.from({ length: LANES }), {
      atOnce: LANES,
      work: () => work(server, (event) => void happened.add(event)),
    });
    await expect.poll(() => happened.size).toBeGreaterThan(before + 20);
    await sleep(Math.random() * 400);
    // One is told to end, as at an upgrade.
    await (round === rounds - 1 && rounds > 1 ? server.stop() : server.kill());
    await lanes;
  }
  const last = await start();
  const missing = async () => {
    hurry(10_000);
    await fetch(`${last.url}/readyz`);
    const arrived = new Set(receiver.received.map(nameOf));
    return [...happened].filter((event) => !arrived.has(event));
  };
  await expect.poll(missing, { interval: 500 }).toEqual([]);
  expect(happened.size).toBeGreaterThan(rounds * 20);
  const ids = new Map<string, string>();
  for (const call of receiver.received) {
    expect(call.headers["webhook-signature"]).toBe(signatureOf(call));
    ids.set(String(call.headers["webhook-id"]), nameOf(call));
  }
  // What comes again has the id that it had.
  expect(new Set(ids.values()).size).toBe(ids.size);
  await last.stop();
}

describeShared("events of servers that are killed, on %s", (make) => {
  test(
    "arrive at least once, each under one id, and none is lost",
    async () => {
      const place = await make();
      await expectAllToArrive(runtimeAt("node", nodePath()), place, ROUNDS);
      await place.drop();
    },
    PATIENCE_MS,
  );
});

describeEach(
  "events of a server on $name that is killed",
  (runtime) => {
    test(
      "arrive from the next one",
      async () => {
        const place = await makeSqlite();
        await expectAllToArrive(runtime, place, 1);
        await place.drop();
      },
      PATIENCE_MS,
    );
  },
  { names: ["deno", "bun"] },
);
