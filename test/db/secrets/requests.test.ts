// slow
import { expect, test } from "vitest";
import { answerRequest, collectAnswer } from "../../../db/deliveries/answers.ts";
import {
  cancelRequest,
  closeRequest,
  findRequest,
  insertRequest,
  listRequests,
  sweepRequests,
} from "../../../db/requests.ts";
import { storedBytes } from "../../../db/secrets/secrets.ts";
import { claimStoredBytes, REQUEST_ROW_BYTES } from "../../../db/stored-bytes.ts";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { insertMember } from "../../../db/accounts/members.ts";
import { bytes, newMember, newRequest } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

const SEALED = bytes(4, 60);

withDatabases("a request", (db) => {
  const store = async (changes: Parameters<typeof newRequest>[0] = {}) => {
    const request = newRequest(changes);
    expect(await insertRequest(db, request)).toBe(true);
    return request;
  };
  const gate = { gateHash: bytes(1), sealed: SEALED, now: 1_500 };
  const token = { collectHash: bytes(2), now: 1_600 };
  const countAnswers = async (id: string) =>
    (await db.query.selectFrom("request_answer").select("size").where("request_id", "=", id).execute())
      .length;
  const find = (id: string, now = 1_700) => findRequest(db, id, now);

  test("is found as it was stored, and only once by one id", async () => {
    const stored = await store({ note: "n1.x" });
    const state = {
      status: "open",
      answeredAt: null,
      closedAt: null,
      ticketHashes: [],
      answered: 0,
      collected: 0,
    };
    expect(await find(stored.id)).toStrictEqual({ ...stored, ...state, answers: 1 });
    expect(await insertRequest(db, newRequest({ id: stored.id, note: null }))).toBe(false);
    expect(await find(stored.id)).toMatchObject({ note: "n1.x" });
    expect(await find("nobody")).toBeUndefined();
  });

  test("takes the first of many answers", async () => {
    const { id } = await store();
    const answers = Array.from({ length: 30 }, (_, i) =>
      answerRequest(db, { id, ...gate, sealed: bytes(i, 60) }),
    );
    const taken = await Promise.all(answers);
    expect(taken.filter((each) => each === "stored")).toHaveLength(1);
    expect(await find(id)).toMatchObject({ status: "answered", answeredAt: 1_500, closedAt: null });
    expect(await collectAnswer(db, { id, ...token })).toStrictEqual({
      ...{ sealed: bytes(taken.indexOf("stored"), 60), left: 0 },
    });
  });

  test("takes as many answers as it asks for, of many that come at once, and each once", async () => {
    const { id } = await store({ answers: 7 });
    const send = (i: number) => answerRequest(db, { id, ...gate, sealed: bytes(i, 60) });
    // Each is sent twice, as a caller does whose connection broke off.
    const sent = await Promise.all(Array.from({ length: 40 }, (_, i) => send(i >> 1)));
    expect(sent.filter((each) => each === "stored")).toHaveLength(7);
    expect(await countAnswers(id)).toBe(7);
    expect(await find(id)).toMatchObject({ status: "answered", answers: 7, answered: 7, collected: 0 });
    const known = sent.flatMap((each, i) => (each === "stored" ? [i >> 1] : []));
    for (const i of known) expect(await send(i)).toBe("known");
  });

  test("hands each answer out once, the oldest first, to many who collect at once", async () => {
    const { id } = await store({ answers: 5, note: "n1.x" });
    for (let i = 0; i < 4; i++) await answerRequest(db, { id, ...gate, sealed: bytes(i, 60) });
    expect(await collectAnswer(db, { id, ...token })).toStrictEqual({ sealed: bytes(0, 60), left: 3 });
    const ticket = (i: number) => ({ hash: bytes(100 + i), sweepAt: 2_200 });
    // Two calls with each ticket, which stands for one answer.
    const collects = Array.from({ length: 10 }, (_, i) =>
      collectAnswer(db, { id, ...token, ticket: ticket(i >> 1) }),
    );
    const got = (await Promise.all(collects)).flatMap((each) => (each ? [each.sealed[0]] : []));
    expect(got.toSorted()).toStrictEqual([1, 2, 3]);
    expect(await find(id)).toMatchObject({ status: "open", note: "n1.x", answered: 4, collected: 4 });
    expect(await collectAnswer(db, { id, ...token })).toBeUndefined();
    await answerRequest(db, { id, ...gate, sealed: bytes(8, 60) });
    expect(await collectAnswer(db, { id, ...token })).toStrictEqual({ sealed: bytes(8, 60), left: 0 });
    expect(await find(id)).toMatchObject({ status: "collected", closedAt: 1_600, note: null });
  });

  test("takes no more answers once it is closed, and keeps those that it has", async () => {
    const [some, read, none] = [await store({ answers: 3 }), await store({ answers: 3 }), await store()];
    for (const { id } of [some, read]) await answerRequest(db, { id, ...gate });
    await collectAnswer(db, { id: read.id, ...token });
    for (const { id } of [some, read, none]) {
      expect(await closeRequest(db, id, 1_600)).toBe(true);
      expect(await closeRequest(db, id, 1_700)).toBe(false);
      expect(await answerRequest(db, { id, ...gate, sealed: bytes(9, 60) })).toBe("refused");
    }
    expect(await find(some.id)).toMatchObject({ status: "answered", answeredAt: 1_600, closedAt: null });
    expect(await find(read.id)).toMatchObject({ status: "collected", closedAt: 1_600 });
    expect(await find(none.id)).toMatchObject({ status: "cancelled", closedAt: 1_600 });
    expect(await collectAnswer(db, { id: some.id, ...token })).toStrictEqual({ sealed: SEALED, left: 0 });
    expect(await find(some.id)).toMatchObject({ status: "collected", answered: 1, collected: 1 });
  });

  test("hands the answer to exactly one of many who collect, and leaves a receipt", async () => {
    const { id } = await store({ note: "n1.x" });
    await answerRequest(db, { id, ...gate });
    const collects = Array.from({ length: 40 }, () => collectAnswer(db, { id, ...token }));
    const got = (await Promise.all(collects)).filter((sealed) => sealed !== undefined);
    expect(got).toStrictEqual([{ sealed: SEALED, left: 0 }]);
    expect(await find(id)).toMatchObject({ status: "collected", closedAt: 1_600, note: null });
    expect(await countAnswers(id)).toBe(0);
  });

  test.each([
    ["a wrong gate", { gateHash: bytes(9) }],
    ["another id", { id: "nobody" }],
    ["the first second after its end", { now: 2_000 }],
  ])("takes no answer with %s", async (_what, wrong) => {
    const { id } = await store();
    expect(await answerRequest(db, { id, ...gate, ...wrong })).toBe("refused");
    expect(await answerRequest(db, { id, ...gate, now: 1_999 })).toBe("stored");
  });

  test.each([
    ["a wrong token", { collectHash: bytes(9) }],
    ["another id", { id: "nobody" }],
    ["the first second after its end", { now: 2_000 }],
  ])("gives no answer out with %s", async (_what, wrong) => {
    const { id } = await store();
    await answerRequest(db, { id, ...gate });
    expect(await collectAnswer(db, { id, ...token, ...wrong })).toBeUndefined();
    expect(await collectAnswer(db, { id, ...token, now: 1_999 })).toMatchObject({ sealed: SEALED });
  });

  test("gives nothing before it was answered, and nothing to who has left", async () => {
    const { id } = await store();
    expect(await collectAnswer(db, { id, ...token })).toBeUndefined();
    await answerRequest(db, { id, ...gate });
    const left = AbortSignal.abort(new Error("gone"));
    await expect(collectAnswer(db, { id, ...token, signal: left })).rejects.toThrow("gone");
    expect(await collectAnswer(db, { id, ...token })).toMatchObject({ sealed: SEALED });
  });

  test("that is cancelled takes no answer, and deletes one that it had", async () => {
    const [open, answered] = [await store(), await store()];
    await answerRequest(db, { id: answered.id, ...gate });
    for (const { id } of [open, answered]) {
      expect(await cancelRequest(db, id, 1_700)).toBe(true);
      expect(await cancelRequest(db, id, 1_800)).toBe(false);
      expect(await answerRequest(db, { id, ...gate, sealed: bytes(9, 60) })).toBe("refused");
      expect(await collectAnswer(db, { id, ...token })).toBeUndefined();
      expect(await find(id)).toMatchObject({ status: "cancelled", closedAt: 1_700 });
      expect(await countAnswers(id)).toBe(0);
    }
  });

  test("ends once when collected and cancelled at the same time", async () => {
    for (let i = 0; i < 10; i++) {
      const { id } = await store();
      await answerRequest(db, { id, ...gate });
      const [sealed, isCancelled] = await Promise.all([
        collectAnswer(db, { id, ...token }),
        cancelRequest(db, id, 1_600),
      ]);
      expect((sealed !== undefined) !== isCancelled).toBe(true);
      expect(await find(id)).toMatchObject({ status: isCancelled ? "cancelled" : "collected" });
    }
  });

  test("expires with its note and its answer when its time is over", async () => {
    const { id } = await store({ note: "n1.x" });
    await answerRequest(db, { id, ...gate });
    expect(await find(id, 1_999)).toMatchObject({ status: "answered", note: "n1.x" });
    expect(await find(id, 2_000)).toMatchObject({ status: "expired", closedAt: 2_000, note: null });
    expect(await countAnswers(id)).toBe(1);
    await sweepRequests(db, { now: 2_000, receiptSeconds: 1_000_000 });
    expect(await find(id, 2_000)).toMatchObject({ status: "expired", closedAt: 2_000, note: null });
    expect(await countAnswers(id)).toBe(0);
    expect(await cancelRequest(db, id, 2_000)).toBe(false);
  });

  test("is in its member's list by status, newest first, and expired when its time is over", async () => {
    const { id: owner } = await addMember();
    const made = [];
    for (let i = 0; i < 4; i++) made.unshift((await store({ owner, createdAt: 1_000 + i })).id);
    await answerRequest(db, { id: made[1]!, ...gate });
    await cancelRequest(db, made[2]!, 1_700);
    const list = async (more: object, now = 1_800) => {
      const { requests, next } = await listRequests(db, { owner, now, limit: 10, ...more });
      return { ids: requests.map(({ id }) => id), states: requests.map(({ status }) => status), next };
    };
    expect(await list({})).toMatchObject({ ids: made, states: ["open", "answered", "cancelled", "open"] });
    expect((await list({ status: "answered" })).ids).toEqual([made[1]]);
    expect((await list({ status: "open" })).ids).toEqual([made[0], made[3]]);
    expect((await list({ status: "expired" }, 2_000)).ids).toEqual([made[0], made[1], made[3]]);
    expect((await list({ status: "open" }, 2_000)).ids).toEqual([]);
    const first = await list({ limit: 3 });
    expect(first.ids).toEqual(made.slice(0, 3));
    expect((await list({ limit: 3, cursor: first.next })).ids).toEqual([made[3]]);
  });

  test("of a deleted account is kept without an owner, or cancelled", async () => {
    for (const [secrets, status] of [
      ["keep", "answered"],
      ["revoke", "cancelled"],
    ] as const) {
      const { id: owner } = await addMember();
      const { id } = await store({ owner });
      await answerRequest(db, { id, ...gate });
      await deleteMember(db, { id: owner, now: 1_700, secrets });
      expect(await find(id)).toMatchObject({ status, owner: null });
      expect(await countAnswers(id)).toBe(secrets === "keep" ? 1 : 0);
    }
  });

  async function addMember() {
    const member = newMember();
    await insertMember(db, member);
    return member;
  }
});

