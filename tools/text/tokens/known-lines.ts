import { Interner } from "./intern.ts";
import { append, intAt, makeIntList } from "../int-list.ts";
import type { IntList } from "../int-list.ts";
import { commonLength, countLines } from "../diff/ranges.ts";
import type { RangePair, Texts } from "../diff/ranges.ts";

const LF = 10;
/** Lines of fewer tokens are read as fast as they are found. */
const MIN_TOKENS_OF_LINE = 8;

/** Tokens of the first text, and where in the second text the text after them ends. */
type KnownRun = { from: number; to: number; end: number };

/**
 * The lines of the first text, to find them again in the second: their tokens are copied instead of read. No token
 * crosses a line feed, so the same line has the same tokens everywhere.
 */
export class KnownLines {
  readonly #texts: Texts;
  readonly #range: RangePair;
  readonly #starts: IntList;
  readonly #lines: Interner;
  /** The first token of each line of the first text, by the line's id. */
  readonly #tokenOfLine = makeIntList();
  /** The token of the first text that follows the last run found. */
  #next = 0;

  /** `starts` are those of all tokens of the first text, which has been read up to the end of the range. */
  constructor(texts: Texts, { range, starts }: { range: RangePair; starts: IntList }) {
    this.#texts = texts;
    this.#range = range;
    this.#starts = starts;
    this.#lines = new Interner(texts, { granularity: "line", ignoreCase: false, ignoreWhitespace: "none" });
    this.#lines.side = 1;
    const lines = countLines(texts.a, range.aFrom, range.aTo);
    if (lines * MIN_TOKENS_OF_LINE <= starts.length) this.#addLines();
  }

  #addLines(): void {
    const [texts, range, starts] = [this.#texts, this.#range, this.#starts];
    this.#lines.side = 0;
    let token = 0;
    for (let at = range.aFrom, end = lineEnd(texts.a, at, range.aTo); end > 0;) {
      while (token < starts.length && intAt(starts.values, token) < at) token++;
      const isNew = this.#lines.idOf(at, end) === this.#tokenOfLine.length;
      if (isNew) append(this.#tokenOfLine, token);
      at = end;
      end = lineEnd(texts.a, at, range.aTo);
    }
    this.#lines.side = 1;
  }

  /** The whole lines from `at` on, a line's start in the second text, that stand in the first one too; or null. */
  find(at: number): KnownRun | null {
    return this.#runAt(this.#next, at) ?? this.#runAt(this.#findLine(at), at);
  }

  #findLine(at: number): number {
    if (this.#tokenOfLine.length === 0) return -1;
    const end = lineEnd(this.#texts.b, at, this.#range.bTo);
    const id = end > 0 ? this.#lines.idOf(at, end) : Infinity;
    return id < this.#tokenOfLine.length ? intAt(this.#tokenOfLine.values, id) : -1;
  }

  #runAt(token: number, at: number): KnownRun | null {
    if (token < 0 || token >= this.#starts.length) return null;
    const start = intAt(this.#starts.values, token);
    if (start > this.#range.aFrom && this.#texts.a.charCodeAt(start - 1) !== LF) return null;
    const same = commonLength(this.#texts, { ...this.#range, aFrom: start, bFrom: at });
    const end = same > 0 ? this.#texts.b.lastIndexOf("\n", at + same - 1) + 1 : 0;
    if (end <= at) return null;
    this.#next = this.#tokenFrom(start + end - at, token);
    return { from: token, to: this.#next, end };
  }

  /** The first token after `low` that starts at an offset of the first text or after it. */
  #tokenFrom(offset: number, low: number): number {
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (intAt(this.#starts.values, middle) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Where the line that starts at `at` ends; 0 when no line feed ends it. */
function lineEnd(text: string, at: number, to: number): number {
  const end = at < to ? text.indexOf("\n", at) + 1 : 0;
  return end <= to ? end : 0;
}
