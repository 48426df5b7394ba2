/** Files that operating systems put into folders by themselves. */
const SYSTEM_FILES = /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini)$/i;

/**
 * The files in a folder and below it, sorted by name as in a file manager, those of a folder before those of its
 * subfolders. Empty if it cannot be read, or has more than `most` files or folders.
 */
export async function filesIn(top: FileSystemEntry, most: number): Promise<readonly File[]> {
  try {
    return await readFolder(top, most);
  } catch {
    return [];
  }
}

async function readFolder(top: FileSystemEntry, most: number): Promise<readonly File[]> {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const folders = [top];
  const files: FileSystemEntry[] = [];
  for (const folder of folders) {
    const entries = await listFolder(folder as FileSystemDirectoryEntry);
    for (const entry of entries.toSorted((a, b) => compare(a.name, b.name))) {
      if (entry.isDirectory) folders.push(entry);
      else if (!SYSTEM_FILES.test(entry.name)) files.push(entry);
    }
    if (Math.max(folders.length, files.length) > most) return [];
  }
  return Promise.all(files.map((file) => readEntry(file as FileSystemFileEntry)));
}

async function listFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  // Chromium gives a hundred at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}

function readEntry(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
