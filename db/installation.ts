import type { Database } from "./open.ts";
import type { Bytes } from "./schema.ts";

/**
 * The key under which this installation makes HMACs of rate keys, the same for all its processes. `fresh`
 * becomes that key where there is none yet: the first one to write wins.
 */
export async function readInstallationKey(db: Database, { fresh }: { fresh: Bytes }): Promise<Bytes> {
  // An update that changes nothing, because RETURNING is silent about a row that was left alone.
  const { value } = await db.query
    .insertInto("installation")
    .values({ name: "key", value: fresh })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({ value: row.ref("installation.value") })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return new Uint8Array(value);
}
