import type { PostgresPool, PostgresPoolClient } from "kysely";
import type { Pool, PoolClient } from "pg";
import { waitingWithin, waitsUntil } from "../../waits.ts";
import { DatabaseUnavailable } from "../unavailable.ts";
import { isLostWay, isRefused, translate } from "./errors.ts";

/** The server ends a statement itself; so long after that without an answer means that the network is gone. */
const ANSWER_MS = 500;

/** At most so many connections, and so many milliseconds for one statement; 0 is no end. */
export interface PostgresLimits {
  connections: number;
  statementMilliseconds: number;
}

/** The pool, as calls use it that have a deadline. */
export class PostgresConnections {
  readonly pool: Pool;
  readonly #limits: PostgresLimits;
  /** Which of them were made since one was last lost: the others may lead to where nobody answers any more. */
  #trusted = new WeakSet<PoolClient>();
  #wasLetIn = false;

  constructor(pool: Pool, limits: PostgresLimits) {
    this.pool = pool;
    this.#limits = limits;
    // Without listeners a connection that breaks while idle, or between two statements, ends the process.
    // Nothing is hidden by them: the pool drops the connection, or the next statement on it fails.
    pool.on("error", () => this.#distrust());
    pool.on("connect", (client) => {
      this.#wasLetIn = true;
      client.on("error", () => {});
      this.#trusted.add(client);
    });
  }

  /** What a statement may take from now on, in milliseconds. @throws {DatabaseUnavailable} when nothing is left */
  timeLeft(): number {
    const { statementMilliseconds: longest } = this.#limits;
    if (longest === 0) return Infinity;
    const left = Math.min(Math.ceil(waitsUntil() - performance.now()), longest);
    if (left <= 0) throw waitedTooLong();
    return left;
  }

  /** How long to wait for its answer, where that is silent; 0 is no end. */
  longestAnswer(): number {
    const left = this.timeLeft();
    return left === Infinity ? 0 : left + ANSWER_MS;
  }

  /** Whether the server would let a statement run longer. */
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

  /** Uses a connection for reading. */
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

  /** What to throw for an error of the driver. */
  explain(error: unknown): unknown {
    const translated = translate(error);
    if (isLostWay(error)) this.#distrust();
    return translated;
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
      // For this call it comes too late.
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      // While a password is changed, some have the old one.
      throw this.#wasLetIn && isRefused(error) ? new DatabaseUnavailable(error) : translate(error);
    }
  }
}

/** The same for Kysely; `write` has the last word on each statement. */
export function poolOf(
  connections: PostgresConnections,
  write = (statement: string) => statement,
): PostgresPool {
  const { pool } = connections;
  return {
    connect: async () => new Caller(await connections.connect(), { connections, write }),
    end: () => pool.end(),
    options: pool.options,
  };
}

/**
 * Who uses a connection for a statement or a transaction. One on which the server could not be reached, or on which a
 * transaction is still open, is never given back to the pool.
 */
class Caller implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #connections: PostgresConnections;
  readonly #write: (statement: string) => string;
  #isLost = false;
  #isInside = false;

  constructor(
    client: PoolClient,
    of: { connections: PostgresConnections; write: (statement: string) => string },
  ) {
    this.#client = client;
    this.#connections = of.connections;
    this.#write = of.write;
  }

  // Kysely's type has a second form for cursors, which it uses only where a cursor class is configured.
  query = ((text: string, parameters: readonly unknown[]) =>
    this.#run(text, parameters)) as unknown as PostgresPoolClient["query"];

  release(destroy?: boolean): void {
    this.#client.release(destroy === true || this.#isLost || this.#isInside);
  }

  /**
   * A statement that the server would let run past the deadline stands in a transaction that does not: nothing of it
   * is stored after its caller was refused.
   */
  async #run(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const left = this.#connections.timeLeft();
    if (text === "begin") return this.#begin(left);
    if (text === "commit" || text === "rollback") return this.#end(text);
    if (this.#isInside || !this.#connections.isShort(left)) return this.#ask(this.#write(text), parameters);
    await this.#begin(left);
    const result = await this.#ask(this.#write(text), parameters);
    await this.#end("commit");
    return result;
  }

  async #begin(left: number): Promise<unknown> {
    this.#isInside = true;
    const limit = this.#connections.isShort(left) ? `; set local statement_timeout = ${left}` : "";
    return this.#ask(`begin${limit}`);
  }

  async #end(text: "commit" | "rollback"): Promise<unknown> {
    const result = await this.#ask(text);
    this.#isInside = false;
    return result;
  }

  async #ask(text: string, parameters: readonly unknown[] = []): Promise<unknown> {
    // The type lacks the limit, which the driver takes for one statement as for all of a connection.
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
  return new DatabaseUnavailable(new Error("The call has waited for too long."));
}
