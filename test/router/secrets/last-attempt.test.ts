// slow
import { expect, test } from "vitest";
import { takeAttempt } from "../../../db/secrets/secrets.ts";
import { PASSPHRASE_ATTEMPTS } from "../../../router/limits.ts";
import { call } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

test("a secret whose last guess never came to an outcome is locked before the call has to give up", async () => {
  const json = { content: "hush", passphrase: "right" };
  const { id, key } = (await call(service, "/api/secrets", { json })).body;
  const taking = { id: String(id), now: service.clock.now, ceiling: PASSPHRASE_ATTEMPTS };
  for (let i = 0; i < PASSPHRASE_ATTEMPTS; i++) await takeAttempt(service.db, taking);
  const reveal = `/api/secrets/${id}/reveal`;
  expect(await call(service, reveal, { json: { key, passphrase: "right" } })).toMatchObject({
    status: 410,
    body: { secretStatus: "locked" },
  });
}, 20_000);
