import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** More than a file has free pages for: a smaller row could be written on a full disk. */
const PING_BYTES = 64 * 1024;

/** Writes in a transaction, as calls do. */
export async function ping(query: Kysely<Tables>): Promise<void> {
  // Updates of no rows wait for the same locks as calls. They come first, so that a waiting ping holds no row for which
  // pings of other instances would wait.
  await query.updateTable("secret").set({ status: "expired" }).where("id", "=", "").execute();
  await query.updateTable("allowance").set({ count: 0 }).where("bucket", "=", "").execute();
  // SQLite does not write unchanged pages, so the bytes differ each time.
  const value = crypto.getRandomValues(new Uint8Array(PING_BYTES));
  await query
    .insertInto("installation")
    .values({ name: "ping", value })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ value: row.ref("excluded.value") })),
    )
    .execute();
}
