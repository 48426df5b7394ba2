import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** A row that fits into what its file has free already would be written on a full disk too. */
const PING_BYTES = 64 * 1024;

/** Writes as calls do, in a transaction. */
export async function ping(query: Kysely<Tables>): Promise<void> {
  // Updates of no row wait for the locks that would stop a call. They come first, so that a ping that waits here
  // holds no row for which the pings of other instances would wait.
  await query.updateTable("secret").set({ status: "expired" }).where("id", "=", "").execute();
  await query.updateTable("allowance").set({ count: 0 }).where("bucket", "=", "").execute();
  // SQLite writes no page that stays as it was, so the bytes have to be others each time.
  const value = crypto.getRandomValues(new Uint8Array(PING_BYTES));
  await query
    .insertInto("installation")
    .values({ name: "ping", value })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ value: row.ref("excluded.value") })),
    )
    .execute();
}
