import type { AsyncFlateStreamHandler, ZipInputFile } from "fflate";
import { crc32 } from "../crypto/crc32.ts";

/** Without a zone, as what a ZIP says: the same files give the same bytes in every time zone. */
const EARLIEST = "1980-01-02T12:00:00";

/**
 * A file for fflate's `Zip` that is stored as it is (APPNOTE 6.3, 4.4.5, method 0). fflate's own ZipPassThrough sums in
 * JavaScript: of a document of photographs split page by page that took nine tenths of the time.
 */
export class StoredEntry implements ZipInputFile {
  readonly filename: string;
  readonly compression = 0;
  readonly mtime = EARLIEST;
  size = 0;
  crc = 0;
  /** Set by the ZIP that the entry is added to. */
  ondata: AsyncFlateStreamHandler = () => {};

  constructor(name: string) {
    this.filename = name;
  }

  /** Adds bytes to the file; the last ones end it. */
  push(bytes: Uint8Array, isLast = false): void {
    this.size += bytes.length;
    this.crc = crc32(bytes, this.crc);
    // fflate passes the bytes on as they are, shared memory or not.
    this.ondata(null, bytes as Uint8Array<ArrayBuffer>, isLast);
  }
}
