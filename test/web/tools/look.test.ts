import { expect, test } from "vitest";
import { guessLook } from "../../../web/compare/diff-lines.ts";

test("takes long lines for prose and short ones for code", () => {
  const sentence =
    "All that is written here goes on for longer than anybody would make a line of a program. ";
  expect(guessLook(`${sentence.repeat(3)}\n\n${sentence.repeat(5)}\n`)).toBe("prose");
  expect(guessLook("const a = 1;\nconst b = 2;\n")).toBe("code");
  expect(guessLook("")).toBe("code");
});
