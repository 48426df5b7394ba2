import { describe, expect, test } from "vitest";
import { generatePasswords, PASSWORD_LIMITS, type PasswordOptions } from "../../../tools/password.ts";
import WORDS from "../../../tools/passwords/short-list.json" with { type: "json" };

const PUNCTUATION = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((c) =>
  /\W|_/.test(c),
);

describe("passwords of characters", () => {
  test("are one of twenty letters and digits unless more is said", () => {
    const answer = generatePasswords();
    expect(answer).toEqual({
      mode: "characters",
      length: 20,
      count: 1,
      alphabetSize: 62,
      entropyBits: 119.08,
      passwords: [expect.stringMatching(/^[A-Za-z0-9]{20}$/)],
    });
  });

  // Entropy by bc: length * l(size) / l(2), cut after two decimals.
  test.each([
    [{ uppercase: false, digits: false, symbols: false }, 26, 94.0, /^[a-z]+$/],
    [{ uppercase: true, digits: false, symbols: false }, 52, 114.0, /^[A-Za-z]+$/],
    [{ uppercase: false, digits: true, symbols: false }, 36, 103.39, /^[a-z0-9]+$/],
    [{ uppercase: false, digits: false, symbols: true }, 58, 117.15, /^[a-z!-/:-@[-`{-~]+$/],
    [{ uppercase: true, digits: true, symbols: true }, 94, 131.09, /^[!-~]+$/],
  ])("with %j are drawn from %i signs and say %d bits", (classes, alphabetSize, entropyBits, pattern) => {
    const answer = generatePasswords({ ...classes, count: 1000 });
    expect(answer).toMatchObject({ alphabetSize, entropyBits });
    expect(new Set(answer.passwords.join("")).size).toBe(alphabetSize);
    for (const password of answer.passwords) expect(password).toMatch(pattern);
  });

  test("have all 32 signs of ASCII punctuation as symbols", () => {
    expect(PUNCTUATION).toHaveLength(32);
    const drawn = new Set(generatePasswords({ symbols: true, length: 1024, count: 20 }).passwords.join(""));
    expect(PUNCTUATION.filter((sign) => !drawn.has(sign))).toEqual([]);
  });

  test("all differ", () => {
    expect(new Set(generatePasswords({ count: 1000 }).passwords).size).toBe(1000);
  });
});

describe("passphrases", () => {
  test("are five words and dashes unless more is said", () => {
    const answer = generatePasswords({ mode: "words" });
    expect(answer).toEqual({
      mode: "words",
      words: 5,
      separator: "-",
      count: 1,
      listSize: 512,
      entropyBits: 45,
      passwords: [expect.stringMatching(/^([a-z]{4,7}-){4}[a-z]{4,7}$/)],
    });
    for (const word of answer.passwords[0]!.split("-")) expect(WORDS).toContain(word);
  });

  test.each(["", " ", "a", ".", "🔑é", "-".repeat(16), "🔑".repeat(16)])(
    "may be joined by %j",
    (separator) => {
      const answer = generatePasswords({ mode: "words", words: 3, separator, random: counter() });
      expect(answer.passwords).toEqual([
        [WORDS[1], WORDS[2 * 256 + 3 - 512], WORDS[4 * 256 + 5 - 1024]].join(separator),
      ]);
    },
  );

  test("can be read back without a separator, so that none has two ways to arise", () => {
    const word = new Map(WORDS.map((name) => [name.slice(0, 4), name]));
    for (const passphrase of generatePasswords({ mode: "words", separator: "", count: 200 }).passwords) {
      let rest = passphrase;
      let words = 0;
      for (; rest !== ""; words++) rest = rest.slice(word.get(rest.slice(0, 4))!.length);
      expect(words).toBe(5);
    }
  });
});

describe("ambiguous characters", () => {
  test("are left out of the alphabet, and the bits are those of what is left", () => {
    const answer = generatePasswords({ excludeAmbiguous: true, symbols: true, length: 64, count: 500 });
    // 89 characters, by bc.
    expect(answer).toMatchObject({ alphabetSize: 89, entropyBits: 414.44 });
    expect(answer.passwords.join("")).not.toMatch(/[0O1lI]/);
    expect(new Set(answer.passwords.join("")).size).toBe(89);
  });

  test("are left out of the digit of a passphrase", () => {
    const options = { mode: "words", digit: true, excludeAmbiguous: true, count: 1000 } as const;
    const digits = generatePasswords(options).passwords.join("").replace(/\D/g, "");
    expect([...new Set(digits)].toSorted().join("")).toBe("23456789");
  });
});

describe("passphrases for forms that ask for more", () => {
  test("begin each word with a capital, which adds no bit", () => {
    const answer = generatePasswords({ mode: "words", capitalize: true });
    expect(answer.entropyBits).toBe(45);
    expect(answer.passwords[0]).toMatch(/^([A-Z][a-z]{3,6}-){4}[A-Z][a-z]{3,6}$/);
  });

  test("have one digit after any word, which adds the bits of digit and place", () => {
    const answer = generatePasswords({ mode: "words", digit: true, count: 1000 });
    // 45 + l(50) / l(2), by bc.
    expect(answer.entropyBits).toBe(50.64);
    const places = answer.passwords.map((phrase) => {
      expect(phrase).toMatch(/^[a-z]+\d?(-[a-z]+\d?){4}$/);
      expect(phrase.match(/\d/g)).toHaveLength(1);
      return phrase.split("-").findIndex((word) => /\d/.test(word));
    });
    expect([...new Set(places)].toSorted()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("a least entropy", () => {
  // Lengths by bc: bits / (l(size) / l(2)), rounded up.
  test.each<[PasswordOptions, object]>([
    [{ minEntropy: 20 }, { length: 4, entropyBits: 23.81 }],
    [{ minEntropy: 128 }, { length: 22, entropyBits: 130.99 }],
    [{ minEntropy: 1024, uppercase: false, digits: false }, { length: 218 }],
    [
      { minEntropy: 45, mode: "words" },
      { words: 5, entropyBits: 45 },
    ],
    [
      { minEntropy: 46, mode: "words" },
      { words: 6, entropyBits: 54 },
    ],
    [
      { minEntropy: 50, mode: "words", digit: true },
      { words: 5, entropyBits: 50.64 },
    ],
    [
      { minEntropy: 1024, mode: "words" },
      { words: 114, entropyBits: 1026 },
    ],
  ])("of %j takes %j", (options, expected) => {
    const answer = generatePasswords(options);
    expect(answer).toMatchObject(expected);
    expect(answer.entropyBits).toBeGreaterThanOrEqual(options.minEntropy!);
  });

  test.each([{ length: 20 }, { words: 5 }, { length: 20, words: 5 }])("is refused beside %j", (numbers) => {
    expect(() => generatePasswords({ minEntropy: 64, ...numbers })).toThrow(
      expect.objectContaining({ code: "invalid_parameter", fields: { parameter: "minEntropy" } }),
    );
  });

  test.each([19, 1025, 20.5, NaN])("of %d bits is refused", (minEntropy) => {
    expect(() => generatePasswords({ minEntropy })).toThrow(
      expect.objectContaining({ fields: { parameter: "minEntropy", minimum: 20, maximum: 1024 } }),
    );
  });
});

describe("the draw", () => {
  // 256 - 256 mod n, for the sizes that the classes make.
  test.each([
    [{ uppercase: false, digits: false }, 26, 234],
    [{ uppercase: true, digits: true }, 62, 248],
    [{ uppercase: true, digits: true, symbols: true }, 94, 188],
  ])("with %j skips the bytes from the last whole multiple of %i on", (classes, size, end) => {
    const bytes = [end - 1, end, 255, end + 1, 0, size - 1, size];
    const [password] = generatePasswords({ ...classes, length: 4, random: repeat(bytes) }).passwords;
    const [last, first, high, wrapped] = password!;
    expect([first, wrapped]).toEqual(["a", "a"]);
    expect([last, high]).toEqual([high, last]);
    expect(last).toBe(size === 26 ? "z" : size === 62 ? "9" : "~");
  });

  test("wastes nothing on words: every pair of bytes is one of 512", () => {
    const { passwords } = generatePasswords({
      mode: "words",
      words: 4,
      random: repeat([255, 255, 0, 0, 1, 255, 2, 0]),
    });
    expect(passwords).toEqual([["zipper", "acorn", "zipper", "acorn"].join("-")]);
  });

  test("asks the source again when the bytes at hand are used up or all rejected", () => {
    let calls = 0;
    const random = (target: Uint8Array) => target.fill(calls++ === 0 ? 255 : 1);
    expect(generatePasswords({ length: 1024, random }).passwords[0]).toBe("b".repeat(1024));
    expect(calls).toBe(2);
  });

  // Chi-square with k degrees of freedom is near k, with a deviation of sqrt(2k); six of them are past chance.
  test.each<[string, PasswordOptions, number]>([
    ["26 letters", { uppercase: false, digits: false }, 26],
    ["62 letters and digits", {}, 62],
    ["94 signs", { symbols: true }, 94],
  ])("favours none of %s", (_title, options, size) => {
    const { passwords } = generatePasswords({ ...options, length: 1000, count: 200, random: seeded(1) });
    expect(chiSquare([...passwords.join("")], size)).toBeLessThan(size - 1 + 6 * Math.sqrt(2 * (size - 1)));
    expect(chiSquare([...passwords.join("")], size)).toBeGreaterThan(
      size - 1 - 6 * Math.sqrt(2 * (size - 1)),
    );
  });

  test("favours none of 512 words", () => {
    const { passwords } = generatePasswords({ mode: "words", words: 64, count: 1000, random: seeded(2) });
    const value = chiSquare(passwords.join("-").split("-"), 512);
    expect(Math.abs(value - 511)).toBeLessThan(6 * Math.sqrt(2 * 511));
  });

  test("would fail this measure if bytes were only divided", () => {
    const bytes = new Uint8Array(200_000);
    seeded(1)(bytes);
    expect(
      chiSquare(
        Array.from(bytes, (byte) => String(byte % 62)),
        62,
      ),
    ).toBeGreaterThan(61 + 6 * Math.sqrt(122));
  });
});

describe("a number or separator", () => {
  test.each(["count", "length", "words"] as const)(
    "%s is taken at its two ends and refused beyond",
    (name) => {
      const { minimum, maximum } = PASSWORD_LIMITS[name];
      const mode = name === "words" ? "words" : "characters";
      for (const value of [minimum, minimum + 1, maximum - 1, maximum]) {
        expect(generatePasswords({ mode, [name]: value })).toMatchObject({ [name]: value });
      }
      for (const value of [minimum - 1, maximum + 1, 1.5, NaN, Infinity]) {
        expect(() => generatePasswords({ mode, [name]: value })).toThrow(
          expect.objectContaining({
            code: "invalid_parameter",
            message: `Parameter "${name}" must be a whole number from ${minimum} to ${maximum}`,
            fields: { parameter: name, minimum, maximum },
          }),
        );
      }
    },
  );

  test("of seventeen characters is refused", () => {
    for (const separator of ["-".repeat(17), "🔑".repeat(17)]) {
      expect(() => generatePasswords({ mode: "words", separator })).toThrow(
        'Parameter "separator" must have at most 16 characters',
      );
    }
  });

  test("of the longest passwords and passphrases gives all of them", () => {
    const passwords = generatePasswords({ length: 1024, count: 1000 }).passwords;
    expect([passwords.length, passwords.join("").length]).toEqual([1000, 1_024_000]);
    const phrases = generatePasswords({ mode: "words", words: 64, count: 1000, separator: " " }).passwords;
    expect(phrases.every((phrase) => phrase.split(" ").length === 64)).toBe(true);
  });
});

function repeat(bytes: readonly number[]) {
  let next = 0;
  return (target: Uint8Array) => {
    for (let i = 0; i < target.length; i++) target[i] = bytes[next++ % bytes.length]!;
  };
}

function counter() {
  return repeat(Array.from({ length: 256 }, (_, i) => i));
}

// SplitMix32: a fixed, even stream, so that the measure is the same on every run.
function seeded(seed: number) {
  let state = seed;
  return (target: Uint8Array) => {
    for (let i = 0; i < target.length; i++) {
      state = (state + 0x9e3779b9) | 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      target[i] = (mixed ^ (mixed >>> 15)) & 255;
    }
  };
}

function chiSquare(drawn: readonly string[], size: number): number {
  const seen = new Map<string, number>();
  for (const sign of drawn) seen.set(sign, (seen.get(sign) ?? 0) + 1);
  const expected = drawn.length / size;
  const unseen = (size - seen.size) * expected;
  return [...seen.values()].reduce((sum, times) => sum + (times - expected) ** 2 / expected, unseen);
}
