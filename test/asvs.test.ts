import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ASVS } from "./support/asvs.ts";

const DOCUMENT = new URL("../docs/project/asvs.md", import.meta.url);
const VERDICTS = ["holds", "by set-up", "left out", "not yet", "does not apply"] as const;
const LEVELS = [1, 2, 3] as const;
type Verdict = (typeof VERDICTS)[number];

const text = readFileSync(DOCUMENT, "utf8");
const levelThree = text.indexOf("\n## Level 3\n");

interface Row {
  readonly ids: readonly string[];
  readonly verdict: string;
  readonly how: string;
  readonly isLevelThree: boolean;
}

/** The rows of the tables by chapter; what level 3 adds to other levels has rows of another form. */
const rows = [...text.matchAll(/^\| (\d[\d., ]*) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)].flatMap(
  (found): Row[] => {
    const [, ids = "", , verdict = "", how = ""] = found;
    // The table of totals begins with a level.
    if (!ids.includes(".")) return [];
    return [{ ids: ids.split(", "), verdict, how, isLevelThree: found.index > levelThree }];
  },
);

test("the standard has 345 requirements", () => {
  expect(LEVELS.map((level) => ASVS[level].length)).toEqual([70, 183, 92]);
});

test("every requirement has one row, in the table of its level", () => {
  const idsOf = (isLevelThree: boolean) =>
    rows.filter((row) => row.isLevelThree === isLevelThree).flatMap(({ ids }) => ids);
  expect(idsOf(false).toSorted()).toEqual([...ASVS[1], ...ASVS[2]].toSorted());
  expect(idsOf(true).toSorted()).toEqual([...ASVS[3]].toSorted());
});

test("every row has a verdict of the legend, and says why", () => {
  const more = [...text.matchAll(/^\| [\d.]+, more \| [^|]+ \| ([^|]+) \| .+ \|$/gm)].map(
    ([, verdict]) => verdict,
  );
  expect(more.length).toBeGreaterThan(0);
  const verdicts = [...rows.map(({ verdict }) => verdict), ...more];
  expect(verdicts.filter((verdict) => !VERDICTS.some((legal) => legal === verdict))).toEqual([]);
  for (const legal of VERDICTS) expect(text).toMatch(new RegExp(`^\\| ${legal} \\| .+ \\|$`, "m"));
  expect(rows.filter(({ how }) => how.length < 8)).toEqual([]);
  // Several together only where there is nothing to say of each.
  expect(rows.filter(({ ids, verdict }) => ids.length > 1 && verdict !== "does not apply")).toEqual([]);
});

test("the totals are those of the rows", () => {
  const count = (level: 1 | 2 | 3, verdict: Verdict) =>
    rows
      .filter((row) => row.verdict === verdict)
      .flatMap(({ ids }) => ids.filter((id) => ASVS[level].includes(id))).length;
  const lines = LEVELS.map((level) => {
    const counts = VERDICTS.map((verdict) => count(level, verdict));
    return `| ${[level, ASVS[level].length, ...counts].join(" | ")} |`;
  });
  const [, totals = ""] = /^\| level \| requirements \| (.+\n(?:\|.*\n)+)/m.exec(text) ?? [];
  const [head = "", , ...found] = totals.trim().split("\n");
  expect(head).toBe(`${VERDICTS.join(" | ")} |`);
  expect(found).toEqual(lines);
});

test("what proves a row is there, and tests have the names that are given", () => {
  const links = [...text.matchAll(/\]\((\.{1,2}\/[^)#]+|[a-z]+\.md)(?:#[^)]*)?\)(?: "([^"]+)")?/g)];
  expect(links.length).toBeGreaterThan(200);
  const wrong = links.flatMap(([, path = "", title]) => {
    const file = new URL(path, DOCUMENT);
    if (!existsSync(file)) return [path];
    return title === undefined || readFileSync(file, "utf8").includes(`"${title}"`)
      ? []
      : [`${path}: ${title}`];
  });
  expect(wrong).toEqual([]);
});

test("what holds leads to where it can be seen", () => {
  const bare = rows.filter(({ verdict, how }) => verdict === "holds" && !how.includes("]("));
  expect(bare.flatMap(({ ids }) => ids)).toEqual([]);
});
