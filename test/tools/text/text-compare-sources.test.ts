// slow
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Random } from "../../fuzz/random.ts";
import { testWith } from "../../machine/skips.ts";
import { sampled } from "../../support/sampled.ts";
import { applyAll, PROGRAMS } from "./support/patching.ts";
import { compareSpans, type Texts } from "./support/text-checks.ts";

// Files of this project, edited as people edit files: 300 pairs, the same in every run.
const PAIRS = 300;
const ROOT = new URL("../../../", import.meta.url);

function readSources(): string[] {
  const names = ["tools", "router", "docs", "web/words"].flatMap((room) =>
    readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: "utf8" })
      // The words are JSON, as is nothing else there that people edit.
      .filter((name) => /\.(ts|md)$|^[a-z]{2}\.json$/.test(name) && !name.startsWith("dist"))
      .map((name) => `${room}/${name}`),
  );
  return names.sort().map((name) => readFileSync(new URL(name, ROOT), "utf8"));
}

interface EditInput {
  readonly lines: string[];
  readonly sources: readonly string[];
  readonly random: Random;
}

type Edit = (editing: EditInput) => string[];

/** A block of up to 20 lines. */
function blockOf({ lines, random }: EditInput): [start: number, length: number] {
  const start = random.below(lines.length + 1);
  return [start, Math.min(1 + random.below(20), lines.length - start)];
}

const EDITS: Record<string, Edit> = {
  "a block is deleted": (editing) => editing.lines.toSpliced(...blockOf(editing)),
  "a block is moved": (editing) => {
    const [start, length] = blockOf(editing);
    const rest = editing.lines.toSpliced(start, length);
    return rest.toSpliced(
      editing.random.below(rest.length + 1),
      0,
      ...editing.lines.slice(start, start + length),
    );
  },
  "a block is indented": (editing) => {
    const [start, length] = blockOf(editing);
    return editing.lines.map((line, i) =>
      i >= start && i < start + length && line !== "" ? `  ${line}` : line,
    );
  },
  "a block of another file is put in": ({ lines, sources, random }) => {
    const other = random.pick(sources).split("\n");
    const start = random.below(other.length);
    const block = other.slice(start, start + 1 + random.below(20));
    return lines.toSpliced(random.below(lines.length + 1), 0, ...block);
  },
  "a word is renamed": ({ lines, random }) => {
    const words = lines.join(" ").match(/\p{L}{4,}/gu) ?? ["none"];
    const word = random.pick(words);
    return lines.map((line) => line.replaceAll(word, `${word}2`));
  },
  "line ends become those of Windows": ({ lines }) => lines.map((line) => `${line}\r`),
  "the last line loses its end": ({ lines }) => (lines.at(-1) === "" ? lines.slice(0, -1) : lines),
};

function makePairs(): Texts[] {
  const random = new Random(20_261_122);
  const sources = readSources();
  return Array.from({ length: PAIRS }, () => {
    const a = random.pick(sources);
    let lines = a.split("\n");
    for (let edits = 1 + random.below(6); edits > 0; edits--)
      lines = random.pick(Object.values(EDITS))({ lines, sources, random });
    const b = lines.join("\n");
    return random.oneIn(2) ? { a, b } : { a: b, b: a };
  });
}

const pairs = makePairs();

describe.each(PROGRAMS)("$name", (program) => {
  testWith(program.name).each([{}, { context: 0 }])(
    "takes the patch of every edited file with %o",
    async (options) => {
      const patched = await applyAll(program, { pairs, options });
      expect(patched.length).toBeGreaterThan(PAIRS * 0.9);
      expect(patched.filter(({ result, b }) => result !== b)).toEqual([]);
    },
  );
});

const PARTS = [
  "one",
  "two",
  "Two",
  " ",
  "  ",
  "\t",
  "\n",
  "\r\n",
  ".",
  "don't",
  "x1",
  "é",
  "漢字",
  "👩‍👧",
  "🇩🇪",
  "\ud83d",
];

/** Short texts, of which the second is an edited form of the first, or any other. */
function makeShortPairs(count: number): Texts[] {
  const random = new Random(count);
  const phrase = (most: number) => Array.from({ length: random.below(most) }, () => random.pick(PARTS));
  return Array.from({ length: count }, (_, i) => {
    const words = phrase(16);
    const edited = words.flatMap(
      (word) => [[word], [word], [word], [], [...phrase(2), word]][random.below(5)]!,
    );
    return { a: words.join(""), b: (i % 4 === 0 ? phrase(16) : edited).join("") };
  });
}

describe.each([
  ["word", 10_000],
  ["character", 2_000],
] as const)("both texts come back from every %s", (granularity, count) => {
  test(`of ${count} random pairs`, async () => {
    for (const pair of sampled(makeShortPairs(count), count / 5)) await expectBothBack(pair, granularity);
  });

  test("of edited files", async () => {
    const short = pairs.filter(({ a, b }) => a.length + b.length < 20_000);
    for (const pair of sampled(short, 60)) await expectBothBack(pair, granularity);
  });
});

async function expectBothBack({ a, b }: Texts, granularity: "word" | "character"): Promise<void> {
  const { spans } = await compareSpans({ a, b }, { granularity });
  const without = (op: "insert" | "delete") =>
    spans
      .filter((span) => span.op !== op)
      .map(({ text }) => text)
      .join("");
  if (without("insert") !== a || without("delete") !== b)
    expect({ a: without("insert"), b: without("delete") }).toEqual({ a, b });
}
