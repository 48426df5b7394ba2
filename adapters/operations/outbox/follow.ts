import { setTimeout as pause } from "node:timers/promises";
import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";

/** Of unconfirmed events, and of a receiver that asks for a pause. */
export const LONGEST_WAIT_SECONDS = 8 * 3600;
/** How far the clocks of instances may differ, and longer than a lease. */
const SKEW_SECONDS = 300;
/** Longer than sending takes: events that a dead server took are taken again. */
const LEASE_SECONDS = 60;
/** Events of this process are noticed at once; those of other programs, such as administration, are checked for. */
const LOOK_MS = 5_000;
/** Events within this time are handled together; also how long to wait while another instance is taking due events. */
const GATHER_MS = 20;

interface Parts {
  readonly outbox: Outbox;
  /** How many are taken at once. */
  readonly limit: number;
  /** Handles due events, and deletes or postpones them. */
  readonly handle: (due: readonly OutboxEvent[], ending: AbortSignal) => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly leaseSeconds?: number;
  /** For how long `handle` postpones events at most. */
  readonly longestWaitSeconds?: number;
  readonly onFault: (error: unknown) => void;
}

/** Handles the due events of an outbox until it is stopped, which waits for what is running. */
export function followOutbox(parts: Parts): { readonly stop: () => Promise<void> } {
  const ending = new AbortController();
  const alarm = createAlarm();
  parts.outbox.onWrite(alarm.ring);
  const running = follow(parts, ending.signal, alarm);
  return {
    stop: async () => {
      ending.abort();
      alarm.ring();
      await running;
    },
  };
}

async function follow(
  parts: Parts,
  ending: AbortSignal,
  alarm: ReturnType<typeof createAlarm>,
): Promise<void> {
  while (!ending.aborted) {
    // If this fails, the events are handled again when the lease has ended: each arrives at least once.
    const pauseMs = await handleDue(parts, ending).catch((error: unknown) => {
      parts.onFault(error);
      return LOOK_MS;
    });
    if (pauseMs > 0) {
      await alarm.sleep(pauseMs);
      await pause(GATHER_MS);
    }
  }
}

/** Handles what is due; returns for how many milliseconds there is nothing more to do, as far as known. */
async function handleDue(parts: Parts, ending: AbortSignal): Promise<number> {
  const { outbox, now, longestWaitSeconds = LONGEST_WAIT_SECONDS } = parts;
  const [nextAt, time] = [await outbox.nextAt(), now()];
  const latest = time + longestWaitSeconds + SKEW_SECONDS;
  if (nextAt !== undefined && nextAt > latest) await outbox.hurry({ now: time, latest });
  // While nothing happens, only a reading statement runs, which is in nobody's way.
  if (nextAt === undefined || nextAt > time) return Math.min(LOOK_MS, ((nextAt ?? Infinity) - time) * 1000);
  const due = await takeDue(parts);
  if (due.length === 0) return GATHER_MS;
  await parts.handle(due, ending);
  return 0;
}

/** Takes due events for as long as handling them may take. */
export function takeDue({
  outbox,
  now,
  limit,
  leaseSeconds = LEASE_SECONDS,
}: Pick<Parts, "outbox" | "now" | "limit" | "leaseSeconds">): Promise<OutboxEvent[]> {
  const time = now();
  return outbox.takeDue({ now: time, until: time + leaseSeconds, limit });
}

/** A wait that can be ended, even before it begins. */
function createAlarm() {
  let hasRung = false;
  let end = () => {};
  return {
    ring: () => {
      hasRung = true;
      end();
    },
    sleep: async (milliseconds: number): Promise<void> => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          end = () => (clearTimeout(timer), resolve());
        });
      }
      hasRung = false;
    },
  };
}

/** To forget or to postpone them. */
export function idsOf(events: readonly OutboxEvent[]): string[] {
  return events.map(({ id }) => id);
}
