import { sweepAllowance } from "../db/allowance.ts";
import { forgetOrigins } from "../db/accounts/members.ts";
import { sweepSessions } from "../db/accounts/sessions.ts";
import { sweepDeliveries } from "../db/deliveries/contents.ts";
import { sweepKeys } from "../db/idempotency-keys.ts";
import type { Database } from "../db/open.ts";
import { sweepRequests } from "../db/requests.ts";
import { sweepFiles } from "../db/secrets/secret-files.ts";
import { sweepSecrets } from "../db/secrets/secrets.ts";
import { returnDeadClaims } from "../db/uploads/claimed-room.ts";
import { sweepUsage } from "../db/usage.ts";
import { SESSION_IDLE_SECONDS, YOUNG_SECONDS } from "./limits.ts";
import { STORED_BYTES } from "./policy/count.ts";

const DAY_SECONDS = 86_400;

/** How long things are remembered; the signal ends a sweep early. */
export interface SweepOptions {
  receiptDays: number;
  usageDays: number;
  signal?: AbortSignal | undefined;
}

/**
 * Deletes expired contents, receipts, counts, windows and sessions, then empties the write-ahead log; answers how many
 * rows it has closed or deleted.
 */
export async function sweep(
  db: Database,
  { now, receiptDays, usageDays, signal }: SweepOptions & { now: number },
): Promise<number> {
  const receiptSeconds = receiptDays * DAY_SECONDS;
  let rows = await sweepDeliveries(db, { now, signal });
  const secrets = await sweepSecrets(db, { now, receiptSeconds, signal });
  rows += await sweepFiles(db, { now, signal });
  const requests = await sweepRequests(db, { now, receiptSeconds, signal });
  for (const { expired, purged } of [secrets, requests]) rows += expired + purged;
  rows += await sweepUsage(db, { before: now - usageDays * DAY_SECONDS, signal });
  rows += await returnDeadClaims(db, { now, bucket: STORED_BYTES, signal });
  rows += await sweepAllowance(db, { now, signal });
  rows += await sweepKeys(db, { now, signal });
  await forgetOrigins(db, { before: now - YOUNG_SECONDS });
  rows += await sweepSessions(db, { now, idleSeconds: SESSION_IDLE_SECONDS, signal });
  await db.checkpoint();
  return rows;
}

/** Deletes only what somebody has ended, whatever the time is: the rest of files, and what the log still has. */
export async function sweepEnded(db: Database, { signal }: Pick<SweepOptions, "signal">): Promise<void> {
  await sweepFiles(db, { now: 0, signal });
  await db.checkpoint();
}
