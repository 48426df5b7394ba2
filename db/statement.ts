import {
  SqliteAdapter,
  sql,
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  type RawBuilder,
} from "kysely";
import type { Filled } from "./connection/dialect.ts";
import { answeredSoon } from "./connection/postgres.ts";
import type { Database } from "./open.ts";
import type { Tables } from "./schema.ts";

/** A parameter of a statement by its name, which stands wherever Kysely takes a value of that type. */
export type Of<Parameters> = <Name extends keyof Parameters>(name: Name) => RawBuilder<Parameters[Name]>;

interface Way {
  /**
   * `counter`: many a second write, and what a power cut takes of them hurts nobody. On SQLite they share a
   * transaction with others of the same moment, and what the caller writes next joins it. On PostgreSQL they are
   * answered before they are on the disk, and give their rows only. None is measured, and nobody hears that they write.
   */
  readonly runs: "alone" | "counter";
  /** Whether the time that it takes is shown, where it runs alone. */
  readonly isMeasured: boolean;
}

/** A statement of this room: how it runs, and its SQL, which Kysely makes once and which is then only filled in. */
export interface Statement<Parameters, Row> extends Way {
  readonly fill: (query: Kysely<Tables>, parameters: Parameters) => Filled<Row>;
}

/** What a builder of Kysely and what `sql` makes have in common. */
interface Made<Row> {
  compile(query: Kysely<Tables>): CompiledQuery<Row>;
}

/** Kysely takes longer to write the SQL of a counter than SQLite to run it, so it does so once. */
export function statement<Parameters extends object, Row>(
  build: (query: Kysely<Tables>, of: Of<Parameters>) => Made<Row>,
  way: Partial<Way> = {},
): Statement<Parameters, Row> {
  const of: Of<Parameters> = (name) => place((parameters: Parameters) => parameters[name]);
  return makeStatement({ build: (query) => build(query, of), countOf: () => 1, way });
}

/** The same for any number of rows, of which there is one at least: its SQL is made once for each number. */
export function statementOfRows<Parameters extends object, Row>(
  build: (query: Kysely<Tables>, rows: readonly [Of<Parameters>, ...Of<Parameters>[]]) => Made<Row>,
  way: Partial<Way> = {},
): Statement<readonly Parameters[], Row> {
  const ofRow =
    (i: number): Of<Parameters> =>
    (name) =>
      place((rows: readonly Parameters[]) => rows[i]?.[name]);
  return makeStatement({
    build: (query, count) =>
      build(query, [ofRow(0), ...Array.from({ length: count - 1 }, (_, i) => ofRow(i + 1))]),
    countOf: (rows) => rows.length,
    way,
  });
}

/** Runs a statement as it says. */
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
class Place<Parameters> {
  readonly read: (parameters: Parameters) => unknown;

  constructor(read: (parameters: Parameters) => unknown) {
    this.read = read;
  }
}

function place<Parameters, Value>(read: (parameters: Parameters) => Value | undefined): RawBuilder<Value> {
  return sql<Value>`${new Place(read)}`;
}

function makeStatement<Parameters, Row>({
  build,
  countOf,
  way: { runs = "alone", isMeasured = runs === "alone" },
}: {
  build: (query: Kysely<Tables>, count: number) => Made<Row>;
  countOf: (parameters: Parameters) => number;
  way: Partial<Way>;
}): Statement<Parameters, Row> {
  const made = {
    sqlite: new Map<number, CompiledQuery<Row>>(),
    postgres: new Map<number, CompiledQuery<Row>>(),
  };
  const make = (query: Kysely<Tables>, kind: Database["kind"], count: number) => {
    const compiled = build(query, count).compile(query);
    const text = runs === "counter" && kind === "postgres" ? answeredSoon(compiled.sql) : compiled.sql;
    made[kind].set(count, { ...compiled, sql: text });
    return { ...compiled, sql: text };
  };
  const fill = (query: Kysely<Tables>, parameters: Parameters) => {
    const [kind, count] = [kindOf(query), countOf(parameters)];
    const { parameters: places, ...compiled } = made[kind].get(count) ?? make(query, kind, count);
    const values = places.map((value) => (value instanceof Place ? value.read(parameters) : value));
    return { ...compiled, parameters: values, isMeasured };
  };
  return { runs, isMeasured, fill };
}

function kindOf(query: Kysely<Tables>): Database["kind"] {
  return query.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgres";
}
