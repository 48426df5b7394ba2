import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  generateFromList,
  generatePasswords,
  loadWordList,
  WORD_LISTS,
  type WordListName,
} from "../../../tools/password.ts";

/** Sorted, a line each, in the files that Debian's diceware 0.10 installs and in BIP 39, without accents. */
const SOURCES: readonly [name: WordListName, size: number, sha256: string][] = [
  ["large", 7776, "6d557f0693958fb5e650b68b5bee585eb82cf4da32965505c789e924743bc522"],
  ["german", 7776, "dc384a9c07454a2708eab76bb27b84d1f41a735493e454ef0b884efd1e90364f"],
  ["french", 2048, "cf8db448ad5ca0b68c3c8f88b51458f20362a5939fef236fac64a303f1485e87"],
  ["spanish", 2048, "ecaeffaa0d3a1f5d1752bf06e9bce345277de195141147d35e49821f7c834236"],
];

describe("a list of words", () => {
  test.each(SOURCES)("%s is that of its source", async (name, size, sha256) => {
    const { words } = await loadWordList(name);
    expect([words.length, new Set(words).size]).toEqual([size, size]);
    const text = words.toSorted().map((word) => `${word}\n`);
    expect(createHash("sha256").update(text.join("")).digest("hex")).toBe(sha256);
  });

  test.each(WORD_LISTS)(
    "%s has words that any keyboard has, and says whether one begins another",
    async (name) => {
      const { words, isPrefixFree } = await loadWordList(name);
      expect(words.filter((word) => !/^[a-z]+(-[a-z]+)?$/.test(word))).toEqual([]);
      const sorted = words.toSorted();
      const begins = sorted.some((word, i) => sorted[i + 1]?.startsWith(word));
      expect(isPrefixFree).toBe(!begins);
    },
  );
});

describe("a passphrase of a list", () => {
  // By bc: words * l(size) / l(2), cut after two decimals.
  test.each([
    [{}, 5, "large", 64.62],
    [{ list: "german" }, 5, "german", 64.62],
    [{ list: "french" }, 6, "french", 66],
    [{ list: "spanish" }, 6, "spanish", 66],
    [{ list: "short" }, 8, "short", 72],
    [{ words: 7 }, 7, "large", 90.47],
    [{ minEntropy: 100 }, 8, "large", 103.39],
    [{ list: "french", digit: true }, 6, "french", 71.9],
  ] as const)("of %j has %i words of %s and %d bits", async (options, words, list, entropyBits) => {
    const answer = await generateFromList({ mode: "passphrase", separator: "_", ...options });
    expect(answer).toMatchObject({ mode: "passphrase", words, list, entropyBits });
    expect(answer.ignored).toBeUndefined();
    const known = new Set((await loadWordList(list)).words);
    const used = answer.passwords[0]!.replace(/\d/, "").split("_");
    expect(used.filter((word) => !known.has(word))).toEqual([]);
  });

  test("mode words has the short one unless another is named", async () => {
    expect(await generateFromList({ mode: "words" })).toMatchObject({
      words: 5,
      listSize: 512,
      entropyBits: 45,
    });
    expect(await generateFromList({ mode: "words", list: "large" })).toMatchObject({
      words: 5,
      listSize: 7776,
    });
  });

  test("is refused where two draws could give one: words that begin others, with nothing between", async () => {
    const wrong = { code: "invalid_parameter", fields: { parameter: "separator" } };
    for (const separator of ["", "x"])
      await expect(
        generateFromList({ mode: "passphrase", list: "spanish", separator }),
      ).rejects.toMatchObject(wrong);
    for (const options of [
      { list: "spanish", separator: "", capitalize: true },
      { list: "large", separator: "" },
    ] as const)
      expect((await generateFromList({ mode: "passphrase", ...options })).passwords).toHaveLength(1);
  });
});

