// slow
import { expect, test } from "vitest";
import { insertHook, listHooks } from "../../../db/accounts/hooks.ts";
import { findMember, insertMember } from "../../../db/accounts/members.ts";
import { claimKey, findAnswer, keepFirstAnswer } from "../../../db/idempotency-keys.ts";
import { findSession, insertSession } from "../../../db/accounts/sessions.ts";
import { findToken, insertToken } from "../../../db/accounts/tokens.ts";
import { prepareRestored } from "../../../db/backup/contents.ts";
import { repeatSecret } from "../../../db/deliveries/contents.ts";
import type { Database } from "../../../db/open.ts";
import { answerRequest, collectAnswer } from "../../../db/deliveries/answers.ts";
import { findRequest, insertRequest } from "../../../db/requests.ts";
import { activateFile, beginFile, storeChunks } from "../../../db/secrets/secret-files.ts";
import { claimSecret, findSecret, insertSecret, storedBytes } from "../../../db/secrets/secrets.ts";
import { claimStoredBytes } from "../../../db/stored-bytes.ts";
import {
  BY_PASSWORD,
  bytes,
  newMember,
  newRequest,
  newSecret,
  newSession,
  newToken,
} from "../support/fixtures.ts";
import { DATABASES, useDatabase } from "../support/harness.ts";

const RIGHT = { verifier: bytes(1), passVerifier: null, now: 1_650 };
const ANSWERED = bytes(8);
const TICKET = { hash: bytes(7), sweepAt: 9_000 };

/** A database in the middle of everything. */
async function fill(db: Database) {
  const member = newMember();
  await insertMember(db, member);
  const session = newSession({ member: member.id });
  const token = newToken({ member: member.id });
  await insertSession(db, session, BY_PASSWORD);
  await insertToken(db, token);
  await insertHook(db, {
    ...{ id: "h", member: member.id, form: "slack", host: "a.example", events: ["secret.revealed"] },
    ...{ sealed: bytes(1), createdAt: 1_500, ceiling: 3 },
  });
  const [kept, taken, delivered, file, arriving] = [1, 2, 3, 4, 5].map(() => newSecret({ owner: member.id }));
  for (const secret of [kept!, taken!, delivered!]) await insertSecret(db, secret);
  await claimSecret(db, { ...RIGHT, id: taken!.id, now: 1_500 });
  await claimSecret(db, { ...RIGHT, id: delivered!.id, now: 1_500, ticket: TICKET });
  for (const { id, owner } of [file!, arriving!]) {
    await beginFile(db, { id, owner, sweepAt: 1_700 });
    await storeChunks(db, { id, from: 1, chunks: [bytes(1, 100)], sweepAt: 1_700 });
  }
  await activateFile(db, { ...file!, fileSize: 90, storedSize: 160 });
  const [answered, open] = [newRequest({ note: "n1.x" }), newRequest({ owner: member.id })];
  for (const request of [answered, open]) await insertRequest(db, request);
  const sealed = bytes(4, 60);
  await answerRequest(db, { id: answered.id, gateHash: bytes(1), sealed, now: 1_500 });
  await db.write((trx) =>
    claimStoredBytes(trx, { key: bytes(9), owner: member.id, bytes: 5_000, limit: 9_000, now: 1_500 }),
  );
  const call = { claim: "a call", now: 1_500, sweepAt: 9_000 };
  await claimKey(db, { ...call, keyHash: bytes(6) });
  const answer = { keyHash: ANSWERED, bodyHash: bytes(3), sealed: bytes(2, 40) };
  await db.write((trx) => keepFirstAnswer(trx, { ...call, ...answer }));
  const ids = { kept, taken, delivered, file };
  return { member, session, token, answered, open, ids };
}

const restored = (db: Database, secrets: "keep" | "revoke") =>
  // The harness opens the databases with all migrations; those of an old backup run in other tests.
  db.query.transaction().execute((trx) => prepareRestored(trx, { kind: db.kind, now: 1_600, secrets }));

const statusOf = async (db: Database, id = "") => (await findSecret(db, id, 1_650))?.status;

