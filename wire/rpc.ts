// What both ends of /trpc must agree on besides the codecs.

/** The media type of a call or an answer as one frame (frame.ts). */
export const FRAME_TYPE = "application/vnd.hushkit.frame";

/** Procedures whose result contains a stream of bytes; the typed client calls them by frames. */
export const STREAMED_CALLS: readonly string[] = ["secrets.openFile"];

/** Applies a transformer to an answer as tRPC does: to the data of a result, or to a whole error. */
export function transformData(answer: unknown, transform: (data: unknown) => unknown): unknown {
  const { result, error } = Object(answer) as { result?: { data?: unknown }; error?: unknown };
  return result ? { result: { data: transform(result.data) } } : { error: transform(error) };
}

/** The most calls in a batch; each counts against the limits separately. */
export const MAX_BATCH_CALLS = 10;
