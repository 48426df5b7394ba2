import { stateOf, type WatchTarget } from "../../db/watched.ts";
import type { CallerContext } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { MAX_STREAMS } from "../limits.ts";
import { withWaits } from "../policy/running-call.ts";
import type { Watcher } from "./watch.ts";
import { z } from "zod";

/** A secret or a request as it is read; `closedAt` is null while more may happen to it. */
interface Row {
  readonly id: string;
  readonly status: string;
  readonly expiresAt: number;
  readonly closedAt: number | null;
  /** For a request. */
  readonly answered?: number;
  readonly collected?: number;
}

function stateOfRow({ status, answered = 0, collected = 0 }: Row): string {
  return stateOf({ status, answers: answered + collected });
}

interface FollowOptions<Read extends Row, Event> {
  readonly ctx: CallerContext;
  readonly kind: WatchTarget["kind"];
  readonly signal: AbortSignal | undefined;
  /** Reads it again; undefined once it is deleted. */
  readonly read: () => Promise<Read | undefined>;
  readonly describe: (row: Read) => Event;
}

/**
 * Yields the current state, which the caller has proved to know of, and then each change until the end, for an hour at
 * most. The last state is returned too.
 * @throws ApiError too_many_concurrent
 */
export function followEvents<Read extends Row, Event>(
  first: Read,
  { ctx, kind, signal, ...rest }: FollowOptions<Read, Event>,
): AsyncGenerator<Event, void> {
  if (!ctx.budget.claimStream()) throw tooManyStreams(ctx, { kind, id: first.id });
  const watcher = ctx.services.watch.open({ kind, ...first, state: stateOfRow(first) }, signal);
  // tRPC's types lack the return value of a subscription; over REST it is sent with the end.
  return events(first, { ...rest, watcher }) as AsyncGenerator<Event, unknown> as AsyncGenerator<Event, void>;
}

async function* events<Read extends Row, Event>(
  first: Read,
  { watcher, read, describe }: Pick<FollowOptions<Read, Event>, "read" | "describe"> & { watcher: Watcher },
): AsyncGenerator<Event, Event> {
  try {
    yield describe(first);
    let last = first;
    while (last.closedAt === null && (await watcher.hasChanged())) {
      // Many short waits in an hour are not one long wait.
      const row = await withWaits(read);
      if (!row) break;
      if (stateOfRow(row) !== stateOfRow(last)) yield describe(row);
      watcher.state = stateOfRow(row);
      last = row;
    }
    return describe(last);
  } finally {
    watcher.end();
  }
}

function tooManyStreams(
  { caller: { tier }, services: { basePath } }: CallerContext,
  { kind, id }: WatchTarget,
): ApiError {
  const path = `${basePath}/api/${kind}s/${id}/status`;
  const { address: value, instance } = MAX_STREAMS;
  const error =
    `At most ${value} streams of events may be open from one address, and ${instance} on this server; ` +
    `ask with POST ${path} instead`;
  const about = { limit: "eventStreams", value, unit: "streams", window: 0, remaining: 0, retryAfter: 5 };
  return new ApiError("too_many_concurrent", error, { ...about, tier, path });
}

/** The proof of a query goes in this header: proxies, histories and logs would see it in a URL. */
const HEADER = "Secret-Proof";

/** The header in the document. */
export function proofHeader(description: string) {
  return z.object({ [HEADER]: z.string().optional().meta({ description, format: "password" }) });
}

export function missingProof(what: string): ApiError {
  const error = `The header ${HEADER} is missing; send ${what} in it`;
  return new ApiError("missing_parameter", error, { parameter: HEADER, in: "header" });
}
