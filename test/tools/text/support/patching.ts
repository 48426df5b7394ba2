// Patches handed to the programs that people apply them with.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { makeTempFolder } from "../../../support/temp-folder.ts";
import { makePatch, type Shown, type Texts } from "./text-checks.ts";

export const PROGRAMS = [
  { name: "patch", args: ["-p1", "--fuzz=0", "--no-backup-if-mismatch", "-i", "all.patch"], zero: [] },
  { name: "git", args: ["apply", "--whitespace=nowarn", "all.patch"], zero: ["--unidiff-zero"] },
] as const;

type Program = (typeof PROGRAMS)[number];

/** Applies the patches of all pairs at once, as a patch of many files; answers what became of each. */
export async function applyAll(
  program: Program,
  { pairs, options }: { pairs: readonly Texts[]; options: Shown },
): Promise<{ result: string; b: string }[]> {
  const cwd = makeTempFolder();
  mkdirSync(join(cwd, "f"));
  const patches: string[] = [];
  const names: { name: string; b: string }[] = [];
  for (const [i, { a, b }] of pairs.entries()) {
    const { patch } = await makePatch({ a, b }, options);
    if (patch === "") continue;
    const name = `f/${i}`;
    writeFileSync(join(cwd, name), a);
    patches.push(patch.replace("--- a/text\n+++ b/text\n", `--- a/${name}\n+++ b/${name}\n`));
    names.push({ name, b });
  }
  writeFileSync(join(cwd, "all.patch"), patches.join(""));
  const { status, stdout, stderr } = spawnSync(
    program.name,
    options.context === 0 ? [...program.args, ...program.zero] : program.args,
    { cwd, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/offset|fuzz/);
  return names.map(({ name, b }) => ({ result: readFileSync(join(cwd, name), "utf8"), b }));
}
