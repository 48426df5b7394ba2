import {
  PostgresDialect,
  sql,
  type Dialect,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import type { Bytes } from "../schema.ts";
import { copyOut } from "./copy-out.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

const CONNECT_MS = 5_000;
const INT8 = 20;

/**
 * What the server says when it cannot serve anybody, by SQLSTATE (PostgreSQL manual, appendix A):
 * connection exceptions, shutting down or starting, out of connections or disk, read-only after a
 * failover, a statement or a transaction that was ended for hanging.
 */
const UNAVAILABLE = /^(08...|57P0.|57014|53...|25006|25P03|55P03)$/;

/** Serialization failure and deadlock: the server has rolled the whole transaction back. */
const ROLLED_BACK = /^(40001|40P01)$/;

/** At most so many connections, and so many milliseconds for one statement; 0 is no end. */
interface PostgresLimits {
  connections: number;
  statementMilliseconds: number;
}

/** A PostgreSQL for Kysely, and a way around it. */
interface Postgres {
  readonly dialect: Dialect;
  /** The same for single statements that count: they are answered before they are on the disk. */
  readonly counters: Dialect;
  /** The rows of a query without parameters that has one column, of bytes. @throws {DatabaseUnavailable} */
  readonly copyOut: (text: string) => Promise<Bytes[]>;
}

/** Connects to the PostgreSQL of this URL; `pg` is loaded only now, SQLite starts without it. */
export async function connectPostgres(url: string, limits: PostgresLimits): Promise<Postgres> {
  const { Pool, Query, types } = (await import("pg")).default;
  const pool = new Pool({
    connectionString: url,
    max: limits.connections,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: limits.statementMilliseconds,
    idle_in_transaction_session_timeout: limits.statementMilliseconds,
    // The server ends a statement itself; twice that time without an answer means the network is gone.
    query_timeout: 2 * limits.statementMilliseconds,
    keepAlive: true,
    // bigint comes as text otherwise; unix seconds, counts and sizes stay far below 2^53.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  });
  // Without listeners a connection that breaks while idle, or between two statements, ends the process.
  // Nothing is hidden by them: the pool drops the connection, or the next statement on it fails.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    dialect: new PostgresDialect({ pool: watchPool(pool) }),
    counters: new PostgresDialect({ pool: watchPool(pool, answeredSoon) }),
    copyOut: (text) => withClient(pool, (client) => copyOut(client, { text, Query })),
  };
}

/**
 * Answers the transaction it stands in before the server's log is on the disk: a power cut may take it back as a whole
 * (PostgreSQL manual, 30.4, asynchronous commit). Whatever is answered later without this brings everything before it
 * to the disk. A setting of the connection would reach others through PgBouncer.
 */
const ANSWER_SOON = "set_config('synchronous_commit', 'off', true)";

/** Begins a transaction that is answered soon. */
export async function answerSoon<Tables>(trx: Transaction<Tables>): Promise<void> {
  await sql`select ${sql.raw(ANSWER_SOON)}`.execute(trx);
}

// A counter is one statement, and what it returns is all that is asked of it.
function answeredSoon(statement: string): string {
  const rows = /\breturning\b/.test(statement) ? "counted.*, " : "";
  return `with counted as (${statement}) select ${rows}${ANSWER_SOON}${rows && " from counted"}`;
}

/** Whether the server has undone everything of the transaction, so that it may simply be tried again. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(readSqlState(error) ?? "");
}

function watchPool(
  pool: Pool,
  write: (statement: string) => string = (statement) => statement,
): PostgresPool {
  return {
    connect: async () => watchClient(await connect(pool), write),
    end: () => pool.end(),
    options: pool.options,
  };
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translate(error);
  }
}

// A connection on which the server could not be reached is never given back to the pool.
function watchClient(client: PoolClient, write: (statement: string) => string): PostgresPoolClient {
  let isLost = false;
  const query = async (text: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(write(text), [...parameters]);
    } catch (error) {
      const translated = translate(error);
      isLost ||= translated instanceof DatabaseUnavailable;
      throw translated;
    }
  };
  return {
    // Kysely's type has a second form for cursors, which it uses only where a cursor class is configured.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy === true || isLost),
  };
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    const translated = translate(error);
    client.release(translated instanceof DatabaseUnavailable);
    throw translated;
  }
}

// What did not come from the server comes from the connection, unless it is a fault in our own call.
function translate(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const state = readSqlState(error);
  return state === undefined || UNAVAILABLE.test(state) ? new DatabaseUnavailable(error) : error;
}

function readSqlState(error: unknown): string | undefined {
  const isFromServer = error instanceof Error && "severity" in error && "code" in error;
  return isFromServer ? String(error.code) : undefined;
}
