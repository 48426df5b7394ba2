import { Pace } from "../body/pace.ts";

const SLICE_BYTES = 64 * 1024;

/** An answer on its way. */
export interface Sending {
  readonly stream: ReadableStream<Uint8Array>;
  /** Settles when the last byte was taken, or nobody takes any more. */
  readonly sent: Promise<void>;
}

/**
 * A stream of parts that are made only as fast as the client takes them; one that takes too little is cut off. Node,
 * Deno and Bun ask for the next slice when the one before has gone to the socket.
 */
export function sendParts(parts: Iterable<Uint8Array>): Sending {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const slices = sliced(parts);
  const pace = new Pace();
  let taken = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    slices.return(undefined);
    resolve();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => watch(controller, SLICE_BYTES),
      pull(controller) {
        clearTimeout(timer);
        const { done, value } = slices.next();
        if (done) {
          controller.close();
          return end();
        }
        controller.enqueue(value);
        watch(controller, value.length);
      },
      cancel: end,
    },
    // Without a buffer of its own it is asked only when a slice is wanted.
    { highWaterMark: 0 },
  );
  return { stream, sent };

  function watch(controller: ReadableStreamDefaultController<Uint8Array>, bytes: number): void {
    const now = performance.now();
    const isFast = pace.passed(now - taken, bytes);
    taken = now;
    if (isFast) return void (timer = setTimeout(() => watch(controller, 0), pace.patienceMs));
    controller.error(new Error("The client takes the answer too slowly"));
    end();
  }
}

function* sliced(parts: Iterable<Uint8Array>): Generator<Uint8Array, undefined> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) yield part.subarray(at, at + SLICE_BYTES);
  }
  return undefined;
}
