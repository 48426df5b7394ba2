import { sql } from "kysely";
import { expect, test } from "vitest";
import { disableMember, enableMember, resetMember, setRole } from "../../../db/accounts/administered.ts";
import { listMembers } from "../../../db/accounts/member-list.ts";
import type { Act } from "../../../db/accounts/act-on-member.ts";
import { ActorGone, lockMember } from "../../../db/accounts/lock-member.ts";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { findMember, insertMember, recoverMember } from "../../../db/accounts/members.ts";
import { insertPasskey } from "../../../db/accounts/passkeys.ts";
import { findSession, insertSession } from "../../../db/accounts/sessions.ts";
import { findToken, insertToken } from "../../../db/accounts/tokens.ts";
import { inSession } from "../../../db/running-call.ts";
import { countInstance } from "../../../db/instance-counts.ts";
import { insertRequest } from "../../../db/requests.ts";
import { closeSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { countUses } from "../../../db/usage.ts";
import {
  BY_PASSWORD,
  bytes,
  newMember,
  newRequest,
  newSecret,
  newSession,
  newToken,
} from "../support/fixtures.ts";
import { hasThing } from "../../machine/skips.ts";
import { withDatabases } from "../support/harness.ts";

/** A recovery that keeps nothing. */
const RECOVERING = { keep: [], now: 1_500, waitSeconds: 60, isStrong: false };

const LIVING = { now: 1_001, idleSeconds: 600 };

withDatabases("a member whom administrators look after", (db) => {
  const join = async (changes: Parameters<typeof newMember>[0] = {}) => {
    const member = newMember(changes);
    expect(await insertMember(db, member)).toBe(true);
    return member;
  };

  test("can do nothing while disabled, from the next call on", async () => {
    const { id, name, recoveryHash } = await join();
    const [session, token] = [newSession({ member: id }), newToken({ member: id })];
    expect(await insertSession(db, session, BY_PASSWORD)).toBe(true);
    expect(await insertToken(db, token)).toBe(true);
    expect(await disableMember(db, { id, now: 1_500 })).toBe(true);
    expect(await findSession(db, { hash: session.hash, ...LIVING })).toBeUndefined();
    expect(await findToken(db, token.hash, 1_001)).toBeUndefined();
    expect(await insertSession(db, newSession({ member: id }), BY_PASSWORD)).toBe(false);
    expect(await insertToken(db, newToken({ member: id }))).toBe(false);
    const recovery = {
      name,
      recoveryHash: recoveryHash ?? bytes(0),
      password: "x",
      nextRecoveryHash: bytes(1),
    };
    expect(await recoverMember(db, { ...recovery, ...RECOVERING })).toBeUndefined();
    // The first time counts.
    expect(await disableMember(db, { id, now: 1_600 })).toBe(true);
    expect(await findMember(db, { id })).toMatchObject({ disabledAt: 1_500, hasRecoveryCode: true });
    expect(await disableMember(db, { id: "nobody", now: 1_500 })).toBe(false);
  });

  test.each(["disable each other", "delete each other", "disable and delete each other", "reset each other"])(
    "is left by one of two who %s at the same time",
    async (what) => {
      const acts = {
        disable: (act: Act) => disableMember(db, { ...act, now: 1_500 }),
        delete: (act: Act) => deleteMember(db, { ...act, now: 1_500, secrets: "keep" as const }),
        reset: (act: Act) =>
          resetMember(db, { ...act, password: "x", until: 1, recoveryHash: null, keep: [] }),
      };
      const [first, second = first] = (["disable", "delete", "reset"] as const).filter((name) =>
        what.includes(name),
      );
      if (!first || !second) throw new Error("No act is named");
      for (let round = 0; round < 8; round++) {
        const [one, two] = [await join(), await join()];
        await db.query
          .updateTable("member")
          .set({ role: "admin" })
          .where("id", "in", [one.id, two.id])
          .execute();
        const done = await Promise.allSettled([
          acts[first]({ id: two.id, by: one.id }),
          acts[second]({ id: one.id, by: two.id }),
        ]);
        const refused = done.filter((each) => each.status === "rejected");
        // Who has new credentials is still there.
        expect(refused).toHaveLength(first === "reset" ? 0 : 1);
        for (const { reason } of refused) expect(reason).toBeInstanceOf(ActorGone);
        const left = await Promise.all([one, two].map(({ id }) => findMember(db, { id })));
        expect(left.filter((each) => each?.disabledAt === null)).toHaveLength(first === "reset" ? 2 : 1);
      }
    },
  );

  test("leaves without waiting for other administrators, who may be waiting for them", async () => {
    // SQLite has one writer, and PGlite one connection.
    if (db.kind === "sqlite" || !hasThing("PostgreSQL")) return;
    const [stays, one, two, plain] = [await join(), await join(), await join(), await join()];
    for (const { id } of [stays, one, two]) await setRole(db, id, "admin");
    const leave = async ({ id }: { id: string }) => {
      const session = newSession({ member: id });
      await insertSession(db, session, BY_PASSWORD);
      const deletion = { id, now: 1_500, secrets: "keep" as const, keepsAdministrator: true };
      return () =>
        inSession({ member: id, session: session.id, isAdmin: false }, () => deleteMember(db, deletion));
    };
    const leaving = [await leave(one), await leave(two), await leave(plain)];
    await db.write(async (trx) => {
      await lockMember(trx, stays.id);
      expect(await Promise.all(leaving.map((each) => each()))).toEqual([true, true, true]);
    });
  });

  test("is not enabled by who was disabled meanwhile", async () => {
    const [one, two] = [await join(), await join()];
    for (const { id } of [one, two]) await disableMember(db, { id, now: 1_500 });
    await expect(enableMember(db, { id: two.id, by: one.id })).rejects.toBeInstanceOf(ActorGone);
    await expect(enableMember(db, { id: one.id, by: two.id })).rejects.toBeInstanceOf(ActorGone);
    expect(await findMember(db, { id: two.id })).toMatchObject({ disabledAt: 1_500 });
  });

  test("has the tokens of before once it is enabled again, and has to log in anew", async () => {
    const { id } = await join();
    const [session, token] = [newSession({ member: id }), newToken({ member: id })];
    await insertSession(db, session, BY_PASSWORD);
    await insertToken(db, token);
    await disableMember(db, { id, now: 1_500 });
    expect(await enableMember(db, { id })).toBe(true);
    expect(await findSession(db, { hash: session.hash, ...LIVING })).toBeUndefined();
    expect(await findToken(db, token.hash, 1_001)).toMatchObject({ member: id });
    expect(await findMember(db, { id })).toMatchObject({ disabledAt: null });
    expect(await enableMember(db, { id: "nobody" })).toBe(false);
  });

  test("is an administrator in every session as soon as it is said", async () => {
    const { id } = await join();
    const session = newSession({ member: id });
    await insertSession(db, session, BY_PASSWORD);
    const roleOf = async () => (await findSession(db, { hash: session.hash, ...LIVING }))?.role;
    expect(await setRole(db, id, "admin")).toBe(true);
    expect(await setRole(db, id, "admin")).toBe(false);
    expect(await roleOf()).toBe("admin");
    expect(await setRole(db, id, null)).toBe(true);
    expect(await setRole(db, id, null)).toBe(false);
    expect(await roleOf()).toBeNull();
  });

  test("is listed by name, in pages that have each member once", async () => {
    const names = ["zoe_a", "zoe_b", "zoe-c", "zoexd"];
    for (const name of names) await join({ name });
    const seen: string[] = [];
    for (let hasMore = true; hasMore;) {
      const page = await listMembers(db, { now: 1_001, limit: 3, name: "zoe", after: seen.at(-1) });
      seen.push(...page.members.map(({ name }) => name));
      ({ hasMore } = page);
    }
    expect(seen.toSorted()).toEqual(names.toSorted());
    // An underscore stands for itself.
    const part = await listMembers(db, { now: 1_001, limit: 9, name: "e_" });
    expect(part.members.map(({ name }) => name)).toEqual(["zoe_a", "zoe_b"]);
  });

  test("is listed with how much there is, and only what can still be used", async () => {
    const { id, name } = await join();
    await insertSession(db, newSession({ member: id, createdAt: 1_000 }), BY_PASSWORD);
    await insertToken(db, newToken({ member: id }));
    await insertToken(db, newToken({ member: id, expiresAt: 1_100 }));
    const [open, closed] = [newSecret({ owner: id }), newSecret({ owner: id })];
    await insertSecret(db, open);
    await insertSecret(db, closed);
    await insertSecret(db, newSecret({ owner: id, expiresAt: 1_100 }));
    await closeSecret(db, { id: closed.id, now: 1_050, status: "revoked" });
    const passkey = { member: id, name: "a", publicKey: bytes(1), counter: 0, transports: [] };
    await insertPasskey(db, { ...passkey, id: crypto.randomUUID(), createdAt: 1_000, ceiling: 9 });
    const [listed] = (await listMembers(db, { now: 1_200, limit: 1, name })).members;
    expect(listed).toEqual({
      ...{ id, name, createdAt: 1_000, disabledAt: null, lastUsedAt: 1_000, isAdmin: false },
      ...{ hasPassword: true, hasTotp: false, passkeys: 1, tokens: 1, secrets: 1 },
    });
    await disableMember(db, { id, now: 1_500 });
    const ofStatus = async (isDisabled: boolean) =>
      (await listMembers(db, { now: 1_200, limit: 1, name, isDisabled })).members.length;
    expect([await ofStatus(true), await ofStatus(false)]).toEqual([1, 0]);
  });

  test("that has many secrets is listed with their number, and others have their turn while it is counted", async () => {
    const { id, name } = await join();
    const owner = sql.lit(id);
    await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 3000)
      insert into secret (id, verifier, revoke_hash, status, created_at, expires_at, is_encrypted, attempts, owner)
      select ${owner} || i, ${bytes(1)}, ${bytes(1)}, 'active', 1000, case when i % 2 = 0 then 2000 else 1100 end, 0, 0,
        ${owner} from n`.execute(db.query);
    const order: string[] = [];
    const listing = listMembers(db, { now: 1_200, limit: 1, name }).then((page) => {
      order.push("listed");
      return page;
    });
    const other = new Promise((resolve) => setImmediate(() => resolve(order.push("other"))));
    expect((await listing).members[0]?.secrets).toBe(1_500);
    await other;
    expect(order).toEqual(["other", "listed"]);
  });

  test("is counted with all others, as are secrets, requests and calls", async () => {
    const count = () => countInstance(db, { ...LIVING, usedSince: 7_200 });
    const before = await count();
    const { id } = await join();
    const other = await join();
    await setRole(db, id, "admin");
    await disableMember(db, { id: other.id, now: 1_500 });
    await insertSession(db, newSession({ member: id }), BY_PASSWORD);
    await insertSecret(db, newSecret());
    await insertSecret(db, newSecret({ expiresAt: 1_001 }));
    await insertRequest(db, newRequest());
    const use = { tool: "file-hash", address: "192.0.2.0", count: 1 };
    await countUses(db, [
      ...[3_600, 7_200, 10_800].map((hour) => ({ ...use, hour, succeeded: true })),
      { ...use, hour: 7_200, succeeded: false },
    ]);
    const after = await count();
    expect(after).toEqual({
      members: {
        total: before.members.total + 2,
        disabled: before.members.disabled + 1,
        administrators: before.members.administrators + 1,
      },
      sessions: before.sessions + 1,
      secrets: before.secrets + 1,
      requests: before.requests + 1,
      tools: [{ tool: "file-hash", succeeded: 2, failed: 1 }],
    });
  });
});
