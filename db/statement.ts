import {
  SqliteAdapter,
  sql,
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
} from "kysely";
import type { BoundQuery } from "./connection/dialect.ts";
import { answeredSoon } from "./connection/postgres.ts";
import type { Database } from "./open.ts";
import type { Tables } from "./schema.ts";

/** A parameter of a statement by its name, which may stand wherever Kysely takes a value of that type. */
export type ParameterOf<Parameters> = <Name extends keyof Parameters>(
  name: Name,
) => RawBuilder<Parameters[Name]>;

interface RunMode {
  /**
   * `counter`: for small frequent writes that may be lost in a power cut. On SQLite they share a transaction with
   * others that run at the same time, which the caller's next write joins. On PostgreSQL they are acknowledged before
   * they are on the disk, and return only their rows. Counters are not measured, and listeners are not told that they
   * write.
   */
  readonly runs: "alone" | "counter";
  /** Whether its time is measured, where it runs alone. */
  readonly isMeasured: boolean;
}

/** A statement of this room: how it runs, and its SQL, which Kysely makes once and which is then only filled in. */
interface Statement<Parameters, Row> extends RunMode {
  readonly fill: (query: Kysely<Tables>, parameters: Parameters) => BoundQuery<Row>;
}

/** What Kysely's builders and results of `sql` have in common. */
interface Compilable<Row> {
  compile(query: Kysely<Tables>): CompiledQuery<Row>;
}

/**
 * A statement with parameters. Kysely takes longer to make the SQL of a counter than SQLite to run it, so it is made
 * once.
 */
export function statement<Parameters extends object, Row>(
  build: (query: Kysely<Tables>, of: ParameterOf<Parameters>) => Compilable<Row>,
  mode: Partial<RunMode> = {},
): Statement<Parameters, Row> {
  const { fill, ...says } = statementOfRows<Parameters, Row>((query, [of]) => build(query, of), mode);
  return { ...says, fill: (query, parameters) => fill(query, [parameters]) };
}

/** A statement for one or more rows: its SQL is made once for each number of rows. */
export function statementOfRows<Parameters extends object, Row>(
  build: (
    query: Kysely<Tables>,
    rows: readonly [ParameterOf<Parameters>, ...ParameterOf<Parameters>[]],
  ) => Compilable<Row>,
  { runs = "alone", isMeasured = runs === "alone" }: Partial<RunMode> = {},
): Statement<readonly Parameters[], Row> {
  const known = { sqlite: new Map<number, BoundQuery<Row>>(), postgres: new Map<number, BoundQuery<Row>>() };
  const make = (query: Kysely<Tables>, kind: Database["kind"], count: number): BoundQuery<Row> => {
    const others = Array.from({ length: count - 1 }, (_, i) => ofRow<Parameters>(i + 1));
    const made = build(query, [ofRow<Parameters>(0), ...others]).compile(query);
    const text = runs === "counter" && kind === "postgres" ? answeredSoon(made.sql) : made.sql;
    return { ...made, sql: text, isMeasured };
  };
  const fill = (query: Kysely<Tables>, rows: readonly Parameters[]): BoundQuery<Row> => {
    const kind = kindOf(query);
    const made = known[kind].get(rows.length) ?? make(query, kind, rows.length);
    known[kind].set(rows.length, made);
    const parameters = made.parameters.map((value) =>
      value instanceof ParameterSlot ? value.read(rows) : value,
    );
    return { ...made, parameters };
  };
  return { runs, isMeasured, fill };
}

/** Runs a statement in its own way. */
export async function run<Parameters, Row>(
  db: Database,
  { fill, runs }: Statement<Parameters, Row>,
  parameters: Parameters,
): Promise<QueryResult<Row>> {
  const filled = fill(db.query, parameters);
  return runs === "counter" ? db.count(filled) : db.query.executeQuery(filled);
}

/** Runs a statement as part of a transaction. */
export async function runInside<Parameters, Row>(
  trx: Kysely<Tables>,
  { fill }: Statement<Parameters, Row>,
  parameters: Parameters,
): Promise<QueryResult<Row>> {
  return trx.executeQuery(fill(trx, parameters));
}

/** Stands for a value while the SQL is made. */
class ParameterSlot<Parameters> {
  readonly read: (rows: readonly Parameters[]) => unknown;

  constructor(read: (rows: readonly Parameters[]) => unknown) {
    this.read = read;
  }
}

function ofRow<Parameters>(row: number): ParameterOf<Parameters> {
  return <Name extends keyof Parameters>(name: Name) => {
    const place = new ParameterSlot<Parameters>((rows) => rows[row]?.[name]);
    return sql<Parameters[Name]>`${place}`;
  };
}

// A transaction is known only by its Kysely.
function kindOf(query: Kysely<Tables>): Database["kind"] {
  return query.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgres";
}
