import { CallError } from "../../wire/call-error.ts";

/** Streams of events that are open, and how many may be. */
export interface Streams {
  open: number;
  readonly max: number;
}

/** Counts a stream of events until what this answers is called. @throws CallError overloaded */
export function openStream({ streams }: { readonly streams?: Streams | undefined }): () => void {
  if (!streams) return () => {};
  if (streams.open >= streams.max)
    throw new CallError("overloaded", `At most ${streams.max} streams may be open; try again later`, {
      maximum: streams.max,
    });
  streams.open += 1;
  let isOpen = true;
  return () => {
    if (isOpen) streams.open -= 1;
    isOpen = false;
  };
}

/** The same stream, with a word when it has ended or nobody reads it any more. */
export function watched(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          onEnd();
        } catch (error) {
          onEnd();
          throw error;
        }
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
