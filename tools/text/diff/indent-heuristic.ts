import type { BorderScore, Side } from "./slide.ts";

// The constants of git's indent heuristic (xdiff/xdiffi.c), found by training on hand-optimised diffs.
const MAX_INDENT = 200;
const MAX_BLANKS = 20;
const START_OF_FILE = 1;
const END_OF_FILE = 21;
const TOTAL_BLANKS = -30;
const BLANKS_AFTER = 6;
const INDENT = { plain: -4, withBlanks: 10 };
const OUTDENT = { plain: 24, withBlanks: 17 };
const DEDENT = { plain: 23, withBlanks: 17 };
const TAB_WIDTH = 8;

/** Scores a border of a change before line `index` as git's indent heuristic does. */
export function scoreLineBorder(side: Side, index: number): BorderScore {
  const indentHere = indentAt(side, index);
  const before = nextIndent(side, { index: index - 1, step: -1 });
  const after = nextIndent(side, { index: index + 1, step: 1 });
  const blanksAfter = indentHere === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  const indent = indentHere === -1 ? after.indent : indentHere;
  let penalty = TOTAL_BLANKS * blanks + BLANKS_AFTER * blanksAfter;
  if (before.indent === -1 && before.blanks === 0) penalty += START_OF_FILE;
  if (index >= side.tokens.ids.length) penalty += END_OF_FILE;
  if (indent !== -1 && before.indent !== -1 && indent !== before.indent) {
    const kind = indent > before.indent ? INDENT : after.indent > indent ? OUTDENT : DEDENT;
    penalty += blanks > 0 ? kind.withBlanks : kind.plain;
  }
  return { indent, penalty };
}

/** The indent of the nearest line that is not blank, and the blank lines before it. */
function nextIndent(side: Side, { index, step }: { index: number; step: 1 | -1 }) {
  const end = side.tokens.ids.length;
  let blanks = 0;
  for (let at = index; at >= 0 && at < end; at += step) {
    const indent = indentAt(side, at);
    if (indent !== -1) return { indent, blanks };
    if (++blanks === MAX_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** The indentation of a line in columns; −1 for a blank line or none. */
function indentAt({ text, tokens }: Side, index: number): number {
  if (index >= tokens.ids.length) return -1;
  const start = tokens.starts.values[index] ?? text.length;
  let width = 0;
  for (let at = start; at < text.length && width < MAX_INDENT; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 9) width += TAB_WIDTH - (width % TAB_WIDTH);
    else if (unit === 32) width++;
    else if (unit === 10) return -1;
    else if (unit < 9 || unit > 13) return width;
  }
  return width < MAX_INDENT ? -1 : MAX_INDENT;
}