// The row and the note of `newRequest`.
const REQUEST_BYTES = REQUEST_ROW_BYTES + (newRequest().note?.length ?? 0);

withDatabases("the bytes of requests", (db) => {
  const claimAll = (key: number, owner: string, bytesToClaim: number, limit: number) =>
    db.write((trx) =>
      claimStoredBytes(trx, { key: bytes(key), owner, bytes: bytesToClaim, limit, now: 1_500 }),
    );

  test("count for all and for the owner until it is closed, by whatever way", async () => {
    const member = newMember();
    await insertMember(db, member);
    const ends = {
      cancelled: (id: string) => cancelRequest(db, id, 1_600),
      expired: () => sweepRequests(db, { now: 9_000, receiptSeconds: 1_000_000 }),
    };
    for (const [i, end] of Object.values(ends).entries()) {
      const request = newRequest({ owner: member.id });
      await insertRequest(db, request);
      expect(await storedBytes(db)).toBe(REQUEST_BYTES);
      const limit = REQUEST_BYTES + 1;
      expect(await claimAll(i, member.id, 2, limit)).toBe(false);
      expect(await claimAll(i, member.id, 1, limit)).toBe(true);
      await end(request.id);
      expect(await storedBytes(db)).toBe(0);
      expect(await claimAll(i, member.id, limit, limit)).toBe(true);
    }
  });

  test("are not stored where what was claimed for them is refused", async () => {
    const request = newRequest();
    const refused = insertRequest(db, request, {
      claim: () => Promise.reject(new Error("no room")),
    });
    await expect(refused).rejects.toThrow("no room");
    expect(await findRequest(db, request.id, 1_500)).toBeUndefined();
    expect(await storedBytes(db)).toBe(0);
  });
});

