import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import type { Io } from "../terminal/io.ts";
import { draftPath, dropOnSignal, giveName } from "./draft.ts";
import { giveFreeName, refuse } from "./output.ts";

/** Several files that get their names together, or not at all. */
export interface FileSet {
  /** A name is clean, and given once. Answers how many bytes there were. */
  readonly add: (name: string, pieces: AsyncIterable<Bytes>) => Promise<number>;
  /** Gives all their names, or the next free ones, and answers their paths by name. */
  readonly publish: () => Promise<Map<string, string>>;
  readonly drop: () => Promise<void>;
}

interface SetOptions {
  /** "" for that of the command. */
  readonly folder: string;
  /** Whether the folder is not there yet: it comes with its files. */
  readonly isNew: boolean;
  readonly force: boolean | undefined;
}

/** Begins files for their owner alone, in a folder beside their place. @throws CliError usage where none can be made */
export async function startFileSet(io: Io, { folder, isNew, force }: SetOptions): Promise<FileSet> {
  const target = resolve(io.cwd, folder);
  const draft = draftPath(isNew ? target : join(target, "hushkit"));
  const shown = folder || "This folder";
  // Before there is anything to delete: a signal may come at once.
  const forget = dropOnSignal(draft);
  const drop = async () => {
    await rm(draft, { force: true, recursive: true });
    forget();
  };
  await makeDraft(draft).catch(async (error: unknown) => {
    await drop();
    refuse(shown, error);
  });
  const names: string[] = [];
  const add: FileSet["add"] = async (name, pieces) => {
    names.push(name);
    return writeFile(join(draft, name), pieces);
  };
  const publish = async () => {
    const paths = isNew
      ? await rename(draft, target).then(
          () => new Map(names.map((name) => [name, join(folder, name)])),
          (error: unknown) => refuse(shown, error),
        )
      : await publishAll(io, { draft, folder, names, force });
    await drop();
    return paths;
  };
  return { add, publish, drop };
}

async function makeDraft(draft: string): Promise<void> {
  await mkdir(dirname(draft), { recursive: true });
  await mkdir(draft, { mode: 0o700 });
}

async function writeFile(path: string, pieces: AsyncIterable<Bytes>): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const piece of pieces) {
      await file.appendFile(piece);
      size += piece.length;
    }
  } finally {
    await file.close();
  }
  return size;
}

async function publishAll(
  io: Io,
  of: { draft: string; folder: string; names: readonly string[]; force: boolean | undefined },
): Promise<Map<string, string>> {
  const { draft, folder, names, force } = of;
  const paths = new Map<string, string>();
  try {
    for (const name of names) {
      const give = (path: string) => giveName(join(draft, name), { path, force });
      paths.set(name, await giveFreeName(io, { path: join(folder, name), force, give }));
    }
  } catch (error) {
    // What has replaced another file stays: that one is gone.
    if (!force) for (const path of paths.values()) await rm(resolve(io.cwd, path), { force: true });
    throw error;
  }
  return paths;
}
