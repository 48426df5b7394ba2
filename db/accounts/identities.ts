import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Tables } from "../schema.ts";
import { removeWayIn, type WayInRemoval } from "./act-on-member.ts";
import { lockMember } from "./lock-member.ts";
import { changesRow } from "../columns.ts";

/** A member's identity at the provider of an organization's logins. */
interface Identity {
  issuer: string;
  subject: string;
}

/** An identity that its provider has just confirmed. */
interface ConfirmedIdentity extends Identity {
  /** The name at the provider, to show to people. */
  name: string;
  now: number;
}

/** An identity of a member. */
export interface TiedIdentity extends Identity {
  /** Null where the provider has sent no name yet. */
  name: string | null;
  /** Unix seconds, as below. */
  createdAt: number;
  lastUsedAt: number;
}

/** The member of an identity; stores that it was used and confirmed now. */
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

/** The member of an identity; stores nothing. */
export async function peekIdentity(
  query: Kysely<Tables>,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const row = await query
    .selectFrom("identity")
    .select("member")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.member;
}

/**
 * Creates a member without a password for an identity. Returns the member's id; undefined, storing nothing, when the
 * name is taken or the identity already has a member.
 */
export async function insertIdentityMember(
  db: Database,
  { identity, id, memberName }: { identity: ConfirmedIdentity; id: string; memberName: string },
): Promise<string | undefined> {
  return db.write(async (trx) => {
    if ((await peekIdentity(trx, identity)) !== undefined) return undefined;
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
    return (await peekIdentity(trx, identity)) === member;
  });
}

/** A member's identities, newest first. */
export async function listIdentities(db: Database, member: string): Promise<TiedIdentity[]> {
  return db.query
    .selectFrom("identity")
    .select(["issuer", "subject", "name", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("member", "=", member)
    .orderBy("created_at", "desc")
    .orderBy("subject")
    .execute();
}

/** Removes one of a member's identities. False when the member has no such identity. @throws LastWayIn */
export async function deleteIdentity(
  db: Database,
  { issuer, subject, ...from }: Identity & WayInRemoval,
): Promise<boolean> {
  return removeWayIn(db, from, async (trx) => {
    return trx
      .deleteFrom("identity")
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .where("member", "=", from.member)
      .$call(changesRow);
  });
}

/**
 * The provider no longer says what this instance requires: ends all sessions of the member and, where roles come from
 * claims, the role. Other ways in have to wait for a login that confirms the identity again. Returns the member's id,
 * if there is one.
 */
export async function refuseIdentity(
  db: Database,
  { endsRole, ...identity }: Identity & { endsRole: boolean },
): Promise<string | undefined> {
  return db.write(async (trx) => {
    const tied = await peekIdentity(trx, identity);
    // A login by this identity that is under way waits for this, and finds it refused.
    if (tied !== undefined) await lockMember(trx, tied);
    const refused = await trx
      .updateTable("identity")
      .set({ confirmed_at: null })
      .where("issuer", "=", identity.issuer)
      .where("subject", "=", identity.subject)
      .returning("member")
      .executeTakeFirst();
    if (!refused) return undefined;
    const { member } = refused;
    if (endsRole) await trx.updateTable("member").set({ role: null }).where("id", "=", member).execute();
    await trx.deleteFrom("session").where("member", "=", member).execute();
    return member;
  });
}

/**
 * Whether a member has an identity at this issuer; with `confirmedAfter`, in unix seconds, one that the issuer has
 * confirmed since.
 */
export async function hasIdentity(
  db: Database,
  { issuer, member, confirmedAfter }: { issuer: string; member: string; confirmedAfter?: number },
): Promise<boolean> {
  const row = await db.query
    .selectFrom("identity")
    .select("subject")
    .where("issuer", "=", issuer)
    .where("member", "=", member)
    .$if(confirmedAfter !== undefined, (query) => query.where("confirmed_at", ">", confirmedAfter ?? 0))
    .executeTakeFirst();
  return row !== undefined;
}

function rowOf({ issuer, subject, name, now }: ConfirmedIdentity, member: string) {
  return { issuer, subject, name, member, created_at: now, last_used_at: now, confirmed_at: now };
}
