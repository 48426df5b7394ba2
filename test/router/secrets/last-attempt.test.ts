import { expect, onTestFinished, test, vi } from "vitest";
import { takeAttempt } from "../../../db/secrets/secrets.ts";
import { LONGEST_WAIT_MS } from "../../../db/running-call.ts";
import { PASSPHRASE_ATTEMPTS } from "../../../router/limits.ts";
import { call } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

/** The pause between two looks for the outcome. */
const LOOK_MS = 200;

const service = withServer();

/** Skips those pauses until the test ends, and says how long all of them would have been. */
function skipLooks(): () => number {
  let skipped = 0;
  const start = setTimeout;
  const skip = (run: () => void, ms = 0) => {
    if (ms !== LOOK_MS) return start(run, ms);
    skipped += ms;
    return start(run, 0);
  };
  // Node's has a second form, for promises, that nobody here calls.
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(skip as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return () => skipped;
}

test("a secret whose last guess never came to an outcome is locked before the call has to give up", async () => {
  const json = { content: "hush", passphrase: "right" };
  const { id, key } = (await call(service, "/api/secrets", { json })).body;
  const taking = { id: String(id), now: service.clock.now, ceiling: PASSPHRASE_ATTEMPTS };
  for (let i = 0; i < PASSPHRASE_ATTEMPTS; i++) await takeAttempt(service.db, taking);
  const lookedMs = skipLooks();
  const reveal = `/api/secrets/${id}/reveal`;
  expect(await call(service, reveal, { json: { key, passphrase: "right" } })).toMatchObject({
    status: 410,
    body: { secretStatus: "locked" },
  });
  expect(lookedMs()).toBeGreaterThan(0);
  // A second is left for the rest of the call.
  expect(lookedMs()).toBeLessThanOrEqual(LONGEST_WAIT_MS - 1_000);
});
