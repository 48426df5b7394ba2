/** Where the log's lines go. */
export interface Lines {
  readonly write: (line: string) => void;
  /** Writes what has not been written yet; for the end of the process. */
  readonly flush: () => void;
}

/** A write to a pipe wakes whoever reads it, which costs a busy server more than the request before it. */
const COLLECT_MS = 50;

/** Writes together the lines of a few milliseconds. */
export function collectLines(write: (text: string) => void): Lines {
  let text = "";
  const flush = () => {
    const lines = text;
    text = "";
    if (lines !== "") write(lines);
  };
  return {
    write(line) {
      if (text === "") setTimeout(flush, COLLECT_MS);
      text += `${line}\n`;
    },
    flush,
  };
}
