import { expect, test } from "vitest";
import { withSection, type MeasuredPart } from "../bench/page.ts";
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

const order = ["calls", "pdf"];
const ofPdf = withSection("", { part: PART, about, order });

test("the page of figures says of each part when and where it was measured, its command and ratios", () => {
  const where =
    "Measured on 2026-11-27 at commit abc1234, on 2 × Processor, 8 GiB of memory, linux 6.1 x64, Node 24.21.0.";
  expect(ofPdf).toContain(
    `## pdf\n\n${where}\n\n\`npm run bench -- pdf\`\n\n\`\`\`\`text\n${LINE}\n\`\`\`\``,
  );
  expect(ofPdf).toContain("0.50 x");
  expect(ofPdf).not.toMatch(/Noise|Failed/);
});

test("a part that is measured later has its place, and leaves the others as they were", () => {
  const calls = { ...PART, name: "calls", output: `calls\n${LINE}\n` };
  const later = { ...about, date: new Date("2026-12-01T10:00:00Z"), commit: "def5678" };
  const both = withSection(ofPdf, { part: calls, about: later, order });
  expect(both.match(/^## .*$/gm)).toEqual(["## calls", "## pdf"]);
  expect(both.match(/on (?:2026-\S+) at commit \w+/g)).toEqual([
    "on 2026-12-01 at commit def5678",
    "on 2026-11-27 at commit abc1234",
  ]);
  expect(withSection(both, { part: calls, about: later, order })).toBe(both);
});

test("the page of figures says where others used the machine, and where a bench failed", () => {
  const page = withSection(ofPdf, { part: { ...PART, othersShare: 0.43, failed: true }, about, order });
  expect(page.match(/^## .*$/gm)).toEqual(["## pdf"]);
  expect(page).toContain("other programs took 43 % of the processors");
  expect(page).toContain("**Failed:**");
});
