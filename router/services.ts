import { countDeliveries } from "../db/deliveries/contents.ts";
import { countUntold } from "../db/outbox/outbox.ts";
import { storedBytes } from "../db/secrets/secrets.ts";
import type { Bytes } from "../wire/bytes.ts";
import type { Services } from "./context.ts";
import { deriveInstanceKeys } from "./instance-key.ts";
import { ANONYMOUS_SHARE } from "./limits.ts";

const STORED_FRESH_SECONDS = 5;
/** Old enough for who only looks at the numbers: adding up may take long. */
const STORED_KNOWN_SECONDS = 30;

type Room = Pick<Services, "claimRoom" | "returnRoom" | "storedBytes">;

interface Parts extends Omit<
  Services,
  "now" | "keys" | "rateKey" | "countDeliveries" | "countUntold" | keyof Room
> {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly maxSecretBytes: number;
  readonly instanceKey: Bytes;
}

/** Adds to the server's parts what depends on the database and the router. */
export function makeServices({ clock, maxSecretBytes, instanceKey, ...parts }: Parts): Services {
  const now = () => Math.floor(clock() / 1000);
  const keys = deriveInstanceKeys(instanceKey);
  return {
    ...parts,
    now,
    maxSecretBytes,
    keys,
    rateKey: keys.digest,
    countDeliveries: () => countDeliveries(parts.db),
    countUntold: () => countUntold(parts.db),
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
  // Also when the clock was set back.
  const readWhenOld = async (seconds: number) => {
    if (Math.abs(now() - readAt) >= seconds) await (reading ??= read().finally(() => (reading = undefined)));
  };
  return {
    async claimRoom(bytes, tier) {
      await readWhenOld(STORED_FRESH_SECONDS);
      if (stored + bytes > (tier === "member" ? limit : limit * ANONYMOUS_SHARE)) return false;
      stored += bytes;
      return true;
    },
    async storedBytes() {
      await readWhenOld(STORED_KNOWN_SECONDS);
      return stored;
    },
    returnRoom: (bytes) => void (stored = Math.max(stored - bytes, 0)),
  };
}
