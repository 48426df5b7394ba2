// process
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Database } from "../../../db/open.ts";
import { describeShared, type TestDatabase } from "../../db/support/harness.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { startInstance } from "../support/instances.ts";
import type { RunningServer } from "../support/server.ts";

const PIECE = 2 ** 18;
/** A server is believed dead after 30 seconds without a sign; the others sweep a second later and then each minute. */
const PATIENCE_MS = 150_000;

/** A body of one piece a second until it is ended, and how many pieces it has had. */
function openSlow() {
  const slow = { pieces: 0, isOver: false };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (slow.isOver) return controller.close();
      controller.enqueue(new Uint8Array(PIECE));
      slow.pieces++;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    },
  });
  return Object.assign(slow, { body });
}

/** A body of some pieces that never ends. */
function openStuck(pieces: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let i = 0; i < pieces; i++) controller.enqueue(new Uint8Array(PIECE));
    },
  });
}

// At the same time, because both wait for most of a minute.
describe.concurrent("on all databases at once", () => {
  describeShared("uploads to a server that is killed, on %s", (make) => {
    let [place, db] = [] as unknown as [TestDatabase, Database];
    let other: RunningServer;
    beforeAll(async () => {
      place = await make();
      other = await startInstance(place.url);
      db = await place.open();
    });
    afterAll(async () => {
      await other.stop();
      await db.close();
      await place.drop();
    });

    const files = () => db.query.selectFrom("secret_file").select(["secret_id", "sweep_at"]).execute();
    const counts = async (bucket: string) => {
      const rows = db.query.selectFrom("allowance").select("count").where("bucket", "like", bucket);
      return (await rows.execute()).map(({ count }) => count).toSorted((a, b) => b - a);
    };
    const claims = () => counts("storedBytes");
    let last = 0;
    /** Whether all that the one upload has claimed is noted for who sweeps after a kill, and no more has come. */
    const isQuiet = async () => {
      const [[claimed], [noted = 0]] = [await claims(), await counts("arriving %")];
      const isSame = noted === last && noted === claimed;
      last = noted;
      return isSame && noted > 4 * PIECE;
    };
    const share = ({ url }: RunningServer, body: ReadableStream<Uint8Array>) =>
      fetch(`${url}/api/secrets/file`, {
        ...{ method: "POST", body, duplex: "half" as const, headers: { "x-forwarded-for": freshIp() } },
      });

    test(
      "are given back once it is started again, and those to a living one go on",
      async ({ expect }) => {
        const mortal = await startInstance(place.url);
        const lost = share(mortal, openStuck(5));
        lost.catch(() => undefined);
        // A claim is counted before it is noted: killed in between, it would be given back only when its window ends.
        await expect.poll(isQuiet, { interval: 500 }).toBe(true);
        const slow = openSlow();
        const living = share(other, slow.body);
        await expect.poll(files).toHaveLength(2);
        await mortal.kill();
        await expect(lost).rejects.toThrow();
        const left = await files();
        expect(left).toHaveLength(2);
        const again = await startInstance(place.url);
        try {
          await expect.poll(files, { timeout: PATIENCE_MS }).toHaveLength(1);
          // Not before its time.
          const [still] = await files();
          const gone = left.find(({ secret_id }) => secret_id !== still?.secret_id);
          expect(Date.now() / 1000).toBeGreaterThanOrEqual(gone?.sweep_at ?? Infinity);
          // The row is deleted first, then what it had claimed is given back.
          await expect.poll(async () => (await claims()).at(-1)).toBe(0);
          // It began before the server that has swept it, and was only kept for the signs of its own.
          slow.isOver = true;
          expect((await living).status).toBe(201);
          const [stored] = await claims();
          expect(stored).toBeGreaterThan(slow.pieces * PIECE);
          expect(await files()).toMatchObject([{ sweep_at: null }]);
        } finally {
          await again.stop();
        }
      },
      2 * PATIENCE_MS,
    );
  });
});
