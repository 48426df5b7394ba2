import type { Kysely, Selectable } from "kysely";
import type { Database } from "./open.ts";
import type { Tables } from "./schema.ts";

/** The form of `next` in a page of a list, and of the parameter `cursor`. */
export const CURSOR = /^[0-9]{1,15}\.[0-9A-Za-z]{1,64}$/;

/** Which rows to list: `limit` of them after `cursor`, only those in `status` where it is given. */
export interface Page<Status> {
  owner: string;
  now: number;
  status?: Status | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A row with an owner that becomes a receipt once it is closed, as functions of `db/` return it. */
interface ListRow {
  id: string;
  status: string;
  createdAt: number;
  expiresAt: number;
  closedAt: number | null;
}

type ListKind = "secret" | "request";

/**
 * A member's rows, newest first, in stable pages: new rows move nothing to another page. A row past its time is shown
 * as expired, swept or not.
 */
export async function readPage<Table extends ListKind, Shown extends ListRow>(
  { query }: Database,
  { table, toRecord }: { table: Table; toRecord: (row: Selectable<Tables[Table]>) => Shown },
  page: Page<Shown["status"]>,
): Promise<{ shown: Shown[]; next: string | null }> {
  const rows = await (page.status === undefined
    ? selectPage(query, table, page).execute()
    : search(query, table, page));
  // Rows of this table; the query types them as those of either.
  const taken = rows.slice(0, page.limit) as unknown as Selectable<Tables[Table]>[];
  const shown = taken.map((row) => showExpired(toRecord(row), page.now));
  const last = shown.at(-1);
  return { shown, next: rows.length > page.limit && last ? `${last.createdAt}.${last.id}` : null };
}

/** So many rows are searched at once for a status, which few of them may have; others come in between. */
const SEARCHED_ROWS = 2_000;

type Rows = Awaited<ReturnType<ReturnType<typeof selectPage>["execute"]>>;

async function search(query: Kysely<Tables>, table: ListKind, page: Page<string>): Promise<Rows> {
  const found: Rows = [];
  for (let { cursor } = page; ;) {
    const last = await selectPage(query, table, { ...page, status: undefined, cursor, limit: 0 })
      .clearSelect()
      .select(["created_at", "id"])
      .offset(SEARCHED_ROWS - 1)
      .executeTakeFirst();
    const limit = page.limit - found.length;
    const rows = selectPage(query, table, { ...page, cursor, limit }).$if(last !== undefined, (some) =>
      some.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("created_at", "id"), ">=", tuple(last?.created_at ?? 0, last?.id ?? "")),
      ),
    );
    for (const row of await rows.execute()) found.push(row);
    if (!last || found.length > page.limit) return found;
    cursor = `${last.created_at}.${last.id}`;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

// One more row than asked for shows whether there is a next page.
function selectPage(
  query: Kysely<Tables>,
  table: ListKind,
  { owner, now, status, limit, cursor }: Page<string>,
) {
  let rows = query.selectFrom(table).selectAll().where("owner", "=", owner);
  if (status !== undefined) {
    rows = rows.where(({ eb, or, and }) => {
      const isOver = and([eb("closed_at", "is", null), eb("expires_at", "<=", now)]);
      const isStored = eb("status", "=", status as "expired");
      return status === "expired" ? or([isStored, isOver]) : and([isStored, eb.not(isOver)]);
    });
  }
  if (cursor !== undefined) {
    const [createdAt = "", id = ""] = cursor.split(".");
    rows = rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple("created_at", "id"), "<", tuple(Number(createdAt), id)),
    );
  }
  return rows
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1);
}

/** Shows a row past its time as it will be after the sweep. */
export function showExpired<Shown extends ListRow>(row: Shown, now: number): Shown {
  if (row.closedAt !== null || row.expiresAt > now) return row;
  return { ...row, status: "expired", closedAt: row.expiresAt };
}
