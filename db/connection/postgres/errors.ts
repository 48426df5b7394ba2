import { DatabaseUnavailable } from "../unavailable.ts";

/**
 * What the server says when it cannot serve anybody, by SQLSTATE (PostgreSQL manual, appendix A):
 * connection exceptions, shutting down or starting, out of connections or disk, read-only after a
 * failover, a statement or a transaction that was ended for hanging.
 */
const UNAVAILABLE = /^(08...|57P0.|57014|53...|25006|25P03|55P03)$/;

/**
 * After a failover the old connections lead to a server that takes no writes. It refuses the statement by itself, so
 * nothing is left open.
 */
const READ_ONLY = "25006";

/** The server ends its connections: all of them, as a rule. */
const SHUT_DOWN = /^57P0[12]$/;

/** Refused by password, role or pg_hba.conf: a fault of the settings at the start, passing for who was let in before. */
const REFUSED = /^28...$/;

/** Serialization failure and deadlock: the server has rolled the whole transaction back. */
const ROLLED_BACK = /^(40001|40P01)$/;

/** Whether the server has undone everything of the transaction, so that it may simply be tried again. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(readSqlState(error) ?? "");
}

export function isRefused(error: unknown): boolean {
  return REFUSED.test(readSqlState(error) ?? "");
}

/** What to throw for it: what did not come from the server comes from the connection, unless our own call is at fault. */
export function translate(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof DatabaseUnavailable)
    return error;
  const state = readSqlState(error);
  return state === undefined || UNAVAILABLE.test(state) ? new DatabaseUnavailable(error) : error;
}

/** Whether the other connections have probably met the same: they lead to where no answer comes from any more. */
export function isLostWay(error: unknown): boolean {
  const state = readSqlState(error);
  if (state === undefined) return translate(error) !== error;
  return state === READ_ONLY || SHUT_DOWN.test(state);
}

function readSqlState(error: unknown): string | undefined {
  const isFromServer = error instanceof Error && "severity" in error && "code" in error;
  return isFromServer ? String(error.code) : undefined;
}
