// A thread (started by log-keeper.ts) with its own connection: syncing here delays nobody.
import { parentPort, workerData } from "node:worker_threads";
import SqliteFile from "better-sqlite3";
import type { CheckpointAnswer, CheckpointStep } from "./log-keeper.ts";

/** Another process may be writing back at the moment; the next checkpoint comes anyway. */
const BUSY_TIMEOUT_MS = 100;

// The starting thread passes the path as a text.
const file = new SqliteFile(workerData as string, { timeout: BUSY_TIMEOUT_MS });
file.pragma("synchronous = NORMAL");
file.pragma("wal_autocheckpoint = 0");

parentPort?.on("message", (step: CheckpointStep) => parentPort?.postMessage(answer(step)));

function answer(step: CheckpointStep): CheckpointAnswer {
  try {
    if (step === "begin") return begin();
    if (step === "close") return close();
    const [progress] = file.pragma(`wal_checkpoint(${step})`) as { busy: number; log: number }[];
    const isBusy = progress?.busy !== 0;
    return step === "restart" && !isBusy ? begin() : { isBusy, pages: progress?.log ?? 0 };
  } catch (error) {
    return { code: error instanceof Error && "code" in error ? String(error.code) : "SQLITE_ERROR" };
  }
}

// In a log that starts anew, the first writer waits for a sync of its header (SQLite, walFrames). So this writes its
// first page: a number that nobody reads.
function begin(): CheckpointAnswer {
  file.pragma("user_version = 0");
  return { isBusy: false, pages: 1 };
}

function close(): CheckpointAnswer {
  file.close();
  return { isBusy: false, pages: 0 };
}
