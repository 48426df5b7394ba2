import { AbortedTransactionError, type CompiledQuery, type QueryResult } from "kysely";
import type { Pool, PoolClient, QueryResult as Answer } from "pg";
import { isLate, waitingWithin, waitsUntil } from "../running-call.ts";
import type { Caller } from "./dialect.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * The server itself ends a statement that takes too long; no answer for so long after that means that the network is
 * gone.
 */
const ANSWER_MS = 500;

/** The server's tag for statements that change rows (PostgreSQL manual, 55.7, CommandComplete). */
const CHANGES = /^(INSERT|UPDATE|DELETE|MERGE)$/;

/** The most connections, and milliseconds for one statement; 0 means no limit. */
export interface PostgresLimits {
  connections: number;
  statementMilliseconds: number;
}

/** The pool, for calls with a deadline. */
export class PostgresConnections {
  readonly pool: Pool;
  readonly #limits: PostgresLimits;
  /** Connections made since one was last lost: older ones may lead to a dead server. */
  #trusted = new WeakSet<PoolClient>();

  constructor(pool: Pool, limits: PostgresLimits) {
    this.pool = pool;
    this.#limits = limits;
    // Without listeners, a connection that breaks while idle, or between two statements, would end the process. The
    // pool drops such a connection, or the next statement on it fails.
    pool.on("error", () => this.#distrust());
    pool.on("connect", (client) => {
      client.on("error", () => {});
      this.#trusted.add(client);
    });
  }

  /** The milliseconds left for a statement. @throws {DatabaseUnavailable} when none are left */
  timeLeft(): number {
    const { statementMilliseconds: longest } = this.#limits;
    if (longest === 0) return Infinity;
    const left = Math.min(Math.ceil(waitsUntil() - performance.now()), longest);
    if (left <= 0) throw waitedTooLong();
    return left;
  }

  /** How long to wait for an answer when the server is silent; 0 means no limit. */
  longestAnswer(): number {
    const left = this.timeLeft();
    return left === Infinity ? 0 : left + ANSWER_MS;
  }

  /** Whether the server would let a statement run longer than that. */
  isShort(left: number): boolean {
    return left < this.#limits.statementMilliseconds;
  }

  async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#connect();
      if (this.#trusted.has(client)) return client;
      client.release(true);
    }
  }

  /** Uses a connection to read. */
  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      const translated = this.explain(error);
      client.release(translated instanceof DatabaseUnavailable);
      throw translated;
    }
  }

  /** The error to throw for one of the driver. */
  explain(error: unknown): unknown {
    const translated = this.#translate(error);
    if (isLostWay(error)) this.#distrust();
    return translated;
  }

  // Whoever starts or administers, without a limit, is told what to set right.
  #translate(error: unknown): unknown {
    const isServing = this.#limits.statementMilliseconds > 0;
    const isRefused = ANOTHER_SERVER.test(readSqlState(error) ?? "");
    return isServing && isRefused ? new DatabaseUnavailable(error) : translate(error);
  }

  #distrust(): void {
    this.#trusted = new WeakSet();
  }

  async #connect(): Promise<PoolClient> {
    const connecting = this.pool.connect();
    try {
      return await (this.#limits.statementMilliseconds === 0
        ? connecting
        : waitingWithin(connecting, waitedTooLong));
    } catch (error) {
      // Too late for this call.
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw this.#translate(error);
    }
  }
}

/**
 * Uses a connection for a statement or a transaction. A connection on which the server could not be reached, or with a
 * transaction still open, never returns to the pool.
 */
export class PostgresCaller implements Caller {
  readonly #client: PoolClient;
  readonly #connections: PostgresConnections;
  #isLost = false;
  #isInside = false;

  private constructor(client: PoolClient, connections: PostgresConnections) {
    this.#client = client;
    this.#connections = connections;
  }

  /** Waits for a connection. @throws {DatabaseUnavailable} */
  static async admit(connections: PostgresConnections): Promise<PostgresCaller> {
    return new PostgresCaller(await connections.connect(), connections);
  }

