import type { ColumnType, DeleteResult, InsertResult, UpdateResult } from "kysely";

/** Bytes as used everywhere else: never a view on a driver's buffer. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A column of bytes, BLOB or bytea; each driver returns its own kind of Uint8Array. */
export type BytesColumn = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
export type OptionalBytesColumn = ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
/** A column that new rows leave empty. */
export type AddedColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;

/**
 * How many rows a statement has inserted, updated or deleted, for its `$call`. Kysely's results differ in the name of
 * that number, which is a bigint.
 */
export async function countChanged(change: { executeTakeFirstOrThrow(): Promise<object> }): Promise<number> {
  const result: Partial<InsertResult & UpdateResult & DeleteResult> = await change.executeTakeFirstOrThrow();
  return Number(result.numInsertedOrUpdatedRows ?? result.numUpdatedRows ?? result.numDeletedRows);
}

/** Whether a statement about one row has changed it. */
export async function changesRow(change: Parameters<typeof countChanged>[0]): Promise<boolean> {
  return (await countChanged(change)) === 1;
}
