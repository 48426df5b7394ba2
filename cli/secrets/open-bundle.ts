import type { Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { startFileSet, type FileSet } from "../files/file-set.ts";
import { harmlessName } from "../files/given-name.ts";
import { note, type Io } from "../terminal/io.ts";

export interface OpenedBundle {
  readonly is: "bundle";
  readonly message: string | undefined;
  readonly files: readonly { readonly name: string; readonly size: number; readonly path: string }[];
}

interface BundlePlace {
  readonly folder: string;
  readonly isNew: boolean;
  readonly force: boolean | undefined;
  readonly anyName: boolean | undefined;
}

/** Takes a bundle apart into files, all of them or none. Answers why not where it is none that is understood. */
export async function openBundle(
  io: Io,
  pieces: AsyncIterable<Bytes>,
  place: BundlePlace,
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
  { set, anyName }: Pick<BundlePlace, "anyName"> & { set: FileSet },
) {
  const { readBundle } = await import("../../tools/bundle/read-bundle.ts");
  const { UniqueNames } = await import("../../tools/file/unique-name.ts");
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
