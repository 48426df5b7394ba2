import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type CompiledQuery,
  type Dialect,
  type Kysely,
  type QueryResult,
  type TableMetadata,
  type Transaction,
} from "kysely";
import type { PoolClient, Query } from "pg";
import { type ConnectionCounts, driverOf, type Watcher } from "./dialect.ts";
import type { Bytes } from "../columns.ts";
import { checkPostgresUrl } from "./postgres-url.ts";
import { DatabaseRefused } from "./unavailable.ts";
import { reportUnavailable } from "../running-call.ts";
import { PostgresClient, PostgresConnections, type PostgresLimits } from "./postgres-connections.ts";

const CONNECT_MS = 5_000;
const INT8 = 20;
/** The longest that PostgreSQL knows, 24 days: `pg` does not send a 0, and a role's own limit would hold. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const NOBODY: Watcher = { report: () => {}, observe: () => {}, wrote: () => {} };

/** Kysely's dialect for PostgreSQL, and direct ways for some statements. */
interface Postgres {
  readonly dialect: Dialect;
  /** Runs a statement that `answeredSoon` made. @throws {DatabaseUnavailable} */
  readonly count: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;
  /** The rows of a query without parameters whose one column is bytes. @throws {DatabaseUnavailable} */
  readonly copyOut: (text: string) => Promise<Bytes[]>;
  readonly connections: () => ConnectionCounts;
}

/** Connects to a PostgreSQL URL; `pg` is loaded only here, since SQLite does not need it. */
export async function connectPostgres(
  url: string,
  limits: PostgresLimits,
  watcher: Watcher = NOBODY,
): Promise<Postgres> {
  checkPostgresUrl(url);
  const { Pool, Query, types } = (await import("pg")).default;
  const pool = new Pool({
    connectionString: url,
    max: limits.connections,
    // An idle server stays connected, so that somebody who restores a backup notices it.
    min: 1,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: limits.statementMilliseconds || NO_LIMIT_MS,
    idle_in_transaction_session_timeout: limits.statementMilliseconds || NO_LIMIT_MS,
    keepAlive: true,
    // bigint would come as text; unix seconds, counts and sizes stay far below 2^53.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  });
  const connections = new PostgresConnections(pool, limits);
  const copy = (text: string) => (client: PoolClient) =>
    copyOut(client, { text, Query, timeout: connections.longestAnswer() });
  const admit = () => PostgresClient.admit(connections);
  const count = async <Row>(query: CompiledQuery) => {
    const client = await admit();
    return client.execute<Row>(query).finally(() => client.release());
  };
  return {
    dialect: {
      createDriver: () => driverOf(admit, () => pool.end(), watcher),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new Adapter(),
      createIntrospector: (db) => new OwnTables(db),
    },
    count: (query) => reportUnavailable(count(query), watcher.report),
    copyOut: (text) => connections.use(copy(text)),
    connections: () => ({
      open: pool.totalCount,
      busy: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

/**
 * Tells the Migrator which tables there are. Kysely would look up the sequences of all schemas, and fail where somebody
 * else drops one of them meanwhile.
 */
class OwnTables extends PostgresIntrospector {
  readonly #query: Kysely<unknown>;

  constructor(query: Kysely<unknown>) {
    super(query);
    this.#query = query;
  }

  override async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string; schema: string }>`select relname as name, nspname as schema
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = current_schema() and relkind = 'r'`.execute(this.#query);
    return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }));
  }
}

/**
 * Checks that the server ends statements in time, also where a pooler drops the limits that are sent with a connection.
 * @throws DatabaseRefused if it would go on with statements whose callers were told that they had failed
 */
export async function checkLimits<Tables>(
  query: Kysely<Tables>,
  { statementMilliseconds: longest }: PostgresLimits,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout')
    and setting::bigint not between 1 and ${longest}`.execute(query);
  const alter = rows.map(({ name }) => `alter role NAME set ${name} = '${longest / 1000}s'`);
  if (alter.length > 0)
    throw new DatabaseRefused(
      "database_limits",
      `a pooler such as PgBouncer drops the time limits that are sent with each connection; set them on the role (${alter.join("; ")}) ` +
        "and let the pooler connect anew",
    );
}

/** Migrations run in a transaction with a lock of its own, which ends with it. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * Acknowledges its transaction before the server's log is on the disk: a power cut may undo the transaction as a whole
 * (PostgreSQL manual, 30.4, asynchronous commit). Any later commit without this brings everything before it to the
 * disk. As a setting of the connection it would affect others through PgBouncer.
 */
const ANSWER_SOON = "set_config('synchronous_commit', 'off', true)";

/** Begins a transaction that is acknowledged early. */
export async function answerSoon<Tables>(trx: Transaction<Tables>): Promise<void> {
  await sql`select ${sql.raw(ANSWER_SOON)}`.execute(trx);
}

/** The SQL of a single statement that is acknowledged early. */
export function answeredSoon(statement: string): string {
  const rows = /\breturning\b/.test(statement) ? "counted.*, " : "";
  return `with counted as (${statement}) select ${rows}${ANSWER_SOON}${rows && " from counted"}`;
}

/** A signature and flags, then the length of an extension (PostgreSQL manual, COPY, binary format). */
const EXTENSION_AT = 15;
const HEADER_BYTES = 19;
/** The number of fields of a row, and the length of its only one. */
const ROW_HEAD_BYTES = 6;

/**
 * Returns the rows of a query with one column of bytes that is never null. For such values the driver makes hexadecimal
 * text and then bytes again, which takes four times the processor time. `COPY` takes no parameters.
 */
function copyOut(
  client: PoolClient,
  { text, Query: DriverQuery, timeout }: { text: string; Query: typeof Query; timeout: number },
): Promise<Bytes[]> {
  return new Promise((resolve, reject) => {
    const reader = new CopyReader();
    const query = new DriverQuery(`copy (${text}) to stdout (format binary)`, (error) =>
      error ? reject(error) : resolve(reader.values),
    );
    // The driver passes on what is copied; its own query ignores it.
    const handleCopyData = ({ chunk }: { chunk: Uint8Array }) => reader.push(chunk);
    client.query(Object.assign(query, { handleCopyData, query_timeout: timeout }));
  });
}

/** Reads the binary format from pieces of any size, whose memory is reused. */
export class CopyReader {
  readonly values: Bytes[] = [];
  #held: Uint8Array = new Uint8Array(0);
  #isBegun = false;

  push(piece: Uint8Array): void {
    const bytes = this.#held.length > 0 ? join(this.#held, piece) : piece;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    if (!this.#isBegun && bytes.length >= HEADER_BYTES) {
      at = HEADER_BYTES + view.getInt32(EXTENSION_AT);
      this.#isBegun = at <= bytes.length;
    }
    while (this.#isBegun && at + ROW_HEAD_BYTES <= bytes.length) {
      const from = at + ROW_HEAD_BYTES;
      const to = from + view.getInt32(from - 4);
      if (to > bytes.length) break;
      this.values.push(new Uint8Array(bytes.subarray(from, to)));
      at = to;
    }
    this.#held = new Uint8Array(bytes.subarray(this.#isBegun ? at : 0));
  }
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
