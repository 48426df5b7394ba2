// slow
import { describe, expect, test } from "vitest";
import type { Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { REMOVABLE } from "../../tools/file/document-options.ts";
import { cleanPdf } from "../../tools/pdf-clean.ts";
import { lockPdf } from "../../tools/pdf-lock.ts";
import { mergePdf } from "../../tools/pdf-merge.ts";
import { rotatePdf } from "../../tools/pdf-rotate.ts";
import { splitPdf } from "../../tools/pdf-split.ts";
import { unlockPdf } from "../../tools/pdf-unlock.ts";
import { sampled } from "../support/sampled.ts";
import { HOSTILE } from "./files/pdf-files.ts";

const TOOLS: Readonly<Record<string, (file: Bytes) => Promise<unknown>>> = {
  clean: (file) => cleanPdf(file, { remove: REMOVABLE, linearize: true }),
  lock: (file) => lockPdf(file, { password: "geheim" }),
  unlock: (file) => unlockPdf(file),
  rotate: (file) => rotatePdf(file, { angle: 90 }),
  keep: (file) => splitPdf(file, { mode: "keep", range: "1" }),
  each: (file) => splitPdf(file, { mode: "each" }),
  merge: (file) => mergePdf([{ data: file }, { data: file, range: "1" }]),
};

/** The code a tool refuses with, or nothing when it did its work. */
async function outcome(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ToolFailure) return error.code;
    throw error;
  }
}

// All together take two minutes.
const cases = sampled(
  HOSTILE.flatMap((file) => Object.keys(TOOLS).map((tool) => ({ ...file, tool }))),
  12,
);

describe("a PDF made to harm ends in an answer or a named refusal", () => {
  test.each(cases)("$name: $tool", async ({ make, codes, tool }) => {
    const code = await outcome(TOOLS[tool]!(make()));
    expect(codes.length === 0 ? [undefined] : [undefined, ...codes]).toContain(code);
  });
});
