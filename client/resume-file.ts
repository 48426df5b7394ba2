import { ByteStream } from "../wire/byte-stream.ts";
import type { Bytes } from "../wire/bytes.ts";

/** A file as the server hands it out, from `offset` on. */
export interface ResumableFile {
  readonly offset: number;
  readonly size: number;
  readonly data: ByteStream;
}

interface Resuming {
  /** Asks for the rest of the file with the same ticket. */
  readonly reopen: (offset: number) => Promise<ResumableFile>;
  /** Called when whoever reads has taken the last byte and asked for more. */
  readonly onWhole: () => void;
  /** Before each try in a row that brings no byte. */
  readonly waitsMs: readonly number[];
  readonly signal: AbortSignal | undefined;
}

/** The same file, whose stream goes on where the connection breaks. */
export function resumeDownload<Answer extends ResumableFile>(file: Answer, resuming: Resuming): Answer {
  return { ...file, data: new ByteStream(goOn(file, resuming), file.data.length) };
}

async function* goOn(file: ResumableFile, resuming: Resuming): AsyncGenerator<Bytes, void> {
  const { reopen, onWhole, waitsMs, signal } = resuming;
  let at = file.offset;
  let tries = 0;
  for (let part: ResumableFile | undefined = file; ; part = undefined) {
    try {
      for await (const piece of (part ?? (await reopen(at))).data.pieces) {
        at += piece.length;
        tries = 0;
        yield piece;
      }
      if (at === file.size) break;
    } catch (error) {
      const wait = waitsMs[tries++];
      if (wait === undefined || signal?.aborted || isAnswer(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  onWhole();
}

/** What the server itself has refused is refused again. */
function isAnswer(error: unknown): boolean {
  return typeof error === "object" && error !== null && "data" in error && Boolean(error.data);
}
