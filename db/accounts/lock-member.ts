import type { Kysely } from "kysely";
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
