// slow
import { afterEach, expect, test, vi } from "vitest";
import { warningCodes, type ToolWarning } from "../../../wire/tool-warning.ts";
import { formatFailure } from "../../../web/api/format-failure.ts";
import { formatWarning } from "../../../web/api/format-warning.ts";
import { coreWords, moreWords } from "../../../web/app/language/all-words.ts";
import { formatBytes, formatBytesApart, formatNames } from "../../../web/app/language/format.ts";
import { fill, LANGUAGES, loadMoreWords, loadWords } from "../../../web/app/language/words.ts";

const LIMIT = 25 * 1024 ** 2;

// What a browser has and the words ask for.
async function speak(language: string): Promise<void> {
  vi.stubGlobal("navigator", { languages: [language] });
  vi.stubGlobal("document", { documentElement: {} });
  await loadWords(coreWords);
  await loadMoreWords(moreWords);
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1000, "1 kB"],
  [1500, "1.5 kB"],
  [4350, "4.35 kB"],
  [999_999, "999 kB"],
  [20_000_000, "20 MB"],
  [LIMIT, "26.2 MB"],
  [100 * 1024 ** 2, "104 MB"],
  [1_500_000_000, "1.5 GB"],
])("writes %i bytes as %s", async (bytes, text) => {
  await speak("en-US");
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [LIMIT + 1, "26,214,401 bytes", "26,214,400 bytes"],
  [LIMIT + 500, "26,214,900 bytes", "26,214,400 bytes"],
  [LIMIT + 1000, "26.215 MB", "26.214 MB"],
  [LIMIT + 6000, "26.22 MB", "26.21 MB"],
  [LIMIT + 100_000, "26.3 MB", "26.2 MB"],
  [30_000_000, "30 MB", "26.2 MB"],
  [2_000_000_000, "2 GB", "26.2 MB"],
])("writes %i bytes so that they are more than a limit of 26.2 MB", async (bytes, size, limit) => {
  await speak("en-US");
  expect(formatBytesApart(bytes, LIMIT)).toEqual([size, limit]);
});

test("writes a size at the edge of a unit and the one below so that both can be compared", async () => {
  await speak("en-US");
  expect(formatBytesApart(1_000_000, 999_999)).toEqual(["1 MB", "999 kB"]);
});

test.each([
  ["en-US", "That is 26,214,401 bytes; the limit is 26,214,400 bytes."],
  ["de-DE", "Das sind 26.214.401 Byte; höchstens 26.214.400 Byte sind erlaubt."],
])("says in %s by how little a file is too large", async (language, sentence) => {
  await speak(language);
  const fields = { limit: "fileSize", value: LIMIT, unit: "bytes", actual: LIMIT + 1 };
  expect(formatFailure({ code: "file_too_large", fields })).toContain(sentence);
});

test.each(Object.keys(LANGUAGES))("says every warning in %s, with its fields", async (language) => {
  await speak(language);
  const pdf = { standard: "PDF/A-2", clause: "6.1.3", files: 34, images: 56, fields: 78 };
  const fields = { frames: 12, ...pdf, parameter: "anlge", nearest: "angle" };
  // With the fields of all of them, each has its own.
  const warnings = warningCodes.map((code) => ({ ...fields, code }) as ToolWarning);
  const said = warnings.map(formatWarning);
  expect(new Set(said).size).toBe(warningCodes.length);
  expect(said.filter((text) => /[{}]|undefined|_/.test(text))).toEqual([]);
  for (const value of ["12", "34", "56", "78", "PDF/A-2", "6.1.3", "anlge"])
    expect(said.join()).toContain(value);
});

test("says which file a warning is about, by its name or else its number", async () => {
  await speak("de-DE");
  const text = "Artikelverkettungen wurden weggelassen.";
  const file = { index: 1, name: "{frames}.pdf" };
  expect(formatWarning({ code: "threads_left_out", file })).toBe(`{frames}.pdf: ${text}`);
  expect(formatWarning({ code: "threads_left_out", file: { index: 1 } })).toBe(`2: ${text}`);
  expect(formatWarning({ code: "first_frame_only", frames: 1234 })).toContain("1.234");
});

test("keeps names and paths in their own direction in a sentence from right to left, and nothing else", async () => {
  await speak("ar");
  const filled = (value: string | number) => fill("على {{value}}.", { value });
  expect(filled("/trpc")).toBe("على \u2068/trpc\u2069.");
  expect(filled("отчёт (2)")).toBe("على \u2068отчёт (2)\u2069.");
  expect(filled("تقرير (final)")).toBe("على \u2068تقرير (final)\u2069.");
  expect(filled("30 يومًا")).toBe("على 30 يومًا.");
  expect(filled(12)).toBe("على 12.");
  expect(formatNames(["scan (2)", "صورة"])).toBe("\u2068scan (2)\u2069 وصورة");
  await speak("en");
  expect(filled("/trpc")).toBe("على /trpc.");
  expect(formatNames(["scan (2)", "صورة"])).toBe("scan (2) and صورة");
});
