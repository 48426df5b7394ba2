import { AbortedTransactionError, type CompiledQuery, type QueryResult } from "kysely";
import type { Pool, PoolClient, QueryResult as Answer } from "pg";
import { waitWithin, waitsUntil } from "../running-call.ts";
import type { DatabaseClient } from "./dialect.ts";
import {
  codedError,
  isFull,
  isWrongSetting,
  isServerLost,
  isRolledBack,
  repeatRolledBack,
  translate,
} from "./postgres-errors.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * The server itself ends a statement that takes too long; no answer for this long after that means that the network is
 * gone.
 */
const ANSWER_MS = 500;

/** After a lost connection, and between tries to make another. */
const COME_BACK_MS = 1_000;

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
  /** The pool itself counts those too that are still to be made. */
  readonly #made = new Set<PoolClient>();
  #coming: NodeJS.Timeout | undefined;
  #growing: NodeJS.Timeout | undefined;

  constructor(pool: Pool, limits: PostgresLimits) {
    this.pool = pool;
    this.#limits = limits;
    // Without listeners, a connection that breaks while idle, or between two statements, would end the process. The
    // pool drops such a connection, or the next statement on it fails.
    pool.on("error", () => this.#distrust());
    pool.on("connect", (client) => {
      client.on("error", () => {});
      this.#trusted.add(client);
      this.#made.add(client);
    });
    pool.on("remove", (client) => void this.#made.delete(client));
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
    if (isServerLost(error)) this.#distrust();
    return translated;
  }

  // At the start and in administration, which have no limit, the error says what to set right.
  #translate(error: unknown): unknown {
    const isServing = this.#limits.statementMilliseconds > 0;
    return isServing && isWrongSetting(error) ? new DatabaseUnavailable(error) : translate(error);
  }

  #distrust(): void {
    this.#trusted = new WeakSet();
    this.#comeBack();
  }

  // The pool's `min` keeps a connection that there is, and makes no other for a server that nobody calls.
  #comeBack(): void {
    if (this.#coming || this.#limits.statementMilliseconds === 0) return;
    this.#coming = setTimeout(() => {
      this.#coming = undefined;
      if (this.pool.ending || this.pool.totalCount > 0) return;
      this.connect().then(
        (client) => client.release(),
        () => this.#comeBack(),
      );
    }, COME_BACK_MS).unref();
  }

  /** Where the server takes no more connections, callers wait for one that there is. */
  async #connect(): Promise<PoolClient> {
    for (let refusal: unknown; ;) {
      try {
        return await this.#ask();
      } catch (error) {
        if (!isFull(error)) throw this.#translate(refusal ?? error);
        refusal = error;
        if (this.#made.size === 0) throw this.#translate(error);
        this.#stopGrowing();
      }
    }
  }

  // Callers wait in turn in the pool, rather than ask a server for connections that it has just refused.
  #stopGrowing(): void {
    const { options } = this.pool;
    options.max = this.#made.size;
    if (this.#growing) return;
    this.#growing = setTimeout(() => {
      this.#growing = undefined;
      options.max = this.#limits.connections;
    }, COME_BACK_MS).unref();
  }

  async #ask(): Promise<PoolClient> {
    const connecting = this.pool.connect();
    try {
      return await (this.#limits.statementMilliseconds === 0
        ? connecting
        : waitWithin(connecting, waitedTooLong));
    } catch (error) {
      // Too late for this call.
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    }
  }
}

/**
 * Uses a connection for a statement or a transaction. A connection on which the server could not be reached, or with a
 * transaction still open, never returns to the pool.
 */
export class PostgresClient implements DatabaseClient {
  readonly #client: PoolClient;
  readonly #connections: PostgresConnections;
  #isLost = false;
  #isInside = false;

  private constructor(client: PoolClient, connections: PostgresConnections) {
    this.#client = client;
    this.#connections = connections;
  }

  /** Waits for a connection. @throws {DatabaseUnavailable} */
  static async admit(connections: PostgresConnections): Promise<PostgresClient> {
    return new PostgresClient(await connections.connect(), connections);
  }

  /** Repeats a statement of its own that the server has rolled back. */
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#isInside ? this.#run(query) : repeatRolledBack(() => this.#runAlone(query));
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
  return new DatabaseUnavailable(codedError("database_busy", "The call has waited for too long."));
}
