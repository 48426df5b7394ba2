import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import { actingAs } from "../running-call.ts";
import { changesRow, type Bytes } from "../columns.ts";
import type { Tables } from "../schema.ts";
import type { TransactionSteps } from "../stored-bytes.ts";

/**
 * Replaces the hash `from` by a new hash of the same password. Returns false and changes nothing when the password was
 * changed meanwhile.
 */
export async function rehashPassword(
  db: Database,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> {
  // Recorded for nobody: the password stays the same.
  return actingAs(undefined, () =>
    db.write((trx) => replacePassword(trx, { id, from, to, isChosen: false })),
  );
}

/** A new password that the member has chosen. */
interface PasswordChange extends Pick<TransactionSteps, "keep"> {
  id: string;
  /** The hash that was just checked. */
  from: string;
  to: string;
  /** The session to keep. */
  except: string | null;
  revokeTokens?: boolean;
  /** The hash of a new recovery code, if there is one. */
  recoveryHash?: Bytes | undefined;
}

/**
 * Changes the password, and the recovery code where there is a new one; ends every session but `except`, and every
 * token where `revokeTokens` is set. Returns false and changes nothing when the password was changed meanwhile.
 */
export async function changePassword(db: Database, change: PasswordChange): Promise<boolean> {
  const { id, from, to, except, revokeTokens = false, recoveryHash, keep } = change;
  return db.write(async (trx) => {
    if (!(await replacePassword(trx, { id, from, to, isChosen: true }))) return false;
    // A separate statement, so that the outbox can tell it from a recovery.
    if (recoveryHash)
      await trx.updateTable("member").set({ recovery_hash: recoveryHash }).where("id", "=", id).execute();
    await trx
      .deleteFrom("session")
      .where("member", "=", id)
      .$if(except !== null, (query) => query.where("id", "!=", except))
      .execute();
    if (revokeTokens) await trx.deleteFrom("token").where("member", "=", id).execute();
    await keep?.(trx);
    return true;
  });
}

async function replacePassword(
  trx: Kysely<Tables>,
  { id, from, to, isChosen }: { id: string; from: string; to: string; isChosen: boolean },
): Promise<boolean> {
  return trx
    .updateTable("member")
    .set({ password: to, ...(isChosen && { password_until: null }) })
    .where("id", "=", id)
    .where("password", "=", from)
    .$call(changesRow);
}
