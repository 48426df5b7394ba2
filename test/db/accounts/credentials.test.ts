import { beforeAll, expect, test } from "vitest";
import { resetMember } from "../../../db/accounts/administered.ts";
import { refuseIdentity, tieIdentity } from "../../../db/accounts/identities.ts";
import { insertPasskey } from "../../../db/accounts/passkeys.ts";
import { insertMember } from "../../../db/accounts/members.ts";
import {
  endOtherSessions,
  endSession,
  findSession,
  insertSession,
  listSessions,
  proveSession,
  sweepSessions,
  type UsedWayIn,
} from "../../../db/accounts/sessions.ts";
import { deleteToken, findToken, insertToken, listTokens } from "../../../db/accounts/tokens.ts";
import { BY_PASSWORD, bytes, newMember, newSession, newToken } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

withDatabases("a credential", (db) => {
  let anna: string;
  let ben: string;
  beforeAll(async () => {
    const members = [newMember({ name: "anna" }), newMember({ name: "ben" })];
    for (const member of members) await insertMember(db, member);
    [anna = "", ben = ""] = members.map(({ id }) => id);
  });

  const idle = { idleSeconds: 1_000 };
  const ofAnna = { memberName: "anna", memberCreatedAt: 1_000, memberCreatedFrom: null };

  test("a session shows whose it is, by the hash of its value only", async () => {
    const session = newSession({ member: anna });
    await insertSession(db, session, BY_PASSWORD);
    const { hash, id, member, createdAt, expiresAt } = session;
    const found = await findSession(db, { hash, now: 1_001, ...idle });
    expect(found).toStrictEqual({
      ...{ id, member, createdAt, expiresAt, ...ofAnna, lastUsedAt: 1_000, provedAt: 1_000 },
      ...{ isStrong: null, role: null, passwordUntil: null, login: "password", former: null },
    });
    expect(await findSession(db, { hash: bytes(1), now: 1_001, ...idle })).toBeUndefined();
  });

  test("a login begins no session when what it proved was changed or removed meanwhile", async () => {
    const cleo = newMember();
    await insertMember(db, cleo);
    const identity = { issuer: "https://id.example", subject: cleo.id };
    await tieIdentity(db, { ...identity, name: "cleo", now: 1_000, member: cleo.id });
    const passkey = { id: `key-${cleo.id}`, member: cleo.id, name: "Key", publicKey: bytes(1), counter: 0 };
    await insertPasskey(db, { ...passkey, transports: [], createdAt: 1_000, ceiling: 9 });
    const { by: password } = BY_PASSWORD;
    const logIn = (by: UsedWayIn) => insertSession(db, newSession({ member: cleo.id }), { by });
    for (const by of [password, { passkey: passkey.id }, identity]) expect(await logIn(by)).toBe(true);
    await refuseIdentity(db, { ...identity, endsRole: false });
    expect(await logIn(identity)).toBe(false);
    const reset = { id: cleo.id, password: "$other$", until: 9_000, recoveryHash: null, keep: [] };
    await resetMember(db, reset);
    for (const by of [password, { passkey: passkey.id }, identity]) expect(await logIn(by)).toBe(false);
    expect(await logIn({ password: "$other$" })).toBe(true);
    // Nobody logs in with what is another member's.
    expect(await insertSession(db, newSession({ member: anna }), { by: { password: "$other$" } })).toBe(
      false,
    );
  });

  test("a session ends with its time", async () => {
    const { hash } = await signIn({ expiresAt: 1_500 });
    expect(await findSession(db, { hash, now: 1_499, ...idle })).toBeDefined();
    expect(await findSession(db, { hash, now: 1_500, ...idle })).toBeUndefined();
  });

  test("a proof gives a session another value, and the one of before counts for a while as what it was", async () => {
    const { id, hash: from, expiresAt } = await signIn();
    const to = bytes(77);
    const proof = {
      ...{ id, now: 1_200, from, to, isWhole: true },
      ...{ formerUntil: 1_230, formerRights: "weak" as const },
    };
    expect(await proveSession(db, { ...proof, isStrong: true })).toBe(expiresAt);
    const find = (hash: Uint8Array<ArrayBuffer>, now: number) => findSession(db, { hash, now, ...idle });
    expect(await find(to, 1_229)).toMatchObject({ id, provedAt: 1_200, isStrong: 1, former: null });
    expect(await find(from, 1_229)).toMatchObject({ id, former: "weak" });
    expect(await find(from, 1_230)).toBeUndefined();
    expect(await find(to, 1_230)).toMatchObject({ id });
    // Who comes with the value of before, or to a session that has ended, changes nothing.
    expect(await proveSession(db, { ...proof, to: bytes(78), isStrong: false })).toBeUndefined();
    expect(await find(bytes(78), 1_229)).toBeUndefined();
    await endSession(db, anna, id);
    expect(await proveSession(db, { ...proof, from: to, to: from, isStrong: false })).toBeUndefined();
  });

  test("a proof that is not whole leaves when the session was proved", async () => {
    const { id, hash: from } = await signIn();
    const before = await findSession(db, { hash: from, now: 1_200, ...idle });
    const to = bytes(79);
    const former = { formerUntil: 1_230, formerRights: "weak" as const };
    await proveSession(db, { id, now: 1_200, from, to, isStrong: true, ...former });
    expect(await findSession(db, { hash: to, now: 1_200, ...idle })).toMatchObject({
      ...{ provedAt: before?.provedAt, isStrong: 1 },
    });
  });

  test("of many proofs of a session at the same time one counts", async () => {
    const { id, hash: from } = await signIn();
    const proof = {
      id,
      now: 1_200,
      from,
      isStrong: false,
      formerUntil: 1_230,
      formerRights: "weak" as const,
    };
    const proofs = Array.from({ length: 8 }, (_, i) => proveSession(db, { ...proof, to: bytes(100 + i) }));
    expect((await Promise.all(proofs)).filter((expiresAt) => expiresAt !== undefined)).toHaveLength(1);
  });

  test("a session ends when it is idle, and use prolongs it, stored every ten minutes", async () => {
    const { hash } = await signIn();
    const use = async (now: number) => (await findSession(db, { hash, now, ...idle }))?.lastUsedAt;
    expect(await use(1_599)).toBe(1_000);
    expect(await use(1_600)).toBe(1_600);
    expect(await use(2_599)).toBe(2_599);
    expect(await use(3_599)).toBeUndefined();
  });

  test("sessions are listed and ended by their owner only", async () => {
    const cleo = newMember();
    await insertMember(db, cleo);
    const [one, two, three] = [
      await signIn({ member: cleo.id }),
      await signIn({ member: cleo.id }),
      await signIn({ member: cleo.id }),
    ];
    const list = async () =>
      (await listSessions(db, { member: cleo.id, now: 1_001, ...idle })).map(({ id }) => id).sort();
    expect(await list()).toStrictEqual([one.id, two.id, three.id].sort());
    expect(await endSession(db, ben, one.id)).toBe(false);
    expect(await endSession(db, cleo.id, one.id)).toBe(true);
    expect(await endSession(db, cleo.id, one.id)).toBe(false);
    expect(await endOtherSessions(db, { member: cleo.id, except: two.id })).toBe(1);
    expect(await list()).toStrictEqual([two.id]);
  });

  test("the sweep ends sessions that are over or idle and no others", async () => {
    await sweepSessions(db, { now: 1_000_000, ...idle });
    const [idling, over, living] = [
      await signIn(),
      await signIn({ createdAt: 1_400, expiresAt: 1_900 }),
      await signIn({ createdAt: 1_001 }),
    ];
    expect(await sweepSessions(db, { now: 1_899, ...idle })).toBe(0);
    expect(await sweepSessions(db, { now: 2_000, ...idle })).toBe(2);
    const ids = (await db.query.selectFrom("session").select("id").execute()).map(({ id }) => id);
    expect(ids).toStrictEqual([living.id]);
    expect(ids).not.toContain(idling.id);
    expect(ids).not.toContain(over.id);
  });

  test("a token shows whose it is until it is revoked by its owner", async () => {
    const token = newToken({ member: anna });
    await insertToken(db, token);
    const { hash, id } = token;
    expect(await findToken(db, hash, 1_030)).toStrictEqual({
      id,
      member: anna,
      ...ofAnna,
      name: "laptop",
      prefix: "service_token_0123",
      createdAt: 1_000,
      expiresAt: null,
      lastUsedAt: 1_020,
    });
    expect(await deleteToken(db, ben, id)).toBe(false);
    expect(await findToken(db, hash, 1_030)).toBeDefined();
    expect(await deleteToken(db, anna, id)).toBe(true);
    expect(await findToken(db, hash, 1_030)).toBeUndefined();
    expect(await deleteToken(db, anna, id)).toBe(false);
  });

  test("a token ends with its time, or never", async () => {
    const [short, endless] = [newToken({ member: anna, expiresAt: 4_600 }), newToken({ member: anna })];
    for (const token of [short, endless]) await insertToken(db, token);
    expect(await findToken(db, short.hash, 4_599)).toBeDefined();
    expect(await findToken(db, short.hash, 4_600)).toBeUndefined();
    expect(await findToken(db, endless.hash, 4_000_000_000)).toBeDefined();
  });

  test("a token's last use is stored to the minute and at most every ten minutes", async () => {
    const { hash, id } = newToken({ member: anna });
    await insertToken(db, newToken({ member: anna, hash, id }));
    const lastUsedAt = async () => (await listTokens(db, anna)).find((token) => token.id === id)?.lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    for (const [now, stored] of [
      [1_259, 1_200],
      [1_799, 1_200],
      [1_800, 1_800],
      [2_399, 1_800],
      [2_459, 2_400],
    ] as const) {
      await findToken(db, hash, now);
      expect(await lastUsedAt()).toBe(stored);
    }
  });

  test("a member has twenty tokens and not one more, however many ask at once", async () => {
    const dora = newMember();
    await insertMember(db, dora);
    const asks = Array.from({ length: 40 }, () => insertToken(db, newToken({ member: dora.id })));
    expect((await Promise.all(asks)).filter(Boolean)).toHaveLength(20);
    const tokens = await listTokens(db, dora.id);
    expect(tokens).toHaveLength(20);
    expect(await insertToken(db, newToken({ member: dora.id }))).toBe(false);
    await deleteToken(db, dora.id, tokens[0]?.id ?? "");
    expect(await insertToken(db, newToken({ member: dora.id }))).toBe(true);
  });

  test("expired tokens make room for new ones", async () => {
    const eva = newMember();
    await insertMember(db, eva);
    const ask = (changes: { createdAt: number; expiresAt: number | null }) =>
      insertToken(db, newToken({ member: eva.id, ceiling: 2, ...changes }));
    expect(await ask({ createdAt: 1_000, expiresAt: 4_600 })).toBe(true);
    expect(await ask({ createdAt: 1_000, expiresAt: null })).toBe(true);
    expect(await ask({ createdAt: 4_599, expiresAt: null })).toBe(false);
    expect(await ask({ createdAt: 4_600, expiresAt: null })).toBe(true);
    expect(await listTokens(db, eva.id)).toMatchObject([{ createdAt: 4_600 }, { createdAt: 1_000 }]);
  });

  async function signIn(changes: Partial<Parameters<typeof newSession>[0]> = {}) {
    const session = newSession({ member: anna, ...changes });
    await insertSession(db, session, BY_PASSWORD);
    return session;
  }
});
