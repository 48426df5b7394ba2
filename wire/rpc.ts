// What both ends of /trpc must agree on beside the codecs.

/** The media type of a call or an answer as one frame (frame.ts). */
export const FRAME_TYPE = "application/vnd.hushkit.frame";

/** Procedures whose answer holds a stream of bytes; the typed client calls them by frames. */
export const STREAMED_CALLS: readonly string[] = ["secrets.openFile"];

/** An answer whose result went through a transformer, as tRPC has it: its data alone, and no error. */
export function transformData(answer: unknown, transform: (data: unknown) => unknown): unknown {
  const { result } = Object(answer) as { result?: { data?: unknown } };
  return result ? { result: { data: transform(result.data) } } : answer;
}

/** Calls in a batch, each counted on its own. */
export const MAX_BATCH_CALLS = 10;
