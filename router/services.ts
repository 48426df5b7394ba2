import { sweepAllowance } from "../db/allowance.ts";
import { readInstallationKey } from "../db/installation.ts";
import type { Database } from "../db/open.ts";
import { storedBytes, sweepSecrets } from "../db/secrets.ts";
import { sweepSessions } from "../db/sessions.ts";
import { sweepUsage } from "../db/usage.ts";
import { keyedDigest } from "../tools/crypto/key-derivation.ts";
import { procedures } from "./app.ts";
import type { Services } from "./context.ts";
import { inputSchemaOf } from "./introspect.ts";
import { SESSION_IDLE_SECONDS } from "./limits.ts";

const DAY_SECONDS = 86_400;
const STORED_FRESH_SECONDS = 5;

interface Parts extends Omit<Services, "rateKey" | "hasRoom" | "inputSchemaAt"> {
  readonly maxSecretBytes: number;
}

/** Completes what the server has with what needs the database: the key of the limits and the room left. */
export async function makeServices({ maxSecretBytes, ...parts }: Parts): Promise<Services> {
  const fresh = crypto.getRandomValues(new Uint8Array(32));
  const key = await readInstallationKey(parts.db, { fresh });
  return {
    ...parts,
    rateKey: (text) => keyedDigest(text, { key }),
    hasRoom: makeRoom(parts, maxSecretBytes),
    inputSchemaAt: (path) => {
      const procedure = procedures()[path];
      return procedure && inputSchemaOf(procedure);
    },
  };
}

// Adding up all contents on every create would cost more than the create: the sum is asked every few seconds,
// and what this process stores in between is added to it.
function makeRoom({ db, now }: Pick<Parts, "db" | "now">, limit: number): Services["hasRoom"] {
  let [known, asked] = [0, -Infinity];
  return async (bytes) => {
    if (now() - asked >= STORED_FRESH_SECONDS) [asked, known] = [now(), await storedBytes(db)];
    if (known + bytes > limit) return false;
    known += bytes;
    return true;
  };
}

interface Keeping {
  readonly now: number;
  readonly receiptDays: number;
  readonly usageDays: number;
}

/** Deletes what has expired: contents, receipts, old counts, windows and sessions; then empties the write-ahead log. */
export async function sweep(db: Database, { now, receiptDays, usageDays }: Keeping): Promise<void> {
  await sweepSecrets(db, { now, receiptSeconds: receiptDays * DAY_SECONDS });
  await sweepUsage(db, { before: now - usageDays * DAY_SECONDS });
  await sweepAllowance(db, { now });
  await sweepSessions(db, { now, idleSeconds: SESSION_IDLE_SECONDS });
  await db.checkpoint();
}
