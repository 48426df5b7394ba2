import type { Kysely } from "kysely";

/** An operator can allow files of 2 GiB, which 32 bits do not count. An integer of SQLite has 64. */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  if (kind === "sqlite") return;
  for (const [table, column] of [
    ["allowance", "count"],
    ["secret_content", "size"],
    ["secret_file", "size"],
  ] as const) {
    await db.schema
      .alterTable(table)
      .alterColumn(column, (altered) => altered.setDataType("bigint"))
      .execute();
  }
}
