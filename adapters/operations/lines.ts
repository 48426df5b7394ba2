/** Where the log's lines go. */
export interface Lines {
  readonly write: (line: string) => void;
  /** Writes what has not been written yet; for the end of the process. */
  readonly flush: () => void;
}

/** Writes together the lines of one moment: a write to a pipe costs as much as routing a request. */
export function collectLines(write: (text: string) => void): Lines {
  let text = "";
  const flush = () => {
    const lines = text;
    text = "";
    if (lines !== "") write(lines);
  };
  return {
    write(line) {
      if (text === "") setImmediate(flush);
      text += `${line}\n`;
    },
    flush,
  };
}
