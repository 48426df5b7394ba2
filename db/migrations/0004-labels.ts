import { sql, type Kysely } from "kysely";

type Kind = "sqlite" | "postgres";

/**
 * Members label secrets and requests, and a file that arrives has the account that sends it. Builds between 0.1.0 and
 * the release after it had made these columns as part of the first migration, so that they may be there.
 */
export async function up(db: Kysely<unknown>, kind: Kind): Promise<void> {
  for (const table of ["secret", "request"]) {
    if (await hasColumn(db, { kind, table, column: "label" })) continue;
    await db.schema.alterTable(table).addColumn("label", "text").execute();
  }
  if (await hasColumn(db, { kind, table: "secret_file", column: "owner" })) return;
  await db.schema
    .alterTable("secret_file")
    .addColumn("owner", "text", (column) => column.references("member.id").onDelete("set null"))
    .execute();
}

async function hasColumn(
  db: Kysely<unknown>,
  { kind, table, column }: { kind: Kind; table: string; column: string },
): Promise<boolean> {
  const columns =
    kind === "sqlite"
      ? sql`select 1 from pragma_table_info(${table}) where name = ${column}`
      : sql`select 1 from information_schema.columns
          where table_schema = current_schema() and table_name = ${table} and column_name = ${column}`;
  const { rows } = await columns.execute(db);
  return rows.length > 0;
}
