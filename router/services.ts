import { sweepAllowance } from "../db/allowance.ts";
import { readInstallationKey } from "../db/installation.ts";
import type { Database } from "../db/open.ts";
import { forgetOrigins } from "../db/accounts/members.ts";
import { storedBytes, sweepSecrets } from "../db/secrets/secrets.ts";
import { sweepDeliveries } from "../db/deliveries/contents.ts";
import { sweepFiles } from "../db/secrets/secret-files.ts";
import { returnDeadClaims } from "../db/uploads/claimed-room.ts";
import { sweepRequests } from "../db/requests.ts";
import { sweepSessions } from "../db/accounts/sessions.ts";
import { sweepUsage } from "../db/usage.ts";
import { keyedDigest } from "../tools/crypto/key-derivation.ts";
import type { Services } from "./context.ts";
import { STORED_BYTES } from "./policy/quotas.ts";
import { ANONYMOUS_SHARE, SESSION_IDLE_SECONDS, YOUNG_SECONDS } from "./limits.ts";

const DAY_SECONDS = 86_400;
const STORED_FRESH_SECONDS = 5;

type Room = Pick<Services, "claimRoom" | "returnRoom">;

interface Parts extends Omit<Services, "now" | "rateKey" | keyof Room> {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly maxSecretBytes: number;
}

/** Adds to the server's parts what depends on the database and the router. */
export async function makeServices({ clock, maxSecretBytes, ...parts }: Parts): Promise<Services> {
  const now = () => Math.floor(clock() / 1000);
  const fresh = crypto.getRandomValues(new Uint8Array(32));
  const key = await readInstallationKey(parts.db, { fresh });
  return {
    ...parts,
    now,
    rateKey: keyedDigest(key),
    ...createRoom({ db: parts.db, now }, maxSecretBytes),
  };
}

// Adding up all contents on every create would cost more than the create itself. The sum is read every few
// seconds, and what this process stores in between is added to it. Whoever comes when it is too old waits for one
// reading: with one of each, the later ones would forget what the earlier callers have added.
function createRoom({ db, now }: Pick<Services, "db" | "now">, limit: number): Room {
  let [stored, readAt] = [0, -Infinity];
  let reading: Promise<void> | undefined;
  // Half of the smaller room: what comes until it is read again is far less than the other half.
  const enough = (limit * ANONYMOUS_SHARE) / 2;
  const read = async () => {
    const start = now();
    [stored, readAt] = [await storedBytes(db, { enough }), start];
  };
  return {
    async claimRoom(bytes, tier) {
      if (now() - readAt >= STORED_FRESH_SECONDS)
        await (reading ??= read().finally(() => (reading = undefined)));
      if (stored + bytes > (tier === "member" ? limit : limit * ANONYMOUS_SHARE)) return false;
      stored += bytes;
      return true;
    },
    returnRoom: (bytes) => void (stored = Math.max(stored - bytes, 0)),
  };
}

/** Deletes expired contents, receipts, counts, windows and sessions, then empties the write-ahead log. */
export async function sweep(
  db: Database,
  {
    now,
    receiptDays,
    usageDays,
    signal,
  }: {
    now: number;
    receiptDays: number;
    usageDays: number;
    /** Ends the sweep early. */
    signal?: AbortSignal | undefined;
  },
): Promise<void> {
  await sweepDeliveries(db, { now, signal });
  await sweepSecrets(db, { now, receiptSeconds: receiptDays * DAY_SECONDS, signal });
  await sweepFiles(db, { now, signal });
  await sweepRequests(db, { now, receiptSeconds: receiptDays * DAY_SECONDS, signal });
  await sweepUsage(db, { before: now - usageDays * DAY_SECONDS, signal });
  await returnDeadClaims(db, { now, bucket: STORED_BYTES, signal });
  await sweepAllowance(db, { now, signal });
  await forgetOrigins(db, { before: now - YOUNG_SECONDS });
  await sweepSessions(db, { now, idleSeconds: SESSION_IDLE_SECONDS, signal });
  await db.checkpoint();
}
