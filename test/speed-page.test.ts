import { expect, test } from "vitest";
import { speedPage, type MeasuredPart } from "../bench/page.ts";
import { row } from "../bench/support/measure.ts";

const LINE = row("pdf-rotate of 10 MB", { value: 12, unit: "ms", peer: 24 });
const PART: MeasuredPart = { name: "pdf", output: `pdf\n${LINE}\n\n`, failed: false, othersShare: 0.02 };
const machine = {
  processors: "2 × Processor",
  memoryBytes: 8 * 2 ** 30,
  system: "linux 6.1 x64",
  runtime: "Node 24.21.0",
};
const about = { machine, date: new Date("2026-11-27T10:00:00Z"), commit: "abc1234" };

test("the page of figures names the machine, the date, and of each part its command and ratios", () => {
  const page = speedPage([PART, { ...PART, name: "calls", output: `calls\n${LINE}\n` }], about);
  const where =
    "Measured on 2026-11-27 at commit abc1234, on 2 × Processor, 8 GiB of memory, linux 6.1 x64, Node 24.21.0.";
  expect(page).toContain(where);
  expect(page.match(/^## .*$/gm)).toEqual(["## pdf", "## calls"]);
  expect(page).toContain(`\`npm run bench -- pdf\`\n\n\`\`\`\`text\n${LINE}\n\`\`\`\``);
  expect(page).toContain("0.50 x");
  expect(page).not.toMatch(/Noise|Failed/);
});

test("the page of figures says where others used the machine, and where a bench failed", () => {
  const page = speedPage([{ ...PART, othersShare: 0.43, failed: true }], about);
  expect(page).toContain("other programs took 43 % of the processors");
  expect(page).toContain("**Failed:**");
});
