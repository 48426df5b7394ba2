import { isLate } from "../running-call.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** Messages of `pg` 8.23 about a connection that is silent or cut, which have no code. */
const CODES_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, "ETIMEDOUT"],
  [/^Connection terminated|is not queryable$/, "ECONNRESET"],
];

/**
 * SQLSTATEs of a server that cannot serve anybody (PostgreSQL manual, appendix A): connection exceptions, shutdown or
 * startup, no more connections or disk space, read-only after a failover, a statement or transaction that was ended
 * because it hung, a disk or file that is damaged.
 */
const UNAVAILABLE = /^(08...|53...|57P0.|57014|58...|XX...|25006|25P0[34]|55P03)$/;

/**
 * Refused by password, role or pg_hba.conf, or without the database, its tables or the rights to them. At the start a
 * setting is wrong; later it is temporary, as while a password is changed or after a failover to another server.
 */
const WRONG_SETTING = /^(28...|3D000|3F000|42501|42P01|42703|55000)$/;

/**
 * After a failover old connections lead to a read-only server. It refuses the statement itself, so nothing stays open.
 */
const READ_ONLY = "25006";

/** The server ends its connections, usually all of them. */
const SHUT_DOWN = /^57P0[12]$/;

/** The server, the database or the role has as many connections as it may have. */
const FULL = "53300";

/** Serialization failure and deadlock: the server has rolled back the whole transaction. */
const ROLLED_BACK = /^(40001|40P01)$/;

const MOST_TRIES = 6;
const PAUSE_MS = 4;

/**
 * Repeats a statement or transaction that the server has rolled back as a whole, while its caller may wait. With
 * `default_transaction_isolation` above `read committed` that happens to single statements too.
 * @throws {DatabaseUnavailable} where it never gets through
 */
export async function repeatRolledBack<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error)) throw error;
      if (tries === MOST_TRIES || isLate()) throw new DatabaseUnavailable(error);
      // At random, or two that have blocked each other would do so again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** tries * PAUSE_MS));
    }
  }
}

/** Whether the server has rolled back the whole transaction. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(readSqlState(error) ?? "");
}

/**
 * The error to throw: what does not come from the server comes from the connection, unless our own call is at fault.
 */
export function translate(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof DatabaseUnavailable)
    return error;
  const state = readSqlState(error);
  if (state !== undefined && !UNAVAILABLE.test(state)) return error;
  if (!(error instanceof Error) || "code" in error) return new DatabaseUnavailable(error);
  const [, code] = CODES_BY_MESSAGE.find(([message]) => message.test(error.message)) ?? [];
  return new DatabaseUnavailable(code ? codedError(code, error.message) : error);
}

/** Whether the server refuses the connection, or lacks what it had at the start. */
export function isWrongSetting(error: unknown): boolean {
  return WRONG_SETTING.test(readSqlState(error) ?? "");
}

/** Whether the server takes no more connections. */
export function isFull(error: unknown): boolean {
  return readSqlState(error) === FULL;
}

/** Whether other connections are probably affected too, because the server cannot be reached any more. */
export function isServerLost(error: unknown): boolean {
  const state = readSqlState(error);
  if (state === undefined) return translate(error) !== error;
  return state === READ_ONLY || SHUT_DOWN.test(state);
}

function readSqlState(error: unknown): string | undefined {
  const isFromServer = error instanceof Error && "severity" in error && "code" in error;
  return isFromServer ? String(error.code) : undefined;
}

/** An error with a code, as those of the system have one. */
export function codedError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
