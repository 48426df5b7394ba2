import { open, stat, type FileHandle } from "node:fs/promises";
import { fileError } from "../../config/config.ts";

/** The destination of the audit log's lines. */
export interface AuditLog {
  /** Resolves when the lines, each with its line break, have arrived: on the disk, for a file. */
  readonly append: (lines: string) => Promise<void>;
  /** Reopens the file before the next lines. */
  readonly reopen: () => void;
  readonly close: () => Promise<void>;
}

/** Opens standard output, or a file; a new file is readable by its owner only. @throws ConfigError if it cannot be opened */
export async function openAuditLog({
  to,
  write,
}: {
  readonly to: "stdout" | { readonly path: string };
  /** For "stdout": writes whole lines at once. */
  readonly write: (lines: string) => void;
}): Promise<AuditLog> {
  if (to === "stdout") return { append: async (lines) => write(lines), reopen() {}, close: async () => {} };
  const file = new LogFile(to.path);
  await file.open().catch((error: unknown) => {
    throw fileError("AUDIT_LOG cannot be written", error);
  });
  return {
    append: (lines) => file.append(lines),
    reopen: () => void (file.mustReopen = true),
    close: () => file.close(),
  };
}

/** A file that others may move or delete at any time. */
class LogFile {
  readonly #path: string;
  #handle: FileHandle | undefined;
  /** Whether it must be reopened before the next lines. */
  mustReopen = false;

  constructor(path: string) {
    this.#path = path;
  }

  async append(lines: string): Promise<void> {
    try {
      const handle = await this.open();
      await writeAll(handle, Buffer.from(lines));
      await sync(handle);
      // It was deleted in between: nobody can read what was written.
      if ((await handle.stat()).nlink === 0) throw Object.assign(new Error("Removed."), { code: "ENOENT" });
    } catch (error) {
      // The next append reopens the file and then completes a line that was cut off.
      await this.close().catch(() => {});
      throw error;
    }
  }

  async open(): Promise<FileHandle> {
    if (this.#handle && (this.mustReopen || !(await isAt(this.#path, this.#handle)))) await this.close();
    this.mustReopen = false;
    return (this.#handle ??= await openAtEnd(this.#path));
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

async function isAt(path: string, handle: FileHandle): Promise<boolean> {
  const own = await handle.stat();
  return stat(path).then(
    ({ dev, ino }) => dev === own.dev && ino === own.ino,
    () => false,
  );
}

// A full disk or a killed process may have left an incomplete line.
async function openAtEnd(path: string): Promise<FileHandle> {
  const handle = await open(path, "a+", 0o600);
  try {
    const about = await handle.stat();
    if (!about.isFile() || about.size === 0) return handle;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, about.size - 1);
    if (buffer.toString() !== "\n") await writeAll(handle, Buffer.from("\n"));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

// A write may take only a part.
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at);
    at += bytesWritten;
  }
}

// A pipe has no disk.
async function sync(handle: FileHandle): Promise<void> {
  if ((await handle.stat()).isFile()) await handle.datasync();
}
