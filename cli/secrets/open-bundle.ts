import type { Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { harmlessName } from "../files/given-name.ts";
import { note, type Io } from "../terminal/io.ts";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { draftPath, dropOnSignal, giveName, syncFolder, waitForDisk } from "../files/draft.ts";
import { makeFolders } from "../files/folder.ts";
import { giveFreeName, refuse } from "../files/output.ts";

export interface OpenedBundle {
  readonly is: "bundle";
  readonly message: string | undefined;
  readonly files: readonly { readonly name: string; readonly size: number; readonly path: string }[];
}

interface UnpackTarget {
  readonly folder: string;
  readonly isNew: boolean;
  readonly force: boolean | undefined;
  readonly anyName: boolean | undefined;
}

/**
 * Unpacks a bundle into files, all of them or none. Returns the reason where it is not a bundle that this version
 * understands.
 */
export async function openBundle(
  io: Io,
  pieces: AsyncIterable<Bytes>,
  place: UnpackTarget,
): Promise<OpenedBundle | ToolFailure> {
  const set = await startFileSet(io, place);
  try {
    const { message, entries } = await readInto(io, pieces, { set, ...place });
    const paths = entries.length === 0 ? new Map<string, string>() : await set.publish();
    const files = entries.map(({ name, size, saved }) => ({ name, size, path: paths.get(saved) ?? saved }));
    return { is: "bundle", message, files };
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  } finally {
    await set.drop();
  }
}

async function readInto(
  io: Io,
  pieces: AsyncIterable<Bytes>,
  { set, anyName }: Pick<UnpackTarget, "anyName"> & { set: FileSet },
) {
  const { readBundle } = await import("../../tools/bundle/read-bundle.ts");
  const { UniqueNames } = await import("../../tools/file/derived-name.ts");
  const entries: { readonly name: string; readonly saved: string; readonly size: number }[] = [];
  const names = new UniqueNames();
  let message: string | undefined;
  for await (const part of readBundle(pieces)) {
    if (part.is === "message") {
      message = part.text;
      continue;
    }
    const { name } = part;
    const saved = names.give(await harmlessName(name, { anyName }));
    await note(io, `Writing ${saved}`);
    entries.push({ name, saved, size: await set.add(saved, part.pieces) });
  }
  return { message, entries };
}

/** Several files that appear together, or not at all. */
interface FileSet {
  /** Names must be safe and unique. Returns how many bytes were written. */
  readonly add: (name: string, pieces: AsyncIterable<Bytes>) => Promise<number>;
  /** Gives the files their names, or the next free ones, and returns their paths by name. */
  readonly publish: () => Promise<Map<string, string>>;
  readonly drop: () => Promise<void>;
}

/**
 * Begins files that only their owner can read, in a folder beside the final place: `folder`, which appears with its
 * files where it is new, or the working directory for "".
 * @throws CliError usage where none can be made
 */
async function startFileSet(
  io: Io,
  { folder, isNew, force }: Omit<UnpackTarget, "anyName">,
): Promise<FileSet> {
  const target = resolve(io.cwd, folder);
  const draft = draftPath(isNew ? target : join(target, "hushkit"));
  const shown = folder || "This folder";
  // Registered before the draft exists, because a signal may come at any time.
  const forget = dropOnSignal(draft);
  const drop = async () => {
    await rm(draft, { force: true, recursive: true });
    forget();
  };
  try {
    await makeFolders(dirname(draft));
    await mkdir(draft, { mode: 0o700 });
  } catch (error) {
    await drop();
    refuse(shown, error);
  }
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
    await syncFolder(isNew ? dirname(target) : target);
    await drop();
    return paths;
  };
  return { add, publish, drop };
}

async function writeFile(path: string, pieces: AsyncIterable<Bytes>): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let size = 0;
  try {
    for await (const piece of pieces) {
      await file.appendFile(piece);
      size += piece.length;
    }
    await waitForDisk(file.sync());
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
      const give = (path: string) => giveName(join(draft, name), path, force);
      paths.set(name, await giveFreeName(io, { path: join(folder, name), force, give }));
    }
  } catch (error) {
    // Files that replaced others stay, because the others are gone.
    if (!force) for (const path of paths.values()) await rm(resolve(io.cwd, path), { force: true });
    throw error;
  }
  return paths;
}
