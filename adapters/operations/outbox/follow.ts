import type { Outbox, OutboxEvent } from "../../../db/outbox/outbox.ts";

/** Longer than handing on takes: what was taken by a server that died is taken again. */
const LEASE_SECONDS = 60;
/** What happens in this process is heard of at once; what others leave, as an administrator's program does, is looked for. */
const LOOK_MS = 5_000;
/** What happens in so short a time is handed on together; and where another instance is just taking what is due, it is waited for. */
const GATHER_MS = 20;

interface Parts {
  readonly outbox: Outbox;
  /** So many are taken at once. */
  readonly limit: number;
  /** Hands on what is due, and forgets or postpones it. */
  readonly handOn: (due: readonly OutboxEvent[], ending: AbortSignal) => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly leaseSeconds?: number;
  readonly onFault: (error: unknown) => void;
}

/** Hands on what is due in an outbox until it is stopped, which waits for what runs. */
export function followOutbox(parts: Parts): { readonly stop: () => Promise<void> } {
  const ending = new AbortController();
  const alarm = createAlarm();
  parts.outbox.onWrite(alarm.ring);
  const running = follow(parts, { ending: ending.signal, alarm });
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
  { ending, alarm }: { ending: AbortSignal; alarm: ReturnType<typeof createAlarm> },
): Promise<void> {
  while (!ending.aborted) {
    // Should this fail, it is handed on again when the lease has ended: an event arrives once at least.
    const pauseMs = await handOnDue(parts, ending).catch((error: unknown) => {
      parts.onFault(error);
      return LOOK_MS;
    });
    if (pauseMs > 0) {
      await alarm.sleep(pauseMs);
      await pause(GATHER_MS);
    }
  }
}

/** Hands on what is due; how many milliseconds there is nothing more to do, as far as is known. */
async function handOnDue(parts: Parts, ending: AbortSignal): Promise<number> {
  const { outbox, now } = parts;
  const [nextAt, time] = [await outbox.nextAt(), now()];
  // A statement that only reads is in nobody's way while nothing happens.
  if (nextAt === undefined || nextAt > time) return Math.min(LOOK_MS, ((nextAt ?? Infinity) - time) * 1000);
  const due = await takeDue(parts);
  if (due.length === 0) return GATHER_MS;
  await parts.handOn(due, ending);
  return 0;
}

/** Takes what is due, for as long as handing on may take. */
export function takeDue({
  outbox,
  now,
  limit,
  leaseSeconds = LEASE_SECONDS,
}: Pick<Parts, "outbox" | "now" | "limit" | "leaseSeconds">): Promise<OutboxEvent[]> {
  const time = now();
  return outbox.takeDue({ now: time, until: time + leaseSeconds, limit });
}

/** A pause that somebody may end, also before it begins. */
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

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
