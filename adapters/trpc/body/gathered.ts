import { ByteStream } from "../../../wire/byte-pieces.ts";
import { freeBytes, type Bytes } from "../../../wire/bytes.ts";
import type { FileClass } from "../schema/shape.ts";

const [FIRST_BYTES, SEGMENT_BYTES] = [4 * 1024, 1024 * 1024];

/**
 * The bytes of a file that has come in pieces, made so that they are in memory once: in segments, each of which is freed
 * when a Blob is made of it, or in one array, where that has room for all.
 */
export class GatheredBytes {
  readonly #segments: Bytes[] = [];
  readonly #room: number;
  #filled = 0;
  #length = 0;

  private constructor(room: number) {
    this.#room = room;
  }

  /**
   * Reads all pieces, and frees them. `room` is for bytes that are wanted in one array: how many will come, as far as
   * is known.
   */
  static async from(pieces: AsyncIterable<Bytes>, room = 0): Promise<GatheredBytes> {
    const gathered = new GatheredBytes(room);
    for await (const piece of pieces) {
      gathered.#add(piece);
      freeBytes(piece);
    }
    gathered.#shortenLast();
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
    const size = Math.min(SEGMENT_BYTES, Math.max(FIRST_BYTES, this.#length));
    const made = new Uint8Array(Math.max(size, this.#room - this.#length));
    this.#segments.push(made);
    this.#filled = 0;
    return made;
  }

  // What is empty would be kept for as long as the file.
  #shortenLast(): void {
    const last = this.#segments.pop();
    if (last) this.#segments.push(this.#filled < last.length ? last.slice(0, this.#filled) : last);
  }

  /** All of them, in a buffer of their own; they can be asked for once. */
  bytes(): Bytes {
    const segments = this.#segments.splice(0);
    const [only, ...others] = segments;
    if (only && others.length === 0) return only;
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const segment of segments) {
      whole.set(segment, at);
      at += segment.length;
      freeBytes(segment);
    }
    return whole;
  }

  /** A file of the class that a schema asks for; it can be asked for once. */
  file(
    as: FileClass,
    { fileName, type = "" }: { fileName?: string | undefined; type?: string | undefined },
  ): unknown {
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
    for (const segment of this.#segments.splice(0)) {
      yield new Blob([segment]);
      freeBytes(segment);
    }
  }

  async *#pieces(): AsyncGenerator<Bytes, void> {
    yield* this.#segments.splice(0);
  }
}
