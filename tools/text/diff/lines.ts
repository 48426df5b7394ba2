import { listChanges } from "./changes.ts";
import { countLines, findMiddle } from "./ranges.ts";
import { append, usedPart } from "../int-list.ts";
import { readTokens } from "../tokens/tokenize.ts";
import { findApproximate, findShortest, MAX_STEPS } from "./edit-script.ts";
import { scoreLineBorder } from "./indent-heuristic.ts";
import { slideChanges } from "./slide.ts";
import { lineEnd } from "../tokens/tokens.ts";
import { flagBlankChanges } from "./blank-changes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { RangeList } from "./range-list.ts";
import type { IntList } from "../int-list.ts";
import type { RangePair, Texts } from "./ranges.ts";
import type { TokenRules } from "../tokens/tokens.ts";

/** Two texts compared line by line. */
export type LineScript = {
  /** Changed lines, counted from zero at the start of the middle. */
  changes: RangeList;
  /** What was compared; before and after it the texts are the same, byte for byte. */
  middle: RangePair;
  /** Where each line of the middle starts, and last where the middle ends. */
  aStarts: Int32Array;
  bStarts: Int32Array;
  linesBefore: number;
  linesAfter: number;
  minimal: boolean;
  /** 1 for each change of blank lines only, if these are ignored. */
  ignorable: Uint8Array | null;
};

// Texts of 25 MB cannot have more; with more, the lists of lines would take gigabytes.
const MAX_LINES = 60_000_000;

/** Compares the bodies of two texts by line. @throws ToolFailure too_complex past 60 million lines. */
export function compareLines(
  texts: Texts,
  of: { body: RangePair; rules: TokenRules; ignoreBlankLines: boolean },
): LineScript {
  const { rules } = of;
  const middle = findMiddle(texts, of.body);
  const options = { ranges: [middle], rules, tokenEnd: lineEnd, limit: MAX_LINES };
  const streams = readTokens(texts, options);
  if (streams.isCut) {
    const message = `The texts have more than ${MAX_LINES} lines where they differ; fewer can be compared.`;
    throw new ToolFailure("too_complex", message, { limit: "lines", value: MAX_LINES, unit: "lines" });
  }
  const flags = findShortest(streams) ?? findApproximate(streams, { anchored: true, steps: MAX_STEPS });
  // All tokens are of the one range.
  const box = { aFrom: 0, aTo: streams.a.ids.length, bFrom: 0, bTo: streams.b.ids.length };
  const changes = listChanges(flags, box);
  const sides = { a: { text: texts.a, tokens: streams.a }, b: { text: texts.b, tokens: streams.b } };
  slideChanges(changes, { ...sides, box, scoreBorder: scoreLineBorder });
  const ignorable = of.ignoreBlankLines
    ? flagBlankChanges(changes, { ...sides, ignoreWhitespace: rules.ignoreWhitespace })
    : null;
  return {
    changes,
    ignorable,
    middle,
    aStarts: closeStarts(streams.a.starts, middle.aTo),
    bStarts: closeStarts(streams.b.starts, middle.bTo),
    linesBefore: countLines(texts.a, { from: of.body.aFrom, to: middle.aFrom }),
    linesAfter: countLines(texts.a, { from: middle.aTo, to: of.body.aTo }),
    minimal: flags.isExact,
  };
}

function closeStarts(starts: IntList, end: number): Int32Array {
  append(starts, end);
  return usedPart(starts);
}
