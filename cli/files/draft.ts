import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { link, open, rename, rm, type FileHandle } from "node:fs/promises";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { codeOf } from "../exit.ts";

/** Writes pieces one after the other, up to IOV_MAX (1,024) of them at a time. */
export type WritePieces = (...pieces: readonly Bytes[]) => Promise<void>;

/** A temporary file beside the final one. */
interface Draft {
  readonly write: WritePieces;
  /** Gives it its name; an existing file is replaced only with `force`. */
  readonly publish: (path: string, options: { force: boolean | undefined }) => Promise<void>;
  readonly drop: () => Promise<void>;
}

interface DraftOptions {
  /**
   * Readable for its owner only, and on the disk before `publish` ends: what is kept from others may not be had again,
   * as a secret that its server deletes then.
   */
  readonly isPrivate?: boolean | undefined;
  /** Its rights otherwise; those of every new file where they are absent. */
  readonly mode?: number | undefined;
}

/** Begins a draft beside `path`. It is deleted when it is dropped, or when a signal ends the program. */
export async function startDraft(path: string, { isPrivate, mode = 0o666 }: DraftOptions): Promise<Draft> {
  const draft = draftPath(path);
  // Registered before the draft exists, because a signal may come at any time.
  const forget = dropOnSignal(draft);
  const file = await open(draft, "wx", isPrivate ? 0o600 : mode & 0o777).catch((error: unknown) => {
    forget();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= file.close());
  const drop = async () => {
    await close().catch(() => {});
    await rm(draft, { force: true });
    forget();
  };
  const publish: Draft["publish"] = async (target, { force }) => {
    // It is closed where another name was taken.
    if (isPrivate && !closed) await waitForDisk(file.sync());
    await close();
    await giveName(draft, target, force);
    if (isPrivate) await syncFolder(dirname(target));
    forget();
  };
  return { write: (...pieces) => writeAll(file, pieces), publish, drop };
}

/** In UTF-8 three times as many bytes at most, so that the draft fits too where `path` has the 255 of most disks. */
const STEM_CHARACTERS = 60;

/** A free name beside `path`, which no other program uses. */
export function draftPath(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, STEM_CHARACTERS)}.${randomUUID().slice(0, 8)}.part`);
}

async function writeAll(file: FileHandle, pieces: readonly Bytes[]): Promise<void> {
  let rest = pieces.filter(({ length }) => length > 0);
  while (rest.length > 0) rest = restAfter(rest, (await file.writev(rest)).bytesWritten);
}

/** What is left of pieces of which only a part was written, as a system may do. */
function restAfter(pieces: readonly Bytes[], written: number): Bytes[] {
  let start = 0;
  return pieces.flatMap((piece) => {
    const from = Math.max(0, written - start);
    start += piece.length;
    return from < piece.length ? [piece.subarray(from)] : [];
  });
}

// A hard link fails where the name was taken meanwhile, while a rename would replace that file. Some file systems have
// no hard links.
export async function giveName(draft: string, path: string, force: boolean | undefined): Promise<void> {
  if (force) return rename(draft, path);
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    return rename(draft, path);
  }
  await rm(draft);
}

/**
 * Waits until what was written is on the disk. Of a terminal or a pipe, and on some file systems, there is nothing to
 * wait for, which the system tells as an error too.
 * @throws Error of the system where the disk fails
 */
export async function waitForDisk(sync: Promise<void>): Promise<void> {
  await sync.catch((error: unknown) => {
    if (/^(?:EIO|ENOSPC|EDQUOT)$/.test(codeOf(error))) throw error;
  });
}

/** Waits until the names in a folder are on the disk, where the system does that. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // The names reach the disk a little later.
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Deletes a draft when a signal ends the program. */
export function dropOnSignal(draft: string): () => void {
  return onSignal(() => rmSync(draft, { force: true, recursive: true }));
}

const WORKS = new Set<() => void>();

/** Does something when a signal ends the program, which then ends as the signal would have ended it. */
export function onSignal(work: () => void): () => void {
  if (WORKS.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  WORKS.add(work);
  return () => {
    WORKS.delete(work);
    if (WORKS.size === 0) for (const signal of SIGNALS) process.off(signal, end);
  };
}

function end(signal: NodeJS.Signals): void {
  for (const work of WORKS) work();
  // The kernel spares the first process of a container.
  if (process.pid === 1) process.exit(128 + constants.signals[signal]);
  for (const each of SIGNALS) process.off(each, end);
  process.kill(process.pid, signal);
}
