import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { normalizePassword, whyProhibited } from "../../../../tools/pdf/security/encodings.ts";
import { placeOf, testWith } from "../../../machine/skips.ts";

// RFC 4013, 3.
test.each([
  ["I\u00adX", "IX"],
  ["user", "user"],
  ["USER", "USER"],
  ["\u00aa", "a"],
  ["\u2168", "IX"],
])("prepares %j as the RFC does", (password, prepared) => {
  expect(normalizePassword(password)).toBe(prepared);
  expect(whyProhibited(prepared)).toBeUndefined();
});

test.each([["\u0007"], ["\u0627\u0031"]])("refuses %j as the RFC does", (password) => {
  expect(whyProhibited(normalizePassword(password))).toBeDefined();
});

test.each([
  ["e\u0301", "\u00e9"],
  ["a\u00a0b\u3000c", "a b c"],
  ["a\u200bb", "a b"],
  ["\ufe0fa\u200db\ufeff", "ab"],
  ["\uff21\ufb01", "Afi"],
])("maps %j to %j", (password, prepared) => {
  expect(normalizePassword(password)).toBe(prepared);
});

test.each([
  ["a letter from left to right among others", "\u05d0a\u05d1", "writing directions"],
  ["a digit at the end of Hebrew", "\u05d01", "writing directions"],
  ["a digit in front of Arabic", "1\u0627", "writing directions"],
  ["half of a surrogate pair", "a\ud800", "character"],
  ["a character that is none", "a\ufdd0", "character"],
  ["a character for private use", "a\ue000", "character"],
  ["a mark that turns the direction", "a\u202eb", "character"],
  ["a tag", "a\u{e0041}", "character"],
  ["a line break", "a\nb", "character"],
])("refuses %s", (_, password, why) => {
  expect(whyProhibited(normalizePassword(password))).toContain(why);
});

test.each([["\u05d0 1 \u05d1"], ["\u0627\u0661\u0628"], ["пароль"], ["密码"], ["🔒"], ["a b"], [""]])(
  "takes %j",
  (password) => expect(whyProhibited(normalizePassword(password))).toBeUndefined(),
);

// With the tables of RFC 3454 in Unicode 3.2. Left out are ideographs and syllables, of which none is special.
const PYTHON = `
import json, sys, stringprep as s
from unicodedata import ucd_3_2_0
PROHIBITED = (s.in_table_c12, s.in_table_c21_c22, s.in_table_c3, s.in_table_c4, s.in_table_c5, s.in_table_c6,
              s.in_table_c7, s.in_table_c8, s.in_table_c9)
def prepare(t):
    t = ''.join(' ' if s.in_table_c12(c) else '' if s.in_table_b1(c) else c for c in t)
    t = ucd_3_2_0.normalize('NFKC', t)
    if any(is_in(c) for c in t for is_in in PROHIBITED): return None
    if any(map(s.in_table_d1, t)):
        if any(map(s.in_table_d2, t)) or not (s.in_table_d1(t[0]) and s.in_table_d1(t[-1])): return None
    return t
RANGES = ((0, 0x3400), (0xa000, 0xa500), (0xdfff, 0xe010), (0xf900, 0x10500), (0x1d000, 0x1d800),
          (0x2f800, 0x2fa20), (0xe0000, 0xe0080))
codes = [c for first, end in RANGES for c in range(first, end)]
known = [c for c in codes if not 0xd800 <= c < 0xe000 and not s.in_table_a1(chr(c))]
json.dump([[c, around, prepare(around.replace('?', chr(c)))] for c in known for around in ('?', 'a?z')], sys.stdout)
`;
/** Corrigendum 4 of Unicode has corrected what these are in form KC. */
const CORRECTED = [0x2f868, 0x2f874, 0x2f91f, 0x2f95f, 0x2f9bf];

testWith("python3")("agrees with the tables of the RFC about each character of its time", () => {
  const options = { encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const answer = execFileSync(placeOf("python3"), ["-c", PYTHON], options);
  // What the lines above print.
  const made = JSON.parse(answer) as [number, string, string | null][];
  const different = made.filter(([code, around, theirs]) => {
    const ours = normalizePassword(around.replace("?", () => String.fromCodePoint(code)));
    return (whyProhibited(ours) === undefined ? ours : null) !== theirs;
  });
  expect(made.length).toBeGreaterThan(20_000);
  expect([...new Set(different.map(([code]) => code))]).toEqual(CORRECTED);
});
