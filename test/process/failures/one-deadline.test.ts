// process
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { describeWith, runtimesHere } from "../../machine/skips.ts";
import { makeOwnPostgres, type OwnPostgres } from "../support/postgres.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { beginFault, everyCall, OTHERS, poster, reveal, share, timed } from "./faults.ts";

// Faults in silence, and how long calls wait then, are in test/timing/call-deadlines.test.ts.
describeWith("initdb")("a PostgreSQL that", () => {
  let database: OwnPostgres;
  let server: RunningServer;
  beforeAll(async () => {
    database = await makeOwnPostgres();
    const settings = { DATABASE_URL: database.url, WORKERS: "1", TRUST_PROXY: "1" };
    server = await startServer(runtimesHere()[0]!, settings);
  });
  afterAll(async () => {
    await server?.stop();
    database?.drop();
  });

  test.each(OTHERS)("%s keeps no call waiting for its end, and costs no secret", async (name) => {
    const post = poster(server.url);
    const readiness = async () => (await fetch(`${server.url}/readyz`)).status;
    await expect.poll(readiness).toBe(200);
    const [kept, asked] = [await share(post), await share(post)];
    const mend = await beginFault(name, database);
    onTestFinished(mend);
    const calls = Promise.all(everyCall(post, asked).map(timed));
    await expect.poll(readiness).toBe(503);
    const answers = await calls;
    // What does not need what is locked goes on.
    for (const { status, text } of answers.filter((answer) => answer.status >= 500))
      expect([status, text]).toEqual([503, expect.stringMatching(/"code":"(database_un|overl)/)]);
    expect(answers.map(({ status }) => status)).toContain(503);
    await mend();
    const isBack = async () => [(await post("/", "hush")).status, await readiness()];
    await expect.poll(isBack).toEqual([201, 200]);
    // Nobody had asked for it.
    expect(await timed(reveal(post, kept))).toMatchObject({ status: 200, text: "hush" });
  });
});
