import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Tables } from "../schema.ts";

/**
 * Writing the row, even unchanged, makes everybody wait who wants to count what this member has, or to disable the member.
 * False when the member is gone, or disabled.
 */
export async function lockMember(trx: Kysely<Tables>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("member")
    .set((member) => ({ created_at: member.ref("created_at") }))
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Who acts has been disabled or deleted meanwhile, so that nothing was changed. */
export class ActorGone extends Error {
  override readonly name = "ActorGone";
}

/** Whom an act is done to, and by which member, where it is one. */
export interface Act {
  readonly id: string;
  readonly by?: string | undefined;
}

/**
 * Does to a member what another one may do only who is still there: of two who disable each other at the same time, one does.
 * Rows are locked in one order, so that they do not wait for each other.
 * @throws ActorGone
 */
export async function actOnMember<Result>(
  db: Database,
  { id, by }: Act,
  act: (trx: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.write(async (trx) => {
    const check = async () => {
      if (by !== undefined && !(await lockMember(trx, by))) throw new ActorGone();
    };
    if (by !== undefined && by < id) await check();
    const result = await act(trx);
    if (by !== undefined && by >= id) await check();
    return result;
  });
}
