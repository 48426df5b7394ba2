import type { Bytes } from "../bytes.ts";

/**
 * A value that is JSON in UTF-8 already: a worker wrote it, and it goes out as it is. In a tree it stands for that
 * value; where the tree is written as JSON it leaves a mark, which no caller can guess, for `spliceTexts`.
 */
export class JsonText {
  readonly bytes: Bytes;
  /** Of a list of texts: a line for each, for callers who take bare text. */
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
