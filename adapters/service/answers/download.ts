import type { ByteStream } from "../../../wire/byte-stream.ts";
import { answerParts } from "../../trpc/answer/answer-parts.ts";
import { contentDisposition } from "../../trpc/answer/disposition.ts";
import { baseHeaders } from "../../trpc/request-context.ts";
import type { WriteResult } from "../../trpc/adapter.ts";

/** A file as a procedure hands it out while it is read (router/procedures/secrets/file-secrets.ts). */
interface Download {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly offset: number;
  readonly data: ByteStream;
}

/** Answers with the bytes as they are made, and no faster than the client takes them. */
export const writeDownload: WriteResult = (result, context) => {
  // The output schema has checked the shape.
  const { name, type, size, offset, data } = result as Download;
  const headers = baseHeaders(context);
  headers.set("Content-Type", type);
  headers.set("Content-Disposition", contentDisposition(name));
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("Vary", "Accept, Authorization");
  if (offset > 0) headers.set("Content-Range", `bytes ${offset}-${size - 1}/${size}`);
  return answerParts([data], { context, status: offset > 0 ? 206 : 200, headers });
};
