import type { Database } from "../open.ts";
import { changesRow, type Bytes } from "../columns.ts";
import { actOnMember, type Act, endWaysIn, type EndedWays, type WayIn } from "./act-on-member.ts";

/** A password and a recovery code that an administrator gives a member. */
interface ResetMember extends Act {
  password: string;
  /** Until when the password is valid, unless the member chooses another one before. */
  until: number;
  recoveryHash: Bytes | null;
  keep: readonly WayIn[];
}

/**
 * Sets password and recovery code without the old ones, and ends every way in except those to keep. Returns how many of
 * each have ended; undefined when there is no such member.
 */
export async function resetMember(
  db: Database,
  { id, by, password, until, recoveryHash, keep }: ResetMember,
): Promise<EndedWays | undefined> {
  return actOnMember(db, { id, by }, async (trx) => {
    const isThere = await trx
      .updateTable("member")
      .set({
        password,
        password_until: until,
        recovery_hash: recoveryHash,
        recovered_at: null,
        enrol_from: null,
      })
      .where("id", "=", id)
      .$call(changesRow);
    return isThere ? endWaysIn(trx, id, keep) : undefined;
  });
}

/** Makes a member an administrator, or removes that role. False when that changes nothing. */
export async function setRole(db: Database, id: string, role: "admin" | null): Promise<boolean> {
  return db.write((trx) =>
    trx
      .updateTable("member")
      .set({ role })
      .where("id", "=", id)
      .where("role", role === null ? "is not" : "is", null)
      .$call(changesRow),
  );
}

/**
 * Disables a member from the next call on, and ends all sessions; tokens fail until the member is enabled again.
 * Secrets and requests stay. If the member is disabled already, the first time stays. False when there is no such
 * member.
 */
export async function disableMember(db: Database, { id, by, now }: Act & { now: number }): Promise<boolean> {
  return actOnMember(db, { id, by }, async (trx) => {
    const isThere = await trx
      .updateTable("member")
      .set((member) => ({ disabled_at: member.fn.coalesce("disabled_at", member.val(now)) }))
      .where("id", "=", id)
      .$call(changesRow);
    await trx.deleteFrom("session").where("member", "=", id).execute();
    return isThere;
  });
}

/** Lets a disabled member log in again. False when there is no such member. */
export async function enableMember(db: Database, { id, by }: Act): Promise<boolean> {
  return actOnMember(db, { id, by }, async (trx) => {
    return trx.updateTable("member").set({ disabled_at: null }).where("id", "=", id).$call(changesRow);
  });
}
