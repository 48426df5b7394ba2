import { intAt } from "../int-list.ts";
import { unitFlags, WORD } from "../tokens/characters.ts";
import type { BorderScore, Side } from "./slide.ts";

const LF = 10;
const SPACE = 32;
const SENTENCE_END = new Set([..."!.?…。！？"].map((character) => character.charCodeAt(0)));

/**
 * Scores a border of a change between two tokens of words or characters, as diff-match-patch's lossless clean-up
 * does: best after a line break, then after a sentence, after a blank, at a word's edge.
 */
export function scoreTextBorder({ text, tokens }: Side, index: number): BorderScore {
  const at = index < tokens.ids.length ? intAt(tokens.starts.values, index) : text.length;
  return { indent: 0, penalty: -borderRank(text, at) };
}

function borderRank(text: string, at: number): number {
  if (at === 0 || at === text.length) return 5;
  const before = text.charCodeAt(at - 1);
  if (before === LF) return 5;
  if (before <= SPACE) return SENTENCE_END.has(text.charCodeAt(at - 2)) ? 4 : 3;
  const isEdge = (unitFlags(before) & WORD) === 0 || (unitFlags(text.charCodeAt(at)) & WORD) === 0;
  return isEdge ? 1 : 0;
}
