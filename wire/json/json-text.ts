import type { Bytes } from "../bytes.ts";

/**
 * A value that a worker has already written as JSON in UTF-8. In a tree it stands for that value; when the tree is
 * written as JSON, it leaves a mark, which no caller can guess, for `spliceTexts` to replace.
 */
export class JsonText {
  readonly bytes: Bytes;
  /** For a list of texts: one per line, for callers who want plain text. */
  readonly lines: Bytes | undefined;
  readonly mark = crypto.randomUUID();

  constructor(bytes: Bytes, lines?: Bytes) {
    this.bytes = bytes;
    this.lines = lines;
  }

  toJSON(): string {
    return this.mark;
  }
}
