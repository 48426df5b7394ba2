import type { Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { startFileSet, type FileSet } from "../files/file-set.ts";
import type { Io } from "../terminal/io.ts";

export interface OpenedBundle {
  readonly is: "bundle";
  readonly message: string | undefined;
  readonly files: readonly { readonly name: string; readonly size: number; readonly path: string }[];
}

interface BundlePlace {
  readonly folder: string;
  readonly isNew: boolean;
  readonly force: boolean | undefined;
}

/** Takes a bundle apart into files, all of them or none. Answers why not where it is none that is understood. */
export async function openBundle(
  io: Io,
  pieces: AsyncIterable<Bytes>,
  place: BundlePlace,
): Promise<OpenedBundle | ToolFailure> {
  const set = await startFileSet(io, place);
  try {
    const { message, sizes } = await readInto(set, pieces);
    const paths = sizes.size === 0 ? new Map<string, string>() : await set.publish();
    const files = [...sizes].map(([name, size]) => ({ name, size, path: paths.get(name) ?? name }));
    return { is: "bundle", message, files };
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  } finally {
    await set.drop();
  }
}

async function readInto(set: FileSet, pieces: AsyncIterable<Bytes>) {
  const { readBundle } = await import("../../tools/bundle/read-bundle.ts");
  const sizes = new Map<string, number>();
  let message: string | undefined;
  for await (const part of readBundle(pieces)) {
    if (part.is === "message") message = part.text;
    else sizes.set(part.name, await set.add(part.name, part.pieces));
  }
  return { message, sizes };
}
