import type { ColumnType } from "kysely";

/** Bytes as used everywhere else: never a view on a driver's buffer. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A column of bytes, BLOB or bytea; each driver returns its own kind of Uint8Array. */
export type BytesColumn = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
export type OptionalBytesColumn = ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
/** A column that new rows leave empty. */
export type AddedColumn<T> = ColumnType<T | null, T | null | undefined, T | null>;
