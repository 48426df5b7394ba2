import { promises as files } from "node:fs";
import { dirname } from "node:path";

/**
 * A call of the database that has ended well. Chunks are not measured, nor are counters, of which an upload takes some
 * for each megabyte: how many there were would tell the size of a single file.
 */
export interface DatabaseCall {
  /** A statement that reads, or a transaction that is on the disk. */
  kind: "read" | "write";
  milliseconds: number;
}

/** Connections of this process. */
export interface ConnectionCounts {
  open: number;
  busy: number;
  /** Callers who wait for one. */
  waiting: number;
}

/** What there is to know of a database without asking it. */
export interface DatabaseNumbers {
  connections: ConnectionCounts;
  /** Of a SQLite file on a disk: its log, and what is free beside it for whoever the server runs as. */
  disk?: { logBytes: number; freeBytes: number } | undefined;
}

/** Undefined where the disk does not answer. */
export async function readDisk(path: string): Promise<DatabaseNumbers["disk"]> {
  try {
    const { bavail, bsize } = await files.statfs(dirname(path));
    const logBytes = await files.stat(`${path}-wal`).then(
      ({ size }) => size,
      () => 0,
    );
    return { logBytes, freeBytes: bavail * bsize };
  } catch {
    return undefined;
  }
}
