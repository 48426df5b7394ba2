import type { Database } from "../open.ts";

/** Who a member is to the provider of an organisation's logins. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** The member of an identity, and when it was last used from now on. */
export async function findByIdentity(
  db: Database,
  { issuer, subject, now }: Identity & { now: number },
): Promise<string | undefined> {
  return db.write(async (trx) => {
    const row = await trx
      .updateTable("identity")
      .set({ last_used_at: now })
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .returning("member")
      .executeTakeFirst();
    return row?.member;
  });
}

/**
 * Makes a member for an identity, without a password. The member's id, or undefined when the name is taken or the
 * identity has a member already, and then nothing is stored.
 */
export async function insertIdentityMember(
  db: Database,
  { issuer, subject, now, id, name }: Identity & { now: number; id: string; name: string },
): Promise<string | undefined> {
  return db.write(async (trx) => {
    const known = await trx
      .selectFrom("identity")
      .select("member")
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .executeTakeFirst();
    if (known) return undefined;
    const made = await trx
      .insertInto("member")
      .values({ id, name, password: "", recovery_hash: null, created_at: now, created_from: null })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!made) return undefined;
    await trx
      .insertInto("identity")
      .values({ issuer, subject, member: id, created_at: now, last_used_at: now })
      .execute();
    return id;
  });
}

/** Ties an identity to a member. False when it has another one. */
export async function tieIdentity(
  db: Database,
  { issuer, subject, now, member }: Identity & { now: number; member: string },
): Promise<boolean> {
  return db.write(async (trx) => {
    await trx
      .insertInto("identity")
      .values({ issuer, subject, member, created_at: now, last_used_at: now })
      .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
      .execute();
    const row = await trx
      .selectFrom("identity")
      .select("member")
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .executeTakeFirst();
    return row?.member === member;
  });
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
