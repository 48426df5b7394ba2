import { characterEnd, isSpaceless, type Source } from "./characters.ts";

/** Dictionaries take a thousand times as long as a look at a letter; longer texts have single characters for words. */
const MAX_LENGTH = 1_000_000;
/** A run without end is looked at in parts. */
const MAX_RUN = 4096;

/** Whether words of scripts without spaces are looked up for texts of this length together. */
export function usesDictionary({ a, b }: { a: string; b: string }): boolean {
  return a.length + b.length <= MAX_LENGTH && "Segmenter" in Intl;
}

interface Run {
  readonly text: string;
  readonly ends: readonly number[];
  /** The first end that has not been asked for. */
  next: number;
}

/**
 * Finds the ends of words in Chinese, Japanese, Thai and other scripts without spaces by the dictionaries of the runtime
 * (UAX #29, `Intl.Segmenter`). Tokens are asked for in order, so one run is remembered at a time.
 */
export function makeDictionary(): (source: Source, start: number) => number {
  // Not of the reader's language, so that everybody has the same words.
  const segmenter = new Intl.Segmenter("und", { granularity: "word" });
  let run: Run | undefined;
  return (source, start) => {
    if (!isSpaceless(source.text, start)) return 0;
    if (run?.text !== source.text || !isWithin(run, start)) run = readRun(source, { start, segmenter });
    while ((run.ends[run.next] ?? start + 1) <= start) run.next++;
    return run.ends[run.next] ?? characterEnd(source.text, start);
  };
}

function isWithin({ ends, next }: Run, start: number): boolean {
  const isKnown = start === ends[next - 1] || start === ends[next];
  return isKnown && start < (ends.at(-1) ?? 0);
}

function readRun(
  { text, end }: Source,
  { start, segmenter }: { start: number; segmenter: Intl.Segmenter },
): Run {
  let to = start;
  while (to < end && to - start < MAX_RUN && isSpaceless(text, to)) to = characterEnd(text, to);
  const ends: number[] = [start];
  for (const { index, segment } of segmenter.segment(text.slice(start, to)))
    ends.push(start + index + segment.length);
  return { text, ends, next: 1 };
}
