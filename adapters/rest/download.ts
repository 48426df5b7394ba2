import { FastResponse } from "srvx";
import { contentDisposition } from "../http/answer/disposition.ts";
import { Pace, WINDOW_MS } from "../http/body/pace.ts";
import { baseHeaders, type RequestContext } from "../http/request-context.ts";

/** A file as a procedure hands it out while it is read (router/procedures/secrets/file-secrets.ts). */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly offset: number;
  readonly data: AsyncIterable<Uint8Array>;
}

/** Answers with the bytes as they are made, and no faster than the client takes them. */
export function writeDownload(file: Download, context: RequestContext): Response {
  const { name, type, size, offset, data } = file;
  const headers = baseHeaders(context);
  headers.set("Content-Type", type);
  headers.set("Content-Length", String(size - offset));
  headers.set("Content-Disposition", contentDisposition(name));
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("Vary", "Accept, Authorization");
  if (offset > 0) headers.set("Content-Range", `bytes ${offset}-${size - 1}/${size}`);
  const { stream, sent } = sendPieces(data);
  context.answer.sent = sent;
  return new FastResponse(stream, { status: offset > 0 ? 206 : 200, headers });
}

// As sendParts does with parts that are there; what is waited for here is the client, never the database.
function sendPieces(data: AsyncIterable<Uint8Array>) {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const iterator = data[Symbol.asyncIterator]();
  const pace = new Pace();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [given, bytes] = [performance.now(), 0];
  const end = async () => {
    clearTimeout(timer);
    resolve();
    await iterator.return?.();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer);
        if (!pace.passed(performance.now() - given, bytes)) return giveUp(controller);
        const { done, value } = await iterator.next();
        if (done) {
          controller.close();
          return end();
        }
        controller.enqueue(value);
        [given, bytes] = [performance.now(), value.length];
        timer = setTimeout(() => giveUp(controller), WINDOW_MS);
      },
      cancel: end,
    },
    // Without a buffer of its own it is asked only when a piece is wanted.
    { highWaterMark: 0 },
  );
  return { stream, sent };

  function giveUp(controller: ReadableStreamDefaultController<Uint8Array>): void {
    controller.error(new Error("The client takes the answer too slowly"));
    void end();
  }
}
