import type { Bytes } from "../../wire/bytes.ts";
import type { Io } from "./io.ts";

/** Passes pieces on and shows on a terminal, and only there, how far they have come. */
export async function* withProgress(
  { stderr }: Io,
  {
    label,
    total,
  }: {
    label: string;
    /** NaN where it is not known. */
    total: number;
  },
  pieces: AsyncIterable<Bytes>,
): AsyncGenerator<Bytes, void> {
  if (!stderr.isTerminal) return yield* pieces;
  let [done, shown] = [0, ""];
  try {
    for await (const piece of pieces) {
      const line = `${label} ${formatPart(done, total)}`;
      if (line !== shown) await stderr.write(`\r${line.padEnd(shown.length)}`);
      shown = line;
      yield piece;
      done += piece.length;
    }
  } finally {
    if (shown !== "") await stderr.write(`\r${" ".repeat(shown.length)}\r`);
  }
}

function formatPart(done: number, total: number): string {
  if (total > 0) return `${Math.floor((100 * Math.min(done, total)) / total)} %`;
  return `${Math.floor(done / 1024 / 1024)} MiB`;
}
