import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { findMember, forgetOrigins, insertMember, recoverMember } from "../../../db/accounts/members.ts";
import { changePassword, rehashPassword } from "../../../db/accounts/passwords.ts";
import { resetMember } from "../../../db/accounts/administered.ts";
import {
  claimSecret,
  findSecret,
  insertSecret,
  storedBytes,
  sweepSecrets,
} from "../../../db/secrets/secrets.ts";
import { findSession, insertSession } from "../../../db/accounts/sessions.ts";
import { findToken, insertToken } from "../../../db/accounts/tokens.ts";
import { BY_PASSWORD, bytes, newMember, newSecret, newSession, newToken } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

/** A recovery that keeps nothing. */
const RECOVERING = { keep: [], now: 1_500, waitSeconds: 60, isStrong: false };

withDatabases("a member", (db) => {
  const join = async (changes: Parameters<typeof newMember>[0] = {}) => {
    const member = newMember(changes);
    expect(await insertMember(db, member)).toBe(true);
    return member;
  };
  const signIn = async (member: string) => {
    const session = newSession({ member });
    await insertSession(db, session, BY_PASSWORD);
    return session;
  };
  const isSignedIn = async ({ hash }: { hash: Uint8Array<ArrayBuffer> }) =>
    (await findSession(db, { hash, now: 1_001, idleSeconds: 600 })) !== undefined;

  test("is found by name and by id", async () => {
    const { id, name, password, createdAt } = await join();
    const member = {
      id,
      name,
      password,
      hasRecoveryCode: true,
      createdAt,
      totpKey: null,
      hasTotp: false,
      isAdmin: false,
      disabledAt: null,
      ...{ passwordUntil: null, recoveredAt: null, enrolFrom: null },
    };
    expect(await findMember(db, { id })).toStrictEqual(member);
    expect(await findMember(db, { name })).toStrictEqual(member);
    expect(await findMember(db, { name: "nobody" })).toBeUndefined();
  });

  test("is forgotten where it was made, once it is old enough", async () => {
    const createdFrom = bytes(7);
    const originOf = async (createdAt: number) => {
      const member = await join({ createdAt, createdFrom });
      const token = newToken({ member: member.id });
      await insertToken(db, { ...token, ceiling: 1 });
      return async () => (await findToken(db, token.hash, 1_001))?.memberCreatedFrom ?? null;
    };
    const [old, atLast, young] = [await originOf(899), await originOf(900), await originOf(901)];
    expect(new Uint8Array((await old()) ?? [])).toEqual(createdFrom);
    expect(await forgetOrigins(db, 900)).toBe(2);
    expect([await old(), await atLast()]).toEqual([null, null]);
    expect(new Uint8Array((await young()) ?? [])).toEqual(createdFrom);
    expect(await forgetOrigins(db, 900)).toBe(0);
    // Whatever other tests left young.
    await forgetOrigins(db, 10_000);
  });

  test("keeps the name against others, also when both come at once", async () => {
    const { name } = newMember();
    const joined = await Promise.all([1, 2, 3].map(() => insertMember(db, newMember({ name }))));
    expect(joined.filter(Boolean)).toHaveLength(1);
  });

  test("changes the password and stays signed in at one place only", async () => {
    const { id, password } = await join();
    const [here, there] = [await signIn(id), await signIn(id)];
    const other = await signIn((await join()).id);
    expect(await changePassword(db, { id, from: password, to: "new", except: here.id })).toBe(true);
    expect(await findMember(db, { id })).toMatchObject({ password: "new" });
    expect(await Promise.all([here, there, other].map(isSignedIn))).toStrictEqual([true, false, true]);
    expect(await changePassword(db, { id, from: "new", to: "newer", except: null })).toBe(true);
    expect(await isSignedIn(here)).toBe(false);
  });

  test("changes no password that somebody else has changed meanwhile", async () => {
    const { id, password } = await join();
    const session = await signIn(id);
    expect(await changePassword(db, { id, from: "old", to: "new", except: null })).toBe(false);
    expect(await rehashPassword(db, { id, from: "old", to: "new" })).toBe(false);
    expect(await isSignedIn(session)).toBe(true);
    expect(await rehashPassword(db, { id, from: password, to: "rehashed" })).toBe(true);
    expect(await findMember(db, { id })).toMatchObject({ password: "rehashed" });
    expect(await isSignedIn(session)).toBe(true);
  });

  test("recovers once with one code, also when two use it at once", async () => {
    const { id, name } = await join({ recoveryHash: bytes(7) });
    const session = await signIn(id);
    const recover = (hash: number, password: string) =>
      recoverMember(db, {
        ...{ name, recoveryHash: bytes(hash), password, nextRecoveryHash: bytes(8), ...RECOVERING },
      });
    expect(await recover(6, "guessed")).toBeUndefined();
    expect(await isSignedIn(session)).toBe(true);
    const both = await Promise.all([recover(7, "one"), recover(7, "two")]);
    expect(both.filter((found) => found?.id === id)).toHaveLength(1);
    expect(await isSignedIn(session)).toBe(false);
    expect(await recover(8, "three")).toMatchObject({ id, ended: { sessions: 0 } });
    expect(await findMember(db, { id })).toMatchObject({ password: "three", hasRecoveryCode: true });
  });

  test("without a code is recovered by none, but reset by the administrator", async () => {
    const { id, name } = await join({ recoveryHash: null });
    const session = await signIn(id);
    const nothing = { name, recoveryHash: new Uint8Array(0), password: "x", nextRecoveryHash: bytes(4) };
    expect(await recoverMember(db, { ...nothing, ...RECOVERING })).toBeUndefined();
    const reset = { password: "reset", until: 2_000, recoveryHash: bytes(5), keep: [] };
    expect(await resetMember(db, { id, ...reset })).toMatchObject({ sessions: 1, tokens: 0 });
    expect(await findMember(db, { id })).toMatchObject({
      ...{ password: "reset", hasRecoveryCode: true, passwordUntil: 2_000 },
    });
    expect(await isSignedIn(session)).toBe(false);
    expect(await resetMember(db, { id: "nobody", ...reset })).toBeUndefined();
  });

  test("that is deleted takes sessions and tokens along, and nobody else's", async () => {
    const [{ id }, other] = [await join(), await join()];
    const session = await signIn(id);
    const [token, otherToken] = [newToken({ member: id }), newToken({ member: other.id })];
    for (const made of [token, otherToken]) expect(await insertToken(db, made)).toBe(true);
    expect(await deleteMember(db, { id, now: 1_500, secrets: "keep" })).toBe(true);
    expect(await deleteMember(db, { id, now: 1_500, secrets: "keep" })).toBe(false);
    expect(await findMember(db, { id })).toBeUndefined();
    expect(await isSignedIn(session)).toBe(false);
    expect(await findToken(db, token.hash, 1_001)).toBeUndefined();
    expect(await findToken(db, otherToken.hash, 1_001)).toMatchObject({ member: other.id });
    expect(await insertToken(db, newToken({ member: id }))).toBe(false);
  });

  test("that is deleted keeps secrets readable, or revokes each that still was", async () => {
    for (const secrets of ["keep", "revoke"] as const) {
      const { id: owner } = await join();
      const open = newSecret({ owner });
      const over = newSecret({ owner, expiresAt: 1_400 });
      const read = newSecret({ owner });
      for (const secret of [open, over, read]) await insertSecret(db, secret);
      const right = { verifier: bytes(1), passVerifier: null };
      await claimSecret(db, { id: read.id, now: 1_200, ...right });
      expect(await deleteMember(db, { id: owner, now: 1_500, secrets })).toBe(true);
      const status = async ({ id }: { id: string }) => {
        const found = await findSecret(db, id, 1_500);
        return [found?.status, found?.closedAt, found?.owner];
      };
      expect(await status(read)).toStrictEqual(["revealed", 1_200, null]);
      expect(await status(over)).toStrictEqual(["expired", 1_400, null]);
      const isKept = secrets === "keep";
      expect(await status(open)).toStrictEqual(isKept ? ["active", null, null] : ["revoked", 1_500, null]);
      expect((await claimSecret(db, { id: open.id, now: 1_600, ...right })) !== undefined).toBe(isKept);
    }
    await sweepSecrets(db, { now: 1_600, receiptSeconds: 1_000_000 });
    expect(await storedBytes(db)).toBe(0);
  });

  test("that has many secrets and requests is deleted in steps", async () => {
    const { id: owner } = await join();
    const secrets = 2_500;
    // SQLite takes at most 32,766 bound values in a statement.
    const requests = db.kind === "sqlite" ? 33_000 : secrets;
    const [id, hash] = [sql.lit(owner), bytes(1)];
    const numbers = (count: number) =>
      sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`;
    await sql`${numbers(secrets)}
      insert into secret (id, verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts, owner)
      select ${id} || i, ${hash}, ${hash}, 'active', 1000, 2000, 0, 0, ${id} from n`.execute(db.query);
    await sql`${numbers(requests)}
      insert into request (id, gate_hash, collect_hash, status, created_at, expires_at, owner)
      select ${id} || i, ${hash}, ${hash}, 'open', 1000, 2000, ${id} from n`.execute(db.query);
    let writes = 0;
    const stop = db.onWrite(() => writes++);
    expect(await deleteMember(db, { id: owner, now: 1_500, secrets: "revoke" })).toBe(true);
    stop();
    // At most a thousand in each.
    expect(writes).toBeGreaterThan((2 * (secrets + requests)) / 1_000);
    for (const table of ["secret", "request"] as const) {
      const rows = await db.query
        .selectFrom(table)
        .select(({ fn }) => ["status", fn.countAll().as("count")])
        .where("id", "like", `${owner}%`)
        .groupBy("status")
        .execute();
      const ended = table === "secret" ? ["revoked", secrets] : ["cancelled", requests];
      expect(rows.map(({ status, count }) => [status, Number(count)])).toStrictEqual([ended]);
    }
  });

  test("that is deleted while making secrets leaves none active", async () => {
    const { id: owner } = await join();
    const makings = Array.from({ length: 30 }, () =>
      insertSecret(db, newSecret({ owner })).catch(() => "refused"),
    );
    const isDeleted = await deleteMember(db, { id: owner, now: 1_500, secrets: "revoke" });
    await Promise.all(makings);
    expect(isDeleted).toBe(true);
    expect(await storedBytes(db)).toBe(0);
  });
});
