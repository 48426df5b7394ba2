// slow
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../db/open.ts";
import { describeShared, type TestDatabase } from "../../db/support/harness.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { startInstance } from "../support/instances.ts";
import type { RunningServer } from "../support/server.ts";

const PIECE = 2 ** 18;
/** A server is believed dead after 30 seconds without a sign, and sweeps a second later; a minute for a busy machine. */
const LEASE_MS = 31_000;
const PATIENCE_MS = 60_000 + LEASE_MS;

/** A body of so many pieces, one each `everyMs`. */
function paced(pieces: number, everyMs: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent++ === pieces) return controller.close();
      controller.enqueue(new Uint8Array(PIECE));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    },
  });
}

describeShared("uploads to a server that is killed, on %s", (make) => {
  let [place, db] = [] as unknown as [TestDatabase, Database];
  let other: RunningServer;
  beforeAll(async () => {
    place = await make();
    other = await startInstance(place.url);
    db = await place.open();
  }, 120_000);
  afterAll(async () => {
    await other.stop();
    await db.close();
    await place.drop();
  });

  const files = () => db.query.selectFrom("secret_file").select(["size", "sweep_at"]).execute();
  const claims = async () => {
    const rows = db.query.selectFrom("allowance").select("count").where("bucket", "=", "storedBytes");
    return (await rows.execute()).map(({ count }) => count).toSorted((a, b) => b - a);
  };
  const share = ({ url }: RunningServer, body: ReadableStream<Uint8Array>) =>
    fetch(`${url}/api/secrets/file`, {
      ...{ method: "POST", body, duplex: "half" as const, headers: { "x-forwarded-for": freshIp() } },
    });

  test(
    "are given back once it is started again, and those to a living one go on",
    async () => {
      const mortal = await startInstance(place.url);
      const lost = share(mortal, paced(1000, 50));
      lost.catch(() => undefined);
      // Longer than the lease: without a sign of its server it would be swept.
      const living = share(other, paced(45, 1000));
      await expect.poll(async () => (await claims())[0], { timeout: 30_000 }).toBeGreaterThan(4 * PIECE);
      await mortal.kill();
      await expect(lost).rejects.toThrow();
      const again = await startInstance(place.url);
      try {
        expect((await files()).length).toBe(2);
        await expect.poll(files, { timeout: PATIENCE_MS }).toHaveLength(1);
        // The row is deleted first, then what it had claimed is given back.
        await expect.poll(async () => (await claims()).at(-1), { timeout: 20_000 }).toBe(0);
        const made = await living;
        expect(made.status).toBe(201);
        const [stored] = await claims();
        expect(stored).toBeGreaterThan(45 * PIECE);
        expect(await files()).toMatchObject([{ sweep_at: null }]);
      } finally {
        await again.stop();
      }
    },
    3 * PATIENCE_MS,
  );
});
