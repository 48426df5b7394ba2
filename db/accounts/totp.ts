import type { Database } from "../open.ts";
import { changesRow, type Bytes } from "../columns.ts";
import { forgetTotp } from "./act-on-member.ts";

/**
 * Stores a key that the next right code confirms. Returns false and changes nothing when the member has a confirmed
 * one.
 */
export async function beginTotp(db: Database, id: string, key: Bytes): Promise<boolean> {
  return db.write((trx) =>
    trx
      .updateTable("member")
      .set({ totp_key: key, totp_step: null })
      .where("id", "=", id)
      .where("totp_since", "is", null)
      .$call(changesRow),
  );
}

/**
 * Uses up the code of a time step (RFC 6238), which has to be later than the last one, and confirms the key with the
 * first. False when it was used before, or the key was replaced meanwhile.
 */
export async function useTotpStep(
  db: Database,
  { id, key, step, now }: { id: string; key: Bytes; step: number; now: number },
): Promise<boolean> {
  return db.write((trx) =>
    trx
      .updateTable("member")
      .set((member) => ({
        totp_step: step,
        totp_since: member.fn.coalesce("totp_since", member.val(now)),
      }))
      .where("id", "=", id)
      .where("totp_key", "=", key)
      .where(({ or, eb }) => or([eb("totp_step", "is", null), eb("totp_step", "<", step)]))
      .$call(changesRow),
  );
}

/** Removes the key. False when there was none. */
export async function endTotp(db: Database, id: string): Promise<boolean> {
  return (await db.write((trx) => forgetTotp(trx, id))) === 1;
}

/**
 * Replaces a recovery code that was used as a second factor by the next one. False when it was replaced meanwhile, when
 * an administrator has set it together with the password, or when the previous code set the password at
 * `recoveredBefore`, in unix seconds, or later.
 */
export async function useRecoveryCode(
  db: Database,
  { id, hash, next, recoveredBefore }: { id: string; hash: Bytes; next: Bytes; recoveredBefore: number },
): Promise<boolean> {
  return db.write((trx) =>
    trx
      .updateTable("member")
      .set({ recovery_hash: next })
      .where("id", "=", id)
      .where("recovery_hash", "=", hash)
      .where("password_until", "is", null)
      .where(({ or, eb }) => or([eb("recovered_at", "is", null), eb("recovered_at", "<", recoveredBefore)]))
      .$call(changesRow),
  );
}
