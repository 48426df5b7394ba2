// process
import { expect, onTestFinished, test } from "vitest";
import { describeWith } from "../../machine/skips.ts";
import { openBody } from "../../support/harness.ts";
import { jsonPost } from "../../support/requests.ts";
import { startForTest } from "../../support/with-server.ts";
import { makePostgres } from "../support/harness.ts";
import { layWire } from "../support/proxy.ts";

/** A caller has ten tries, which a fast machine would make before the key is free. */
const ASKED_EVERY_MS = 250;

describeWith("PostgreSQL")("a call with an idempotency key that failed while PostgreSQL was away", () => {
  async function startOnWire() {
    const place = await makePostgres();
    onTestFinished(() => place.drop());
    const wire = await layWire(place.url);
    onTestFinished(() => wire.cut());
    return { wire, service: await startForTest({ databaseUrl: wire.url }) };
  }

  // The clock of the test stands still: no claim ends by itself.
  test("leaves its key to the next try, as soon as PostgreSQL is there again", async () => {
    const { wire, service } = await startOnWire();
    const [key, ip, path, ends] = [
      crypto.randomUUID(),
      "192.0.2.9",
      "/api/secrets/file",
      [] as (() => void)[],
    ];
    const headers = { "idempotency-key": key };
    const upload = service.request(path, { method: "POST", body: openBody(ends), headers, ip });
    await expect.poll(() => ends.length).toBe(1);
    await wire.cut();
    ends[0]?.();
    expect((await upload).status).toBe(503);
    await wire.mend();
    const again = async () => {
      const { status } = await service.request(path, { method: "POST", body: "a file", headers, ip });
      return status;
    };
    await expect.poll(again, { interval: ASKED_EVERY_MS }).toBe(201);
  });

  test("also where the answer to the claim itself was lost", async () => {
    const { wire, service } = await startOnWire();
    const sent = {
      ...jsonPost({ content: "hush" }, { "idempotency-key": crypto.randomUUID() }),
      ip: "192.0.2.9",
    };
    expect((await service.request("/api/instance")).status).toBe(200);
    await wire.cut();
    expect((await service.request("/api/secrets", sent)).status).toBe(503);
    await wire.mend();
    const again = async () => (await service.request("/api/secrets", sent)).status;
    await expect.poll(again, { interval: ASKED_EVERY_MS }).toBe(201);
  });
});
