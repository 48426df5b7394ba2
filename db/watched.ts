import { sql } from "kysely";
import type { Database } from "./open.ts";
import type { RequestStatus, SecretStatus } from "./schema.ts";
import { run, statementOfRows } from "./statement.ts";

/** A secret or a request that somebody wants to follow. */
export interface WatchTarget {
  readonly kind: "secret" | "request";
  readonly id: string;
}

/** As stored: one past its time may still be shown as active. */
interface StoredState extends WatchTarget {
  readonly status: SecretStatus | RequestStatus;
  /** For a request: how many answers came and how many were collected, added up. */
  readonly answers: number;
}

/** A state as one text; each answer changes that of a request for several. */
export function stateOf({ status, answers }: Pick<StoredState, "answers"> & { status: string }): string {
  return `${status} ${answers}`;
}

/** The states of secrets and requests, read by one unmeasured statement; deleted ones are left out. */
export async function readStates(db: Database, watched: readonly WatchTarget[]): Promise<StoredState[]> {
  const idsOf = (kind: WatchTarget["kind"]) => watched.flatMap((each) => (each.kind === kind ? each.id : []));
  const [secrets, requests] = [idsOf("secret"), idsOf("request")];
  const longest = Math.max(secrets.length, requests.length);
  if (longest === 0) return [];
  // The SQL is made for each number of rows, so the rows are filled up to a power of two, with an empty text for an id.
  const rows = Array.from({ length: 2 ** Math.ceil(Math.log2(longest)) }, (_, i) => ({
    secret: secrets[i] ?? "",
    request: requests[i] ?? "",
  }));
  return (await run(db, READ_STATES, rows)).rows;
}

const ANSWERS = { secret: sql<number>`0`, request: sql<number>`answered + collected` };

const READ_STATES = statementOfRows<{ secret: string; request: string }, StoredState>(
  (query, rows) => {
    const states = (kind: WatchTarget["kind"]) =>
      query
        .selectFrom(kind)
        .select([
          sql<WatchTarget["kind"]>`${sql.lit(kind)}`.as("kind"),
          "id",
          "status",
          ANSWERS[kind].as("answers"),
        ])
        .where(
          "id",
          "in",
          rows.map((of) => of(kind)),
        );
    return states("secret").unionAll(states("request"));
  },
  { isMeasured: false },
);
