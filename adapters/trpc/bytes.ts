import { z } from "zod";
import { ByteStream } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** The schema of bytes: a file as the body, a part of a form, or a value in a frame, which may be sent from a Blob. */
export function bytes(description = "The file") {
  const schema = z
    .custom<Bytes>((value) => value instanceof Uint8Array)
    .meta({ description, type: "string", format: "binary" });
  // zod has one type for both input and output of custom schemas.
  return schema as unknown as z.ZodCustom<Bytes, Uint8Array | Blob>;
}

/** The schema of a file that is read once, while it is made. */
export function byteStream(description = "The file") {
  return z
    .custom<ByteStream>((value) => value instanceof ByteStream)
    .meta({ description, type: "string", format: "binary" });
}