  /** Repeats a statement of its own that the server has rolled back. */
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#isInside ? this.#run(query) : repeating(() => this.#runAlone(query));
  }

  /**
   * A statement that the server would let run past the deadline runs in a transaction with a shorter limit: nothing is
   * stored after its caller was refused.
   */
  async #runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.#connections.isShort(this.#connections.timeLeft())) return this.#run(query);
    await this.begin();
    try {
      const result = await this.#run<Row>(query);
      await this.commit();
      return result;
    } catch (error) {
      if (isRolledBack(error)) await this.rollback();
      throw error;
    }
  }

  async #run<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#ask(sql, parameters);
    return { rows, ...(CHANGES.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) };
  }

  async begin(): Promise<void> {
    const left = this.#connections.timeLeft();
    this.#isInside = true;
    const limit = this.#connections.isShort(left) ? `; set local statement_timeout = ${left}` : "";
    await this.#ask(`begin${limit}`);
  }

  async commit(): Promise<void> {
    const { command } = await this.#ask("commit");
    this.#isInside = false;
    // The server answers so where an earlier statement has failed.
    if (command === "ROLLBACK") throw new AbortedTransactionError();
  }

  async rollback(): Promise<void> {
    await this.#ask("rollback");
    this.#isInside = false;
  }

  release(): void {
    this.#client.release(this.#isLost || this.#isInside);
  }

  async #ask(text: string, parameters: readonly unknown[] = []): Promise<Answer> {
    // The type lacks the limit, which the driver accepts for one statement as for a whole connection.
    const query = { text, values: [...parameters], query_timeout: this.#connections.longestAnswer() };
    try {
      return await this.#client.query(query);
    } catch (error) {
      const explained = this.#connections.explain(error);
      this.#isLost ||= explained instanceof DatabaseUnavailable;
      throw explained;
    }
  }
}

function waitedTooLong(): DatabaseUnavailable {
  return new DatabaseUnavailable(coded("database_busy", "The call has waited for too long."));
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** What `pg` 8.23 says without a code of a connection that is silent or cut. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, "ETIMEDOUT"],
  [/^Connection terminated/, "ECONNRESET"],
];

/**
 * SQLSTATEs of a server that cannot serve anybody (PostgreSQL manual, appendix A): connection exceptions, shutdown or
 * startup, no more connections or disk space, read-only after a failover, a statement or transaction that was ended
 * because it hung, a disk or file that is damaged.
 */
const UNAVAILABLE = /^(08...|53...|57P0.|57014|58...|XX...|25006|25P0[34]|55P03)$/;

/**
 * Refused by password, role or pg_hba.conf, or without the database, its tables or the rights to them: a wrong setting
 * at the start, and temporary later, as while a password is changed or after a failover to another server.
 */
const ANOTHER_SERVER = /^(28...|3D000|3F000|42501|42P01|42703|55000)$/;

/**
 * After a failover old connections lead to a read-only server. It refuses the statement itself, so nothing stays open.
 */
const READ_ONLY = "25006";

/** The server ends its connections, usually all of them. */
const SHUT_DOWN = /^57P0[12]$/;

/** Serialization failure and deadlock: the server has rolled back the whole transaction. */
const ROLLED_BACK = /^(40001|40P01)$/;

const MOST_TRIES = 6;
const PAUSE_MS = 4;

/**
 * Repeats a statement or transaction that the server has rolled back as a whole, while its caller may wait. With
 * `default_transaction_isolation` above `read committed` that happens to single statements too.
 * @throws {DatabaseUnavailable} where it never gets through
 */
export async function repeating<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error)) throw error;
      if (tries === MOST_TRIES || isLate()) throw new DatabaseUnavailable(error);
      // Or the two would meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** tries * PAUSE_MS));
    }
  }
}

function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(readSqlState(error) ?? "");
}

/**
 * The error to throw: what does not come from the server comes from the connection, unless our own call is at fault.
 */
function translate(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof DatabaseUnavailable)
    return error;
  const state = readSqlState(error);
  if (state !== undefined && !UNAVAILABLE.test(state)) return error;
  if (!(error instanceof Error) || "code" in error) return new DatabaseUnavailable(error);
  const [, code] = CODES.find(([said]) => said.test(error.message)) ?? [];
  return new DatabaseUnavailable(code ? coded(code, error.message) : error);
}

/** Whether other connections are probably affected too, because the server cannot be reached any more. */
function isLostWay(error: unknown): boolean {
  const state = readSqlState(error);
  if (state === undefined) return translate(error) !== error;
  return state === READ_ONLY || SHUT_DOWN.test(state);
}

function readSqlState(error: unknown): string | undefined {
  const isFromServer = error instanceof Error && "severity" in error && "code" in error;
  return isFromServer ? String(error.code) : undefined;
}
