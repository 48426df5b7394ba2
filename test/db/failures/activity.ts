import pg from "pg";

/** How many calls a PostgreSQL database is at work on, and how many of them wait for a lock. */
export async function readActivity(url: string): Promise<{ busy: number; waiting: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const others = "datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'";
  const counts = "count(*)::int as busy, count(*) filter (where wait_event_type = 'Lock')::int as waiting";
  const { rows } = await client
    .query<{ busy: number; waiting: number }>(`select ${counts} from pg_stat_activity where ${others}`)
    .finally(() => client.end());
  return rows[0] ?? { busy: 0, waiting: 0 };
}
