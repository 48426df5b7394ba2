import { ByteStream } from "../../../wire/byte-pieces.ts";
import { freeBytes, type Bytes } from "../../../wire/bytes.ts";
import type { FileClass } from "../schema/shape.ts";

const [FIRST_BYTES, SEGMENT_BYTES] = [4 * 1024, 1024 * 1024];

/** What a file is besides its bytes. */
interface FileHead {
  readonly fileName?: string | undefined;
  readonly type?: string | undefined;
}

/**
 * The bytes of a file that has come in pieces. They are in segments, each of which is freed when a file is made of them:
 * otherwise all would be there twice.
 */
export class GatheredBytes {
  readonly #segments: Bytes[] = [];
  #filled = 0;
  #length = 0;

  /** Reads all pieces, and frees them. */
  static async from(pieces: AsyncIterable<Bytes>): Promise<GatheredBytes> {
    const gathered = new GatheredBytes();
    for await (const piece of pieces) {
      gathered.#add(piece);
      freeBytes(piece);
    }
    return gathered;
  }

  get length(): number {
    return this.#length;
  }

  #add(piece: Bytes): void {
    for (let left = piece; left.length > 0;) {
      const open = this.#openSegment();
      const part = left.subarray(0, open.length - this.#filled);
      open.set(part, this.#filled);
      this.#filled += part.length;
      this.#length += part.length;
      left = left.subarray(part.length);
    }
  }

  #openSegment(): Bytes {
    const last = this.#segments.at(-1);
    if (last && this.#filled < last.length) return last;
    const made = new Uint8Array(Math.min(SEGMENT_BYTES, Math.max(FIRST_BYTES, this.#length)));
    this.#segments.push(made);
    this.#filled = 0;
    return made;
  }

  /** The segments in order, of which none is there for a second time. */
  *#take(): Generator<Bytes, void> {
    const segments = this.#segments.splice(0);
    for (const [i, segment] of segments.entries())
      yield i < segments.length - 1 ? segment : segment.subarray(0, this.#filled);
  }

  /** All of them, in a buffer of their own; they can be asked for once. */
  bytes(): Bytes {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const segment of this.#take()) {
      whole.set(segment, at);
      at += segment.length;
      freeBytes(segment);
    }
    return whole;
  }

  /** A file of the class that a schema asks for; it can be asked for once. */
  file(as: FileClass, { fileName, type = "" }: FileHead): unknown {
    switch (as) {
      case "file":
        return new File([...this.#blobs()], fileName || "file", { type });
      case "blob":
        return new Blob([...this.#blobs()], { type });
      case "stream":
        return new ByteStream(this.#pieces(), this.#length).stream();
      case "bytes":
        return this.bytes();
    }
  }

  *#blobs(): Generator<Blob, void> {
    for (const segment of this.#take()) {
      yield new Blob([segment]);
      freeBytes(segment);
    }
  }

  async *#pieces(): AsyncGenerator<Bytes, void> {
    yield* this.#take();
  }
}