const countRows = async (db: Database) => {
  const contents = ["secret_content", "secret_chunk", "secret_file", "request_answer"] as const;
  const tables = [...contents, "allowance", "idempotency_key"] as const;
  const counts = tables.map(async (table) => (await db.query.selectFrom(table).selectAll().execute()).length);
  return Promise.all(counts);
};

test.each(Object.entries(DATABASES))("a restored %s has nothing left to read, and its accounts", (_, make) =>
  useDatabase(make, async (db) => {
    const { member, session, token, answered, open, ids } = await fill(db);
    expect(await restored(db, "revoke")).toEqual({ accounts: 1, unread: 0 });
    expect(await countRows(db)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await findSecret(db, ids.kept!.id, 1_700)).toMatchObject({
      ...{ status: "revoked", closedAt: 1600 },
    });
    expect(await statusOf(db, ids.file!.id)).toBe("revoked");
    expect(await findSecret(db, ids.taken!.id, 1_700)).toMatchObject({
      ...{ status: "revealed", closedAt: 1500 },
    });
    for (const { id } of [answered, open])
      expect(await findRequest(db, id, 1_700)).toMatchObject({ status: "cancelled", note: null });
    expect(await findSession(db, { hash: session.hash, now: 1_500, idleSeconds: 900 })).toBeUndefined();
    expect(await findToken(db, token.hash, 1_500)).toBeUndefined();
    expect(await listHooks(db, member.id)).toEqual([]);
    expect(await findMember(db, { id: member.id })).toMatchObject({ name: member.name });
    expect(await storedBytes(db)).toBe(0);
  }),
);

test.each(Object.entries(DATABASES))("a restored %s keeps what was unread, if told to", (_, make) =>
  useDatabase(make, async (db) => {
    const { session, token, answered, open, ids, member } = await fill(db);
    expect(await restored(db, "keep")).toEqual({ accounts: 1, unread: 2 });
    // The text and the head of the file; its chunk; the answer. What arrived or was delivered is gone.
    expect(await countRows(db)).toEqual([2, 1, 1, 1, 0, 1]);
    expect(await findAnswer(db, ANSWERED, 1_650)).toMatchObject({ bodyHash: bytes(3) });
    expect(await claimSecret(db, { ...RIGHT, id: ids.kept!.id })).toBeDefined();
    expect(await claimSecret(db, { ...RIGHT, id: ids.kept!.id })).toBeUndefined();
    expect(await statusOf(db, ids.file!.id)).toBe("active");
    const again = { id: ids.delivered!.id, ticket: TICKET, now: 1_650 };
    expect(await repeatSecret(db, again)).toBeUndefined();
    expect(await statusOf(db, ids.delivered!.id)).toBe("revealed");
    expect(await collectAnswer(db, { id: answered.id, collectHash: bytes(2), now: 1_650 })).toBeDefined();
    expect(await findRequest(db, open.id, 1_650)).toMatchObject({ status: "open" });
    expect(await findSession(db, { hash: session.hash, now: 1_500, idleSeconds: 900 })).toBeUndefined();
    expect(await findToken(db, token.hash, 1_500)).toBeUndefined();
    // The counter of before is forgotten: what is stored takes less than 4,000 of 9,000 bytes.
    const claim = { key: bytes(9), owner: member.id, limit: 9_000, now: 1_650 };
    expect(await db.write((trx) => claimStoredBytes(trx, { ...claim, bytes: 5_000 }))).toBe(true);
  }),
);

test.each(Object.entries(DATABASES))("of a backup without contents %s keeps no secret", (_, make) =>
  useDatabase(make, async (db) => {
    const { answered, open, ids } = await fill(db);
    await db.query.deleteFrom("secret_content").execute();
    await db.query.deleteFrom("request_answer").execute();
    expect(await restored(db, "keep")).toMatchObject({ unread: 0 });
    expect(await statusOf(db, ids.kept!.id)).toBe("revoked");
    expect(await findRequest(db, answered.id, 1_650)).toMatchObject({ status: "cancelled" });
    expect(await findRequest(db, open.id, 1_650)).toMatchObject({ status: "open" });
  }),
);
