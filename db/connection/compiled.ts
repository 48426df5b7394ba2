import { type Compilable, type CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { Tables } from "../schema.ts";

class Place {
  readonly name: string;
  /** Of the row that has it, where the parameters are rows. */
  readonly row: number | undefined;

  constructor(name: string, row?: number) {
    this.name = name;
    this.row = row;
  }
}

/**
 * A query that is built and compiled once for each database and then only filled in: Kysely takes longer to
 * write the SQL of a counter than SQLite to run it. `build` gets stand-ins for the parameters and may use them
 * as values only, never compute with them.
 */
export function compileOnce<Parameters extends object, Row>(
  build: (query: Kysely<Tables>, parameters: Parameters) => Compilable<Row>,
): (query: Kysely<Tables>, parameters: Parameters) => Promise<QueryResult<Row>> {
  return compileWith((query) => build(query, standIns<Parameters>()));
}

/** The same of a query for any number of rows, compiled once for each number. */
export function compileForRows<Parameters extends object, Row>(
  build: (query: Kysely<Tables>, rows: readonly Parameters[]) => Compilable<Row>,
): (query: Kysely<Tables>, rows: readonly Parameters[]) => Promise<QueryResult<Row>> {
  const byCount = new Map<number, ReturnType<typeof compileWith<readonly Parameters[], Row>>>();
  return (query, rows) => {
    const { length } = rows;
    const known =
      byCount.get(length) ??
      compileWith((on) =>
        build(
          on,
          Array.from({ length }, (_, row) => standIns<Parameters>(row)),
        ),
      );
    byCount.set(length, known);
    return known(query, rows);
  };
}

function compileWith<Parameters extends object, Row>(
  build: (query: Kysely<Tables>) => Compilable<Row>,
): (query: Kysely<Tables>, parameters: Parameters) => Promise<QueryResult<Row>> {
  const known = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  return (query, parameters) => {
    let compiled = known.get(query);
    if (!compiled) {
      compiled = build(query).compile();
      known.set(query, compiled);
    }
    return query.executeQuery({
      ...compiled,
      parameters: compiled.parameters.map((value) => fill(value, parameters)),
    });
  };
}

function standIns<Parameters extends object>(row?: number): Parameters {
  // Whatever `build` reads becomes a place with that name, where a value of the declared type will stand.
  return new Proxy({}, { get: (_, name) => new Place(String(name), row) }) as Parameters;
}

function fill(value: unknown, parameters: object): unknown {
  if (!(value instanceof Place)) return value;
  const { name, row } = value;
  return Reflect.get(row === undefined ? parameters : Reflect.get(parameters, row), name);
}
