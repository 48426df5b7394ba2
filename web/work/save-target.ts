/** From so many bytes on a result goes straight to the disk, where the browser can write there. */
const LARGE_BYTES = 64 * 2 ** 20;

type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/**
 * Asks where a large result is to be written, in browsers that can write files (the File System Access API): it never is
 * in memory as a whole then. Gives undefined for what is small and where there is no such dialog; where it is closed or
 * refused too: the result is then saved as any other.
 */
export async function chooseTarget({
  name,
  sizeBytes,
}: {
  name: string;
  sizeBytes: number;
}): Promise<FileSystemFileHandle | undefined> {
  // The type library does not know it, since Firefox and Safari have none.
  const { showSaveFilePicker } = globalThis as { showSaveFilePicker?: Picker };
  if (sizeBytes < LARGE_BYTES || !showSaveFilePicker) return undefined;
  try {
    const target = await showSaveFilePicker({ suggestedName: name });
    // A file may be chosen that the system does not let be written.
    await (await target.createWritable()).abort();
    return target;
  } catch {
    return undefined;
  }
}

/**
 * Writes pieces into a file that gets its content when all of them are there, and stays as it was where one fails: the
 * browser keeps a draft beside it until then.
 */
export async function writeToTarget(
  target: FileSystemFileHandle,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<File> {
  const draft = await target.createWritable();
  try {
    for await (const piece of pieces) await draft.write(piece);
    await draft.close();
  } catch (error) {
    await draft.abort();
    throw error;
  }
  return target.getFile();
}
