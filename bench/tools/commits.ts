// Patches of real edits beside git's: every text changed by the last commits of a repository.
// `npm run bench -- commits [commits=200] [REPOSITORY]`, this repository unless told.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareTexts, type CompareOptions } from "../../tools/text-compare.ts";

const [count = "200", repository = "."] = process.argv.slice(2);
const MOST_CHARACTERS = 1_000_000;
const PATCH: CompareOptions & { readonly format: "unified" } = {
  granularity: "line",
  format: "unified",
  nameA: "text",
  nameB: "text",
  ignoreCase: false,
  ignoreWhitespace: false,
};

function git(...args: string[]): string {
  return spawnSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1e9 }).stdout;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter(Boolean);
}

/** A patch without what git says beside it: names, digests, and the function that a hunk is in. */
function bareHunks(patch: string): string[] {
  const from = patch.indexOf("@@ ");
  return linesOf(from < 0 ? "" : patch.slice(from)).map((line) => line.replace(/^(@@ [^@]* @@).*/, "$1"));
}

function changedLines(hunks: readonly string[]): number {
  return hunks.filter((line) => /^[-+]/.test(line)).length;
}

const folder = mkdtempSync(join(tmpdir(), "commits-"));
const seen = { commits: 0, texts: 0, "same as git diff": 0, "refused by git apply": 0 };
const changed = { ours: 0, git: 0 };
for (const commit of linesOf(git("rev-list", "--no-merges", "-n", count, "HEAD"))) {
  seen.commits++;
  for (const path of linesOf(
    git("diff-tree", "--no-commit-id", "--name-only", "--diff-filter=M", "-r", commit),
  )) {
    const [a, b] = [git("show", `${commit}^:${path}`), git("show", `${commit}:${path}`)];
    if (Math.max(a.length, b.length) > MOST_CHARACTERS || a.includes("\0") || a === b) continue;
    const made = await compareTexts({ a, b }, PATCH);
    const patch = "patch" in made ? made.patch : "";
    const theirs = bareHunks(git("diff", "--indent-heuristic", `${commit}^`, commit, "--", path));
    const ours = bareHunks(patch);
    seen.texts++;
    if (ours.join("\n") === theirs.join("\n")) seen["same as git diff"]++;
    changed.ours += changedLines(ours);
    changed.git += changedLines(theirs);
    writeFileSync(join(folder, "text"), a);
    const { status } = spawnSync("git", ["apply", "--check"], { cwd: folder, input: patch });
    if (status !== 0) seen["refused by git apply"]++;
  }
}
rmSync(folder, { recursive: true });
console.log(
  Object.entries(seen)
    .map(([what, times]) => `${times} ${what}`)
    .join(", "),
);
console.log(`changed lines: ${changed.ours} ours, ${changed.git} git's`);
