import type { Bytes } from "../bytes.ts";

/**
 * A long text as the UTF-8 that it came as: a worker read it out of a body, and another takes it as it is. To decode
 * and encode 20 MB in between would keep everybody else waiting.
 */
export class Utf8Text {
  readonly bytes: Bytes;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }
}
