/** From this size on a result goes directly to the disk, where the browser can write there. */
const LARGE_BYTES = 64 * 2 ** 20;

/**
 * Asks where to write a large result, in browsers that can write files (the File System Access API), so that it is
 * never in memory as a whole. Undefined for small results, without such a dialog, and where it is closed or refused:
 * the result is then saved like any other.
 */
export async function chooseTarget({
  name,
  sizeBytes,
}: {
  name: string;
  sizeBytes: number;
}): Promise<FileSystemFileHandle | undefined> {
  // Missing in the type library, since Firefox and Safari have none.
  const { showSaveFilePicker } = globalThis as {
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  };
  if (sizeBytes < LARGE_BYTES || !showSaveFilePicker) return undefined;
  try {
    const target = await showSaveFilePicker({ suggestedName: name });
    // The system may not allow writing to the chosen file.
    await (await target.createWritable()).abort();
    return target;
  } catch {
    return undefined;
  }
}

/**
 * Writes pieces to a file that changes only once all of them are there, and stays as it was if one fails: until then
 * the browser writes to a draft beside it.
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
