import { expect, test } from "vitest";
import { compareTexts, type SpanComparison } from "../../../tools/text-compare.ts";

async function changesOf(a: string, b: string) {
  const options = { ignoreCase: false, ignoreWhitespace: "none", format: "json" } as const;
  // By word, and so as spans.
  const made = (await compareTexts({ a, b }, { ...options, granularity: "word" })) as SpanComparison;
  const side = (op: "delete" | "insert") =>
    made.spans.flatMap((span) => (span.op === "equal" || span.op === op ? [span.text] : [])).join("");
  expect([side("delete"), side("insert")]).toEqual([a, b]);
  return made.spans.flatMap(({ op, text }) => (op === "equal" ? [] : [`${op} ${text}`]));
}

test.each([
  ["Japanese", "東京都に住んでいる。", "東京都で働いている。", ["東京"]],
  ["Chinese", "我们昨天去了北京大学。", "我们今天去了北京大学。", ["delete 昨天", "insert 今天"]],
  ["Thai", "ฉันไปโรงเรียนทุกวัน", "ฉันไปโรงพยาบาลทุกวัน", ["delete โรงเรียน", "insert โรงพยาบาล"]],
  [
    "Japanese among others",
    "set パスワード now",
    "set ユーザー now",
    ["delete パスワード", "insert ユーザー"],
  ],
])("a changed word of %s is one change", async (language, a, b, expected) => {
  const changes = await changesOf(a, b);
  if (language === "Japanese") expect(changes.join()).not.toContain(expected[0]);
  else expect(changes).toEqual(expected);
});

test("a run without end, and one that is read in two parts, are compared whole", async () => {
  const long = "東京都に住んでいる人々".repeat(1000);
  expect(await changesOf(`${long}京都`, `${long}大阪`)).toHaveLength(2);
  expect((await changesOf(`京都${long}`, `大阪${long}`)).length).toBeGreaterThan(0);
});

test("in very long texts each character is a word", async () => {
  const long = "あ\n".repeat(500_001);
  expect(await changesOf(`${long}昨天`, `${long}今天`)).toEqual(["delete 昨", "insert 今"]);
});
