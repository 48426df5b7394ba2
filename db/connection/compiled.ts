import { type Compilable, type CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { Tables } from "../schema.ts";

class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
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
  const known = new WeakMap<Kysely<Tables>, CompiledQuery<Row>>();
  return (query, parameters) => {
    let compiled = known.get(query);
    if (!compiled) {
      compiled = build(query, standIns<Parameters>()).compile();
      known.set(query, compiled);
    }
    return query.executeQuery({
      ...compiled,
      parameters: compiled.parameters.map((value) => fill(value, parameters)),
    });
  };
}

function standIns<Parameters extends object>(): Parameters {
  // Whatever `build` reads becomes a place with that name, where a value of the declared type will stand.
  return new Proxy({}, { get: (_, name) => new Place(String(name)) }) as Parameters;
}

function fill(value: unknown, parameters: object): unknown {
  return value instanceof Place ? Reflect.get(parameters, value.name) : value;
}
