import type { Operation, TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../router/app.ts";
import { ByteStream } from "../wire/byte-pieces.ts";
import type { Bytes } from "../wire/bytes.ts";
import { isErrorBody } from "./rest.ts";
import { isFinal, resumeFile } from "./resume-file.ts";
import { isObject } from "./file-body.ts";

const FILE = "secrets.openFile";
/** Procedures whose result can be read once, and again with the same ticket; and the call that confirms it. */
export const RECEIVED: Readonly<Record<string, string>> = {
  "secrets.reveal": "secrets.received",
  [FILE]: "secrets.received",
  "requests.collect": "requests.received",
};
const TICKET_LENGTH = 32;
/** Divides what a byte can hold, so that each digit is as likely as the others. */
const TICKET_BASE = 32;

/** A file as the server returns it, from `offset` on. */
interface FileAnswer {
  readonly offset: number;
  readonly size: number;
  readonly data: ByteStream;
}

/**
 * Reads such results with a ticket, continues a file that was cut off, and confirms that it was received. A caller that
 * sends its own ticket confirms by itself.
 */
export const deliveryLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const received = RECEIVED[op.path];
    if (received === undefined || !isObject(op.input)) return next(op);
    const isOwn = op.input.ticket !== undefined;
    const input = isOwn ? op.input : { ...op.input, ticket: makeTicket() };
    return observable((observer) => {
      const running = next({ ...op, input }).subscribe({
        next: (answer) => {
          const whole = isOwn ? () => {} : confirm;
          if (op.path === FILE && answer.result.type === "data")
            return observer.next(asResumed(answer, whole));
          observer.next(answer);
          whole();
        },
        complete: () => observer.complete(),
        error: (error) => observer.error(error),
      });
      return () => running.unsubscribe();

      type Answer = Parameters<typeof observer.next>[0];
      function asResumed(answer: Answer, onWhole: () => void): Answer {
        // The result of this procedure; links have no types of single procedures.
        const { data: file } = answer.result as { data: FileAnswer };
        const data = new ByteStream(
          cancelWhenUnread(resumed(file, onWhole), file.data.pieces),
          file.data.length,
        );
        return { ...answer, result: { type: "data", data: { ...file, data } } };
      }

      async function* resumed({ offset: at, size, data: { pieces } }: FileAnswer, onWhole: () => void) {
        const isLost = (error: unknown) => !op.signal?.aborted && !isRefused(error);
        yield* resumeFile({ pieces, at, size }, { reopen, isLost, signal: op.signal });
        onWhole();
      }

      function reopen(offset: number): Promise<AsyncIterable<Bytes>> {
        return new Promise((resolve, reject) => {
          next({ ...op, input: { ...input, offset } }).subscribe({
            next: ({ result }) => resolve((result as { data: FileAnswer }).data.data.pieces),
            error: reject,
          });
        });
      }

      // Nothing depends on its arrival: what was read is deleted after ten minutes anyway.
      function confirm() {
        const { passphrase: _, offset: __, ...proof } = input;
        const call: Operation = { ...op, path: received ?? "", input: proof, signal: null };
        next(call).subscribe({});
      }
    });
  };

/**
 * An async generator that is ended before it was read never runs, so what it reads from would go on: here the download,
 * which the server counts until it is over.
 */
function cancelWhenUnread(
  pieces: AsyncGenerator<Bytes, void>,
  source: AsyncIterable<Bytes>,
): AsyncIterable<Bytes> {
  const end = async () => {
    for await (const _ of source) break;
    return pieces.return();
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => pieces.next(), return: end }) };
}

/** Whether the server itself refused, and would refuse again. */
function isRefused(error: unknown): boolean {
  return isObject(error) && isErrorBody(error.data) && isFinal(error.data.status);
}

/** 160 random bits, which are also characters of base62. */
function makeTicket(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TICKET_LENGTH));
  return Array.from(bytes, (byte) => (byte % TICKET_BASE).toString(TICKET_BASE)).join("");
}

/**
 * Gives each changing call at these paths an idempotency key; the same input, repeated after its answer was lost, has
 * the same key.
 */
export function keyLink(paths: RegExp): TRPCLink<AppRouter> {
  return () => {
    let lost: { readonly call: string; readonly idempotencyKey: string } | undefined;
    return ({ op, next }) => {
      if (op.type !== "mutation" || !paths.test(op.path)) return next(op);
      const call = JSON.stringify([op.path, op.input]);
      const idempotencyKey = lost?.call === call ? lost.idempotencyKey : makeTicket();
      return observable((observer) =>
        next({ ...op, context: { ...op.context, idempotencyKey } }).subscribe({
          next: (answer) => observer.next(answer),
          complete: () => observer.complete(),
          error: (error) => {
            lost = error.data ? undefined : { call, idempotencyKey };
            observer.error(error);
          },
        }),
      );
    };
  };
}
