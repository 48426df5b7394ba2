import { countDeliveries } from "../db/deliveries/contents.ts";
import { countPendingEvents } from "../db/outbox/outbox.ts";
import type { Bytes } from "../wire/bytes.ts";
import { basePathOf } from "./accounts/cookies.ts";
import { secondsOf } from "./clock.ts";
import type { Services } from "./context.ts";
import { deriveInstanceKeys } from "./instance-key.ts";
import { createRoom, type Room } from "./policy/count.ts";

interface Parts extends Omit<
  Services,
  "now" | "keys" | "basePath" | "rateKey" | "countDeliveries" | "countPendingEvents" | keyof Room
> {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly maxSecretBytes: number;
  readonly instanceKey: Bytes;
}

/** Adds to the server's parts what depends on the database and the router. */
export function makeServices({ clock, maxSecretBytes, instanceKey, ...parts }: Parts): Services {
  const now = secondsOf(clock);
  const keys = deriveInstanceKeys(instanceKey);
  return {
    ...parts,
    now,
    basePath: basePathOf(parts.publicUrl),
    maxSecretBytes,
    keys,
    rateKey: keys.digest,
    countDeliveries: () => countDeliveries(parts.db),
    countPendingEvents: () => countPendingEvents(parts.db),
    ...createRoom({ db: parts.db, now }, maxSecretBytes),
  };
}
