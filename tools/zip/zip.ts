import { Zip } from "fflate";
import type { Bytes } from "../../wire/bytes.ts";
import { cleanFileName } from "../file/file-name.ts";
import { uniqueName } from "../file/unique-name.ts";
import { StoredEntry } from "./zip-entry.ts";

/** A file to put into a ZIP, whole or piece by piece. */
export interface ZipEntry {
  readonly name: string;
  readonly source: AsyncIterable<Bytes> | Iterable<Bytes>;
}

/**
 * Puts files into a ZIP (APPNOTE 6.3) without compressing them, piece by piece. Names are cleaned; of equal ones the
 * later get a number.
 */
export async function* zipFiles(entries: Iterable<ZipEntry>): AsyncGenerator<Bytes, void> {
  let made: Bytes[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    // fflate gives what it was given, and that is never on shared memory.
    made.push(part as Bytes);
  });
  const taken = new Set<string>();
  for (const { name, source } of entries) {
    const entry = new StoredEntry(uniqueName(cleanFileName(name), taken));
    zip.add(entry);
    for await (const piece of source) {
      entry.push(piece);
      yield* made;
      made = [];
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
  yield* made;
}
