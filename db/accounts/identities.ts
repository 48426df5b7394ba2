import type { Database } from "../open.ts";

/** Who a member is to the provider of an organisation's logins. */
interface Identity {
  issuer: string;
  subject: string;
}

/** An identity as its provider has just confirmed it. */
interface ConfirmedIdentity extends Identity {
  /** What the provider calls them, for people. */
  name: string;
  now: number;
}

/** An identity of a member. */
export interface TiedIdentity extends Identity {
  /** Null where the provider has named nobody yet. */
  name: string | null;
  /** Unix seconds, as the next one. */
  createdAt: number;
  lastUsedAt: number;
}

/** The member of an identity, which was used and confirmed now. */
export async function findByIdentity(
  db: Database,
  { issuer, subject, name, now }: ConfirmedIdentity,
): Promise<string | undefined> {
  return db.write(async (trx) => {
    const row = await trx
      .updateTable("identity")
      .set({ name, last_used_at: now, confirmed_at: now })
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .returning("member")
      .executeTakeFirst();
    return row?.member;
  });
}

/** The member of an identity, which is not used by that. */
export async function peekIdentity(db: Database, { issuer, subject }: Identity): Promise<string | undefined> {
  const row = await db.query
    .selectFrom("identity")
    .select("member")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.member;
}

/**
 * Makes a member for an identity, without a password. The member's id, or undefined when the name is taken or the
 * identity has a member already, and then nothing is stored.
 */
export async function insertIdentityMember(
  db: Database,
  { identity, id, memberName }: { identity: ConfirmedIdentity; id: string; memberName: string },
): Promise<string | undefined> {
  return db.write(async (trx) => {
    const known = await trx
      .selectFrom("identity")
      .select("member")
      .where("issuer", "=", identity.issuer)
      .where("subject", "=", identity.subject)
      .executeTakeFirst();
    if (known) return undefined;
    const made = await trx
      .insertInto("member")
      .values({
        id,
        name: memberName,
        password: "",
        recovery_hash: null,
        created_at: identity.now,
        created_from: null,
      })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!made) return undefined;
    await trx.insertInto("identity").values(rowOf(identity, id)).execute();
    return id;
  });
}

/** Ties an identity to a member. False when it belongs to another one. */
export async function tieIdentity(
  db: Database,
  { member, ...identity }: ConfirmedIdentity & { member: string },
): Promise<boolean> {
  return db.write(async (trx) => {
    await trx
      .insertInto("identity")
      .values(rowOf(identity, member))
      .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
      .execute();
    const row = await trx
      .selectFrom("identity")
      .select("member")
      .where("issuer", "=", identity.issuer)
      .where("subject", "=", identity.subject)
      .executeTakeFirst();
    return row?.member === member;
  });
}

/** A member's identities, newest first. */
export async function listIdentities(db: Database, { member }: { member: string }): Promise<TiedIdentity[]> {
  return db.query
    .selectFrom("identity")
    .select(["issuer", "subject", "name", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("member", "=", member)
    .orderBy("created_at", "desc")
    .orderBy("subject")
    .execute();
}

/** Forgets one of a member's identities. False when the member has no such one. */
export async function deleteIdentity(
  db: Database,
  { issuer, subject, member }: Identity & { member: string },
): Promise<boolean> {
  const { numDeletedRows } = await db.write((trx) =>
    trx
      .deleteFrom("identity")
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .where("member", "=", member)
      .executeTakeFirstOrThrow(),
  );
  return numDeletedRows === 1n;
}

/**
 * The provider says no longer what this instance asks for: ends all sessions of the member and, where claims give it, the
 * role. What else opens the account waits for a login by which it is confirmed again. The member's id, if there is one.
 */
export async function refuseIdentity(
  db: Database,
  { issuer, subject, endsRole }: Identity & { endsRole: boolean },
): Promise<string | undefined> {
  return db.write(async (trx) => {
    const refused = await trx
      .updateTable("identity")
      .set({ confirmed_at: null })
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .returning("member")
      .executeTakeFirst();
    if (!refused) return undefined;
    const { member } = refused;
    if (endsRole) await trx.updateTable("member").set({ role: null }).where("id", "=", member).execute();
    await trx.deleteFrom("session").where("member", "=", member).execute();
    return member;
  });
}

/** Whether a provider has confirmed one of a member's identities later than `since`, in unix seconds. */
export async function isConfirmed(
  db: Database,
  { issuer, member, since }: { issuer: string; member: string; since: number },
): Promise<boolean> {
  const row = await db.query
    .selectFrom("identity")
    .select("subject")
    .where("issuer", "=", issuer)
    .where("member", "=", member)
    .where("confirmed_at", ">", since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a member has an identity at this issuer. */
export async function hasIdentity(
  db: Database,
  { issuer, member }: { issuer: string; member: string },
): Promise<boolean> {
  const row = await db.query
    .selectFrom("identity")
    .select("subject")
    .where("issuer", "=", issuer)
    .where("member", "=", member)
    .executeTakeFirst();
  return row !== undefined;
}

function rowOf({ issuer, subject, name, now }: ConfirmedIdentity, member: string) {
  return { issuer, subject, name, member, created_at: now, last_used_at: now, confirmed_at: now };
}
