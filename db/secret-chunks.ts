import { sql, type Kysely } from "kysely";
import { compileForRows, compileOnce } from "./connection/compiled.ts";
import type { Database } from "./open.ts";
import type { Bytes, Tables } from "./schema.ts";

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

interface Row {
  id: string;
  position: number;
  sealed: Bytes;
}

const insertRows = compileForRows((query: Kysely<Tables>, rows: readonly Row[]) =>
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
