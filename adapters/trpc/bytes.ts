import { z } from "zod";
import { ByteStream } from "../../wire/byte-stream.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** The schema of bytes: a file as the body, a part of a form, or a value of a frame. */
export function bytes(description = "The file") {
  return z
    .custom<Bytes>((value) => value instanceof Uint8Array)
    .meta({ description, type: "string", format: "binary" });
}

/** The schema of a file that is read once, while it is made. */
export function byteStream(description = "The file") {
  return z
    .custom<ByteStream>((value) => value instanceof ByteStream)
    .meta({ description, type: "string", format: "binary" });
}
