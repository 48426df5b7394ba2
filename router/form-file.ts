import { ByteStream } from "../wire/byte-stream.ts";
import type { Bytes } from "../wire/bytes.ts";

/** A file in a form, behind which more fields may come; they are there once its last byte was read. */
export class FormFile extends ByteStream {
  readonly laterFields: Readonly<Record<string, unknown>>;

  constructor(pieces: AsyncIterable<Bytes>, laterFields: Readonly<Record<string, unknown>>) {
    super(pieces);
    this.laterFields = laterFields;
  }
}