withDatabases("the sweep of requests", (db) => {
  test("closes what is over, purges old receipts, and leaves the rest", async () => {
    const insert = async (count: number, expiresAt: number) => {
      for (let i = 0; i < count; i++) {
        const { id, gateHash } = newRequest({ expiresAt });
        await insertRequest(db, newRequest({ id, expiresAt }));
        await answerRequest(db, { id, gateHash, sealed: SEALED, now: 1_500 });
      }
    };
    await insert(120, 2_000);
    await insert(3, 2_001);
    const sweep = (now: number) => sweepRequests(db, { now, receiptSeconds: 50 });
    expect(await storedBytes(db)).toBe(123 * (60 + REQUEST_BYTES));
    expect(await sweep(1_999)).toStrictEqual({ expired: 0, purged: 0 });
    expect(await sweep(2_000)).toStrictEqual({ expired: 120, purged: 0 });
    expect(await storedBytes(db)).toBe(3 * (60 + REQUEST_BYTES));
    expect(await sweep(2_051)).toStrictEqual({ expired: 3, purged: 120 });
    expect(await storedBytes(db)).toBe(0);
    const left = await db.query.selectFrom("request").select(["status", "closed_at"]).execute();
    expect(left).toStrictEqual(Array(3).fill({ status: "expired", closed_at: 2_001 }));
  });
});
