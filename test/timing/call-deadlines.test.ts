import { test } from "vitest";
import { describeEach } from "../machine/skips.ts";
import { beginFault, everyCall, poster, reveal, share, SILENT, timed } from "../process/failures/faults.ts";
import { makeOwnPostgres } from "../process/support/postgres.ts";
import { startServer } from "../process/support/server.ts";

/** Ten seconds are promised, and a silent server is given half a one; a call with two deadlines would take twenty. */
const LONGEST_MS = 17_500;
const WAVES = 3;
const WAVE_MS = 1_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describeEach(
  "on $name, a PostgreSQL that",
  (runtime) => {
    // At the same time, because both wait for most of it.
    test.concurrent.for(SILENT)(
      "%s costs no call more than its deadline, and no secret",
      async (name, context) => {
        const { expect, onTestFinished } = context;
        const database = await makeOwnPostgres();
        onTestFinished(() => database.drop());
        const settings = { DATABASE_URL: database.url, WORKERS: "1", TRUST_PROXY: "1" };
        const server = await startServer(runtime, settings);
        onTestFinished(async () => void (await server.stop()));
        const post = poster(server.url);
        const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
        await expect.poll(readiness).toBe(200);
        const [kept, ...asked] = await Promise.all([
          share(post),
          ...Array.from({ length: WAVES }, () => share(post)),
        ]);
        const mend = await beginFault(name, database);
        onTestFinished(mend);
        const calls: ReturnType<typeof timed>[] = [];
        for (const shared of asked) {
          calls.push(...everyCall(post, shared).map(timed));
          await pause(WAVE_MS);
        }
        await expect.poll(readiness).toBe(503);
        const answers = await Promise.all(calls);
        for (const { status, text, milliseconds } of answers) {
          expect(milliseconds).toBeLessThan(LONGEST_MS);
          // What does not need what is locked goes on.
          if (status >= 500)
            expect([status, text]).toEqual([503, expect.stringMatching(/"code":"(database_un|overl)/)]);
        }
        expect(answers.map(({ status }) => status)).toContain(503);
        await mend();
        const isBack = async () => [(await post("/", "hush")).status, await readiness()];
        await expect.poll(isBack).toEqual([201, 200]);
        // Nobody had asked for it.
        expect(await timed(reveal(post, kept))).toMatchObject({ status: 200, text: "hush" });
      },
    );
  },
  { things: ["initdb"] },
);
