import { utf8, type Bytes } from "../../wire/bytes.ts";
import { cleanFileName } from "../file/file-name.ts";
import { UniqueNames } from "../file/derived-name.ts";
import { readAgain, sumFile, type ZipFile, ZipWriter } from "../zip/zip.ts";
import {
  MAX_BUNDLE_FILES,
  MAX_MESSAGE_BYTES,
  MESSAGE_NAME,
  messageTooLong,
  tooManyFiles,
} from "./bundle-format.ts";

/** Files that another program unpacks are for their owner only. */
const OWNER_ALONE = 0o600;

/**
 * Packs a message and up to 20 files into one ZIP of stored entries (docs/formats.md, 8), made while it is read. Names
 * are cleaned; of equal ones the later get a number. `pieces` starts from the beginning each time.
 * @throws ToolFailure too_many_files, text_too_large; damaged_file with the index of a `file` that changed meanwhile
 */
export async function makeBundle(
  files: readonly ZipFile[],
  { message }: { message?: string | undefined } = {},
): Promise<{ size: number; names: readonly string[]; pieces: () => AsyncGenerator<Bytes, void> }> {
  if (files.length > MAX_BUNDLE_FILES) throw tooManyFiles(files.length);
  const names = nameFiles(files);
  const named = files.map((file, index) => ({ ...file, index, name: names[index] ?? "" }));
  const sources = message === undefined ? named : [messageFile(message), ...named];
  const zip = new ZipWriter({ mode: OWNER_ALONE });
  const entries: BundleEntry[] = [];
  for (const source of sources) {
    const crc = await sumFile(source, source.index);
    entries.push({ ...source, crc, header: zip.add({ ...source, crc }) });
  }
  const directory = zip.end();
  return { size: zip.size, names, pieces: () => bundlePieces(entries, directory) };
}

interface IndexedFile extends ZipFile {
  /** The index among the files; undefined for the message. */
  readonly index?: number;
}

interface BundleEntry extends IndexedFile {
  readonly crc: number;
  readonly header: Bytes;
}

function nameFiles(files: readonly ZipFile[]): string[] {
  const unique = new UniqueNames([MESSAGE_NAME]);
  return files.map(({ name }) => unique.give(cleanFileName(name)));
}

function messageFile(message: string): IndexedFile {
  const data = utf8(message);
  if (data.length > MAX_MESSAGE_BYTES) throw messageTooLong(data.length);
  return { name: MESSAGE_NAME, size: data.length, read: () => [data] };
}

async function* bundlePieces(entries: readonly BundleEntry[], directory: Bytes): AsyncGenerator<Bytes, void> {
  for (const { header, index, ...file } of entries) {
    yield header;
    yield* readAgain(file, index);
  }
  yield directory;
}
