import { sql, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Bytes } from "../columns.ts";
import type { Tables } from "../schema.ts";
import { run, runInside, statement, statementOfRows, type ParameterOf } from "../statement.ts";

/** Consecutive chunks of a file; all but the file's last have the same length. */
export interface Chunks {
  id: string;
  /** The position of the first one. */
  from: number;
  chunks: Bytes[];
}

/** Writes chunks as part of a transaction, replacing existing ones. */
export async function writeChunks(
  kind: Database["kind"],
  trx: Kysely<Tables>,
  { id, from, chunks }: Chunks,
): Promise<void> {
  if (kind === "postgres") return writeJoined(trx, { id, from, chunks });
  await runInside(
    trx,
    INSERT_ROWS,
    chunks.map((sealed, i) => ({ id, position: from + i, sealed })),
  );
}

const INSERT_ROWS = statementOfRows(
  (query, rows: readonly ParameterOf<{ id: string; position: number; sealed: Bytes }>[]) =>
    query
      .insertInto("secret_chunk")
      .values(rows.map((of) => ({ secret_id: of("id"), position: of("position"), sealed: of("sealed") })))
      .onConflict((conflict) =>
        conflict
          .columns(["secret_id", "position"])
          .doUpdateSet((row) => ({ sealed: row.ref("excluded.sealed") })),
      ),
);

// One parameter instead of one for each chunk: the driver grows a buffer for a message, and each outgrown buffer waits
// for the garbage collector.
async function writeJoined(trx: Kysely<Tables>, { id, from, chunks }: Chunks): Promise<void> {
  const size = chunks[0]?.length ?? 0;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  for (const [i, chunk] of chunks.entries()) bytes.set(chunk, i * size);
  await runInside(trx, INSERT_JOINED, { id, from, count: chunks.length, size, bytes });
}

/** `size` is that of each chunk but the last. */
const INSERT_JOINED = statement(
  (_, of: ParameterOf<Omit<Chunks, "chunks"> & { count: number; size: number; bytes: Bytes }>) => sql`
    insert into secret_chunk (secret_id, position, sealed)
    select ${of("id")}::text, ${of("from")}::integer + i,
      substring(${of("bytes")}::bytea from i * ${of("size")}::integer + 1 for ${of("size")}::integer)
    from generate_series(0, ${of("count")}::integer - 1) as i
    on conflict (secret_id, position) do update set sealed = excluded.sealed`,
);

interface Range {
  id: string;
  from: number;
  count: number;
  /** The reader's number; 0 before a delivery. */
  reader?: number | undefined;
}

/**
 * Up to `count` chunks in order from position `from` on; fewer at the end, and none of a file that is gone or that a
 * later reader reads.
 */
export async function readChunks(db: Database, { id, from, count, reader = 0 }: Range): Promise<Bytes[]> {
  const range = { id, from, to: from + count, reader };
  // Its values are part of the text, since SQL writes them.
  if (db.copyOut) return db.copyOut(selectChunks(db.query, (name) => sql.lit(range[name])).compile().sql);
  const { rows } = await run(db, SELECT_CHUNKS, range);
  return rows.map(({ sealed: { buffer, byteOffset, length } }) => {
    // No driver returns shared memory.
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  });
}

// Their number would tell the size of a single file.
const SELECT_CHUNKS = statement(selectChunks, { isMeasured: false });

function selectChunks(
  query: Kysely<Tables>,
  of: ParameterOf<Omit<Required<Range>, "count"> & { to: number }>,
) {
  return query
    .selectFrom("secret_chunk")
    .innerJoin("secret_file", "secret_file.secret_id", "secret_chunk.secret_id")
    .select("sealed")
    .where("secret_chunk.secret_id", "=", of("id"))
    .where("sweep_at", ">", sql.lit(0))
    .where("reader", "=", of("reader"))
    .where("position", ">=", of("from"))
    .where("position", "<", of("to"))
    .orderBy("position");
}
