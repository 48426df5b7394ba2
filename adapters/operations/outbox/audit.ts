import { setTimeout as sleep } from "node:timers/promises";
import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";
import type { AuditLog } from "./audit-log.ts";
import { followOutbox, idsOf, takeDue } from "./follow.ts";

const BATCH_SIZE = 256;
/** If the log hangs for longer than this, another instance writes its lines, or they are written twice. */
const LEASE_SECONDS = 15;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 15_000;
/** When writing has failed for this time, the server reports that it is not ready. */
const FAULT_MS = 60_000;

interface Parts {
  /** The outbox of the sink "audit". */
  readonly outbox: Outbox;
  readonly log: AuditLog;
  /** Whether the log is shared with other lines, so that each needs its kind. */
  readonly isMixed: boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Writes who did what from the outbox to the log. */
export interface Audit {
  /** Rejects while there are lines that could not be written for a minute. */
  readonly check: () => Promise<void>;
  /** Writes what is left, if possible. */
  readonly stop: () => Promise<void>;
}

/**
 * Writes a line for each act, in the order in which they were recorded. An act is deleted once its line is on the disk;
 * until then writing is repeated, with growing waits.
 */
export function startAudit(parts: Parts): Audit {
  const { outbox, clock, onFault } = parts;
  const now = () => Math.floor(clock() / 1000);
  let failures = 0;
  let waitingSince: number | undefined;
  const handle = async (due: readonly OutboxEvent[], ending: AbortSignal) => {
    waitingSince ??= clock();
    try {
      await writeLines(due, parts);
      [failures, waitingSince] = [0, undefined];
    } catch (error) {
      onFault(error);
      // Another instance may be able to write it.
      await outbox.postpone(idsOf(due), 0);
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS);
      await sleep(waitMs, undefined, { signal: ending }).catch(() => undefined);
    }
  };
  const claim = { outbox, now, limit: BATCH_SIZE, leaseSeconds: LEASE_SECONDS };
  const follower = followOutbox({ ...claim, longestWaitSeconds: LEASE_SECONDS, handle, onFault });
  return {
    async check() {
      if (waitingSince === undefined || clock() - waitingSince < FAULT_MS) return;
      if ((await outbox.nextAt()) !== undefined) throw new Error("The audit log cannot be written.");
      // Another instance has written them.
      waitingSince = undefined;
    },
    async stop() {
      await follower.stop();
      await writeAllDue({ ...parts, now }).catch(onFault);
    },
  };
}

/** Writes all that is due, for a program that then ends. */
export async function writeAllDue(
  parts: Pick<Parts, "outbox" | "log" | "isMixed"> & { now: () => number },
): Promise<void> {
  const claim = { outbox: parts.outbox, now: parts.now, limit: BATCH_SIZE, leaseSeconds: LEASE_SECONDS };
  for (let due = await takeDue(claim); due.length > 0; due = await takeDue(claim)) {
    await writeLines(due, parts).catch(async (error: unknown) => {
      await parts.outbox.postpone(idsOf(due), 0);
      throw error;
    });
  }
}

async function writeLines(
  due: readonly OutboxEvent[],
  { outbox, log, isMixed }: Pick<Parts, "outbox" | "log" | "isMixed">,
): Promise<void> {
  await log.append(due.map((act) => formatLine(act, { isMixed })).join(""));
  await outbox.forget(idsOf(due));
}

/** A line of the log: ids, the first characters of a token and a shortened address, and no content. */
export function formatLine(
  act: Pick<OutboxEvent, "id" | "event" | "account" | "happenedAt"> & Partial<OutboxEvent>,
  { isMixed }: Pick<Parts, "isMixed">,
): string {
  const { id, event, account, happenedAt } = act;
  const line = {
    time: new Date(happenedAt * 1000).toISOString(),
    id,
    event,
    account,
    token: act.token ?? undefined,
    subject: act.subject ?? undefined,
    address: act.address ?? undefined,
    login: act.login ?? undefined,
    kind: isMixed ? "audit" : undefined,
  };
  return `${JSON.stringify(line)}\n`;
}
