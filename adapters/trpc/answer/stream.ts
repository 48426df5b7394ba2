import { ByteStream } from "../../../wire/byte-pieces.ts";
import { type Bytes, freeBytes } from "../../../wire/bytes.ts";
import { loopTurn, Pace } from "../body/pace.ts";
import { CallError } from "../../../wire/call-error.ts";

const SLICE_BYTES = 64 * 1024;
/**
 * A socket's send buffer of 4 MB empties in steps: for a client that takes 40 KiB/s, the kernel reports every 33 s, and
 * nothing in between.
 */
const SENDING_WINDOW_MS = 120_000;

/** A stream of the platform. It is cancelled when nobody reads it any more, also while its next piece is awaited. */
export class StreamPart extends ByteStream {
  readonly cancel: () => Promise<void>;

  constructor(stream: ReadableStream<Bytes>, length?: number) {
    const reader = stream.getReader();
    super(piecesFrom(reader), length);
    this.cancel = () => reader.cancel();
  }
}

async function* piecesFrom(reader: ReadableStreamDefaultReader<Bytes>): AsyncGenerator<Bytes, void> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** A part of an answer: existing bytes, or bytes that are made while it is sent. */
export type AnswerPart = Uint8Array | ByteStream;

/** The parts of an answer; some may be known only after others have left. */
export type AnswerParts = Iterable<AnswerPart> | AsyncIterable<AnswerPart>;

/**
 * A stream of parts that are made only as fast as the client takes them; a client that takes too little is cut off.
 * Node, Deno and Bun ask for the next slice when the previous one has gone to the socket. `hasLeft` tells whether all
 * that was taken has left the process; `sent` resolves when it has, or nobody takes any more.
 */
export function sendParts(
  parts: AnswerParts,
  { hasLeft = () => false }: { hasLeft?: () => boolean } = {},
): { stream: ReadableStream<Uint8Array>; sent: Promise<void> } {
  let resolve = () => {};
  const sent = new Promise<void>((done) => (resolve = done));
  const slices = sliced(parts, hasLeft, endWith);
  let opened: ReadableStreamDefaultController<Uint8Array> | undefined;
  const pace = new Pace(SENDING_WINDOW_MS);
  let waitsSince = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = async () => {
    clearTimeout(timer);
    resolve();
    // Slices end only once the next one has come, and streams may not have been begun.
    for (const part of Array.isArray(parts) ? parts : [])
      if (part instanceof StreamPart) part.cancel().catch(() => undefined);
    await slices.return(undefined);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        opened = controller;
        watch(controller, SLICE_BYTES);
      },
      async pull(controller) {
        clearTimeout(timer);
        const waitedMs = performance.now() - waitsSince;
        // Only waiting for the client counts, not for what makes the next slice.
        const { done, value } = await slices.next().catch(fail);
        if (done) {
          controller.close();
          return end();
        }
        await loopTurn(value.length);
        controller.enqueue(value);
        waitsSince = performance.now() - waitedMs;
        watch(controller, value.length);
      },
      cancel: end,
    },
    // Without a buffer, the stream asks only when a slice is wanted.
    { highWaterMark: 0 },
  );
  return { stream, sent };

  function watch(controller: ReadableStreamDefaultController<Uint8Array>, bytes = 0): void {
    const now = performance.now();
    const isFast = pace.passed(now - waitsSince, bytes);
    waitsSince = now;
    if (isFast) return void (timer = setTimeout(() => watch(controller), pace.patienceMs));
    controller.error(new Error("The client takes the answer too slowly"));
    void end();
  }

  function endWith(signal: AbortSignal): void {
    const cut = () => {
      opened?.error(new Error("Somebody else reads on with this ticket"));
      void end();
    };
    if (signal.aborted) cut();
    signal.addEventListener("abort", cut, { once: true });
    void sent.then(() => signal.removeEventListener("abort", cut));
  }

  async function fail(error: unknown): Promise<never> {
    await end();
    throw error;
  }
}

async function* sliced(
  parts: AnswerParts,
  hasLeft: () => boolean,
  onSignal: (signal: AbortSignal) => void,
): AsyncGenerator<Uint8Array, undefined> {
  for await (const part of parts) {
    if (part instanceof ByteStream) {
      if (part.signal) onSignal(part.signal);
      yield* piecesOf(part, hasLeft);
    } else for (let at = 0; at < part.length; at += SLICE_BYTES) yield part.subarray(at, at + SLICE_BYTES);
  }
  return undefined;
}

// The pieces were made for this answer alone. An unfinished write to the socket still reads the last one.
async function* piecesOf({ pieces }: ByteStream, hasLeft: () => boolean): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    yield piece;
    if (hasLeft()) freeBytes(piece);
  }
}

/** How many event streams are open, and how many may be. */
export interface Streams {
  open: number;
  readonly max: number;
}

/** Counts an event stream until the returned function is called. @throws CallError overloaded */
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

/** Passes a stream on, and calls `onEnd` when it has ended or its reader has left. */
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
