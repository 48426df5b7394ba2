import type { Granularity } from "../../tools/text-compare.ts";

export type Texts = { a: string; b: string };
export type WorstCase = { name: string; texts: Texts; granularity: Granularity };

const WORDS =
  "const let return function value index length result text line token import await number string if else for null".split(
    " ",
  );
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

const random = makeRandom(2026);

/** Something like source text, and a copy with four changed lines in a thousand. */
export function makeOrdinary(megabytes: number): Texts {
  const lines: string[] = [];
  for (let size = 0; size < megabytes * 2 ** 20; size += lines.at(-1)!.length + 1) lines.push(makeLine());
  const edited = lines.flatMap((line) => {
    const act = random(1000);
    if (act === 0) return [];
    if (act === 1) return [makeLine(), line];
    return act < 4 ? [`${line} // changed`] : [line];
  });
  return { a: `${lines.join("\n")}\n`, b: `${edited.join("\n")}\n` };
}

/** Texts on which Myers' algorithm alone would not end, or would run out of memory. */
export function* worstCases(): Generator<WorstCase, void, void> {
  const numbered = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${word()}`);
  const other = Array.from({ length: 20_000 }, () => word());
  yield byLine("two unrelated 20,000-line files", { a: numbered, b: other });
  yield byLine("20,000 lines reversed", { a: numbered, b: numbered.toReversed() });
  yield byLine("20,000 lines shuffled", { a: numbered, b: shuffle(numbered) });
  for (const count of [2, 20, 1000]) {
    const make = () => Array.from({ length: 200_000 }, () => `l${random(count)}`);
    yield byLine(`200,000 lines of ${count} distinct`, { a: make(), b: make() });
  }
  const bits = () => Array.from({ length: 8_700_000 }, () => `l${random(2)}`);
  yield byLine("25 MB of 2 distinct lines", { a: bits(), b: bits() });
  const numbers = () => Array.from({ length: 5_000_000 }, () => `${random(5000)}`);
  yield byLine("23 MB of 5,000 distinct lines", { a: numbers(), b: numbers() });
  const feeds = "\n".repeat(25 * 2 ** 20 - 2);
  yield { name: "25 MB of empty lines", texts: { a: `x${feeds}x`, b: `y${feeds}y` }, granularity: "line" };
  for (const megabytes of [1, 25]) {
    const texts = { a: letters(megabytes), b: letters(megabytes) };
    yield { name: `${megabytes} MB of letters by character`, texts, granularity: "character" };
  }
  const { a } = makeOrdinary(24);
  const indented = { a, b: a.replace(/^/gm, " ") };
  yield { name: "24 MB, every line indented, by word", texts: indented, granularity: "word" };
  yield { name: "24 MB, every line indented, by character", texts: indented, granularity: "character" };
}

/** So many lines, and the same in another order. */
export function shuffledLines(count: number): Texts {
  const lines = Array.from({ length: count }, (_, i) => `line ${i} ${word()}`);
  return { a: lines.join("\n"), b: shuffle(lines).join("\n") };
}

function byLine(name: string, { a, b }: { a: string[]; b: string[] }): WorstCase {
  return { name, texts: { a: `${a.join("\n")}\n`, b: `${b.join("\n")}\n` }, granularity: "line" };
}

function makeLine(): string {
  if (random(7) === 0) return `${"  ".repeat(random(4))}}`;
  const words = Array.from({ length: 1 + random(9) }, () => pick(WORDS) + (random(3) ? "" : random(1000)));
  return `${"  ".repeat(random(4))}${words.join(" ")};`;
}

function word(): string {
  return Array.from({ length: 3 + random(8) }, () => pick(LETTERS)).join("");
}

function letters(megabytes: number): string {
  return Array.from({ length: megabytes * 1024 }, () =>
    Array.from({ length: 1024 }, () => pick(LETTERS)).join(""),
  ).join("");
}

function shuffle(lines: readonly string[]): string[] {
  const shuffled = [...lines];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  return shuffled;
}

function pick(from: readonly string[]): string {
  return from[random(from.length)]!;
}

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
