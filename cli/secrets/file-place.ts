import { makeFolder, namesFolder, startNameless, startOutput, type Nameless } from "../files/output.ts";
import { isMissing } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";

interface PlaceOptions {
  /** The stored name in this folder where it is absent. */
  readonly output?: string | undefined;
  readonly force?: true | undefined;
  /** Whether several files stay in the ZIP that they came in. */
  readonly zip?: true | undefined;
  /** As it is stored, where the server tells. */
  readonly size?: number | undefined;
}

/** Where a file goes of which nobody knows yet whether it is one or several. */
export interface FilePlace extends Nameless {
  /** Where several go; undefined where there is room for one stream of bytes only. */
  readonly folder: { readonly folder: string; readonly isNew: boolean } | undefined;
  /** Whether one file gets the name that came with it; else it is where -o says. */
  readonly takesName: boolean;
}

/**
 * Makes sure of a place before anything is claimed: -o is a file, a folder that exists or ends in a slash, or what it
 * will be. @throws CliError usage where there is none
 */
export async function startPlace(io: Io, options: PlaceOptions): Promise<FilePlace> {
  const place = await findPlace(io, options);
  return options.zip ? { ...place, folder: undefined } : place;
}

async function findPlace(io: Io, { output, force, size: sizeBytes }: PlaceOptions): Promise<FilePlace> {
  if (output === undefined) {
    const folder = { folder: "", isNew: false };
    return { ...(await startNameless(io, { ...folder, force, sizeBytes })), folder, takesName: true };
  }
  if (await namesFolder(io, output)) return startIn(io, { folder: output, force, sizeBytes });
  const isNew = await isMissing(io, output);
  const { write, finish, drop } = await startOutput(io, { path: output, force, isPrivate: true, sizeBytes });
  return {
    write,
    drop,
    finish: async () => (await finish(), output),
    folder: isNew ? { folder: output, isNew } : undefined,
    takesName: false,
  };
}

async function startIn(
  io: Io,
  { folder, ...options }: { folder: string; force: true | undefined; sizeBytes: number | undefined },
): Promise<FilePlace> {
  const takeAway = await makeFolder(io, folder);
  const writing = await startNameless(io, { folder, ...options });
  const drop = async () => {
    await writing.drop();
    await takeAway();
  };
  return { ...writing, drop, folder: { folder, isNew: false }, takesName: true };
}
