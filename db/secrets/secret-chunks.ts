import { sql, type Kysely, type RawBuilder } from "kysely";
import { compileForRows, compileOnce } from "../connection/compiled.ts";
import type { Database } from "../open.ts";
import type { Bytes, Tables } from "../schema.ts";

/** Chunks of a file that follow each other; all but the last of the file are of one length. */
export interface Chunks {
  id: string;
  /** Place of the first of them. */
  from: number;
  chunks: Bytes[];
}

/** Writes chunks as part of a transaction, also in the place of those that stand there. */
export async function writeChunks(
  kind: Database["kind"],
  trx: Kysely<Tables>,
  { id, from, chunks }: Chunks,
): Promise<void> {
  if (kind === "postgres") return writeJoined(trx, { id, from, chunks });
  await insertRows(
    trx,
    chunks.map((sealed, i) => ({ id, position: from + i, sealed })),
  );
}

const insertRows = compileForRows(
  (query: Kysely<Tables>, rows: readonly { id: string; position: number; sealed: Bytes }[]) =>
    query
      .insertInto("secret_chunk")
      .values(rows.map(({ id, position, sealed }) => ({ secret_id: id, position, sealed })))
      .onConflict((conflict) =>
        conflict
          .columns(["secret_id", "position"])
          .doUpdateSet((row) => ({ sealed: row.ref("excluded.sealed") })),
      ),
);

// One parameter and not one for each chunk: the driver makes a message by growing a buffer, and each that it has
// outgrown waits for the garbage collector.
async function writeJoined(trx: Kysely<Tables>, { id, from, chunks }: Chunks): Promise<void> {
  const size = chunks[0]?.length ?? 0;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  for (const [i, chunk] of chunks.entries()) bytes.set(chunk, i * size);
  await insertJoined(trx, { id, from, count: chunks.length, size, bytes });
}

interface Joined extends Omit<Chunks, "chunks"> {
  count: number;
  /** Bytes of each but the last. */
  size: number;
  bytes: Bytes;
}

const insertJoined = compileOnce((query: Kysely<Tables>, { id, from, count, size, bytes }: Joined) => ({
  compile: () =>
    sql`
      insert into secret_chunk (secret_id, position, sealed)
      select ${id}::text, ${from}::integer + i,
        substring(${bytes}::bytea from i * ${size}::integer + 1 for ${size}::integer)
      from generate_series(0, ${count}::integer - 1) as i
      on conflict (secret_id, position) do update set sealed = excluded.sealed`.compile(query),
}));

interface Range {
  id: string;
  from: number;
  count: number;
  /** The number of who reads; 0 before a delivery. */
  reader?: number;
}

/**
 * Up to `count` chunks from place `from` on, in their order; fewer at the end, and none of a file that is gone or that
 * somebody reads who came later.
 */
export async function readChunks(db: Database, range: Range): Promise<Bytes[]> {
  // Its values stand in the text, as SQL writes them.
  if (db.copyOut) return db.copyOut(selectChunks(db.query, range, sql.lit).compile().sql);
  const rows = await selectChunks(db.query, range, (value) => value).execute();
  return rows.map(({ sealed: { buffer, byteOffset, length } }) => {
    // No driver hands out shared memory.
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  });
}

function selectChunks(
  query: Kysely<Tables>,
  { id, from, count, reader = 0 }: Range,
  write: <T extends string | number>(value: T) => T | RawBuilder<T>,
) {
  return query
    .selectFrom("secret_chunk")
    .innerJoin("secret_file", "secret_file.secret_id", "secret_chunk.secret_id")
    .select("sealed")
    .where("secret_chunk.secret_id", "=", write(id))
    .where("sweep_at", ">", write(0))
    .where("reader", "=", write(reader))
    .where("position", ">=", write(from))
    .where("position", "<", write(from + count))
    .orderBy("position");
}