describe("options of another mode", () => {
  test.each([
    [{ mode: "words", length: 9, symbols: true }, ["length", "symbols"]],
    [{ mode: "characters", words: 3, capitalize: true, list: "large" }, ["words", "capitalize", "list"]],
    [{ mode: "pattern", pattern: "d", minEntropy: 20, separator: "+" }, ["minEntropy", "separator"]],
    [{ mode: "characters", separator: "-", digit: false }, undefined],
  ] as const)("of %j are told: %j", async (options, ignored) => {
    const answer = await generateFromList(options);
    expect(answer.ignored?.toSorted()).toEqual(ignored?.toSorted());
  });
});

describe("a pattern", () => {
  test.each([
    ["d{6}", /^\d{6}$/, 19.93],
    ["H{4}-H{4}", /^[0-9A-F]{4}-[0-9A-F]{4}$/, 32],
    ["ul{3}\\d\\\\s", /^[A-Z][a-z]{3}d\\[!-/:-@[-`{-~]$/, 23.8],
    ["[dh]{2}", /^[0-9a-f]{2}$/, 8],
    ["CvCv.", /^[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z][aeiou][b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z][aeiou]\.$/, 15.42],
    ["\\{é\\}", /^\{é\}$/, 0],
  ])("%s makes what it says", (pattern, expected, entropyBits) => {
    const answer = generatePasswords({ mode: "pattern", pattern, count: 50 });
    expect(answer.passwords.filter((password) => !expected.test(password))).toEqual([]);
    expect(answer).toMatchObject({ mode: "pattern", count: 50, entropyBits });
  });

  test("each of its characters is drawn", () => {
    const { passwords } = generatePasswords({ mode: "pattern", pattern: "d", count: 1000 });
    expect(new Set(passwords).size).toBe(10);
  });

  test.each([
    ["d{", "a number from 1 and a } behind the { at 2"],
    ["d{0}", "a number from 1 and a } behind the { at 2"],
    ["{3}", "a \\ before the { at 1"],
    ["d}", "a \\ before the } at 2"],
    ["ab]", "a \\ before the ] at 3"],
    ["[d", "letters and a ] behind the [ at 1"],
    ["[]", "letters and a ] behind the [ at 1"],
    ["[d!]", "only its letters in the [] at 1"],
    ["d\\", "a character behind the \\ at 2"],
    ["d{1000}d{25}", "at most 1024 characters"],
    ["", "1 to 256 characters"],
    ["d".repeat(257), "1 to 256 characters"],
  ])("%s is refused with the place", (pattern, what) => {
    expect(() => generatePasswords({ mode: "pattern", pattern })).toThrow(what);
  });

  test("is needed in its mode", () => {
    expect(() => generatePasswords({ mode: "pattern" })).toThrow('"pattern" is missing');
  });
});

describe("classes that are required", () => {
  const classes = { uppercase: true, digits: true, symbols: true, requireAll: true } as const;

  test("are in every password, and the entropy is what is left", () => {
    const { passwords, entropyBits } = generatePasswords({ ...classes, length: 4, count: 1000 });
    for (const each of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/])
      expect(passwords.filter((password) => !each.test(password))).toEqual([]);
    // Four places in any order: log2(4! * 26 * 26 * 10 * 32), cut.
    expect(entropyBits).toBe(22.3);
    expect(generatePasswords({ ...classes, length: 20 }).entropyBits).toBe(130.92);
    expect(generatePasswords({ ...classes, minEntropy: 20 })).toMatchObject({ length: 4 });
  });

  test("need room", () => {
    expect(() => generatePasswords({ ...classes, length: 3 })).toThrow('"length" must be at least 4');
  });
});

describe("symbols of one's own", () => {
  test("are the only ones, each as likely as a letter", () => {
    const answer = generatePasswords({
      symbolSet: "!!#",
      uppercase: false,
      digits: false,
      length: 1024,
      count: 5,
    });
    expect(answer).toMatchObject({ alphabetSize: 28 });
    expect(new Set(answer.passwords.join("").replace(/[a-z]/g, ""))).toEqual(new Set("!#"));
  });

  test.each(["", "é", "a", " "])("%j is refused", (symbolSet) => {
    expect(() => generatePasswords({ symbolSet })).toThrow('"symbolSet" must be some of');
  });
});
