import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Bytes, Tables } from "../schema.ts";

/**
 * Sets password and recovery code without asking for the old ones, for the administrator; ends all sessions, and forgets
 * authenticator app and passkeys.
 */
export async function resetMember(
  db: Database,
  { id, password, recoveryHash }: { id: string; password: string; recoveryHash: Bytes | null },
): Promise<boolean> {
  return db.write(async (trx) => {
    const updated = await trx
      .updateTable("member")
      .set({ password, recovery_hash: recoveryHash, totp_key: null, totp_since: null, totp_step: null })
      .where("id", "=", id)
      .executeTakeFirst();
    await endSessions(trx, id);
    await trx.deleteFrom("passkey").where("member", "=", id).execute();
    return updated.numUpdatedRows === 1n;
  });
}

/** Makes a member an administrator, or no longer one. False when nothing has changed by that. */
export async function setRole(
  db: Database,
  { id, role }: { id: string; role: "admin" | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db.write((trx) =>
    trx
      .updateTable("member")
      .set({ role })
      .where("id", "=", id)
      .where("role", role === null ? "is not" : "is", null)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows === 1n;
}

/**
 * Lets a member do nothing from the next call on, and ends all sessions; tokens fail until the member is enabled again. What
 * was handed over stays as it is. The first time counts. False when there is no such member.
 */
export async function disableMember(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<boolean> {
  return db.write(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("member")
      .set((member) => ({ disabled_at: member.fn.coalesce("disabled_at", member.val(now)) }))
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await endSessions(trx, id);
    return numUpdatedRows === 1n;
  });
}

/** Lets a disabled member log in again. False when there is no such member. */
export async function enableMember(db: Database, { id }: { id: string }): Promise<boolean> {
  return db.write(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("member")
      .set({ disabled_at: null })
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  });
}

async function endSessions(trx: Kysely<Tables>, member: string): Promise<void> {
  await trx.deleteFrom("session").where("member", "=", member).execute();
}
