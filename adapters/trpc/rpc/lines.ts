import type { RequestContext } from "../adapter.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { answerStream } from "../answer/answer-parts.ts";
import { spliceParts } from "../answer/json-text.ts";
import type { AnswerPart } from "../answer/stream.ts";

interface LineStream {
  readonly context: RequestContext;
  /** The head of the answer waits for this, or for the end of all calls. */
  readonly ready: Promise<void> | undefined;
  /** Of the answer, once the first call has ended. */
  readonly headers: () => Headers;
  /** Stops the calls that still run. */
  readonly cancel: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Answers a batch of tRPC's `httpBatchStreamLink` by lines of JSON, each when its call has ended. The head leaves with
 * the first of them, as that call may set headers. Where nobody takes the answer any more the calls are stopped, and
 * what the request holds belongs to it until the last of them has ended.
 */
export async function answerLines(
  body: ReadableStream<Bytes>,
  { context, ready, headers, cancel, onFault }: LineStream,
): Promise<Response> {
  const reader = body.getReader();
  const read = async () => (await reader.read()).value;
  // tRPC 11.25 first writes a line that names the calls, and then one for each part of a call, as a piece of its own.
  const first = [await read(), await read()];
  let next = read();
  for (let line = await Promise.race([next, ready]); line; line = await Promise.race([next, ready])) {
    first.push(line);
    next = read();
  }
  // It may fail while the client takes what is there.
  next.catch(() => undefined);
  const response = answerStream(write(), { context, status: 200, headers: headers() });
  context.answer.ended = end();
  return response;

  async function end(): Promise<void> {
    await context.answer.sent;
    cancel();
    while (await read().catch(() => undefined));
  }

  async function* write(): AsyncGenerator<AnswerPart, void> {
    for (const line of first) if (line) yield* splice(line);
    try {
      for (let line = await next; line; line = await read()) yield* splice(line);
    } catch (error) {
      onFault(error);
      throw error;
    }
  }

  function splice(line: Bytes): AnswerPart[] {
    const { jsonParts } = context;
    return jsonParts.length > 0 ? spliceParts(new TextDecoder().decode(line), jsonParts) : [line];
  }
}
