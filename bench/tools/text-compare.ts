// Compares texts beside `git diff --no-index` and `diff`, in the same run: theirs is a process that reads two
// files and throws its output away, ours a call on two strings that makes the whole answer.
// Run alone: node bin/start.mjs bench/tools/text-compare.ts [megabytes ...]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { diffWords } from "diff";
import { compareTexts } from "../../tools/text-compare.ts";
import { type Texts, makeOrdinary, worstCases } from "../support/texts.ts";

const ROUNDS = 5;
const PATIENCE = 60_000;

type Options = Parameters<typeof compareTexts>[1];
type Case = { name: string; texts: Texts; options: Options; peers: Peer[]; rounds?: number };
type Peer = { name: string; command: string; args: string[] };

const STRICT = { ignoreCase: false, ignoreWhitespace: false };
const ROWS: Options = { ...STRICT, granularity: "line", format: "json" };
const PATCH: Options = { ...STRICT, granularity: "line", format: "unified" };

const GIT = git();
const DIFF: Peer = { name: "diff", command: "diff", args: ["-u"] };

const ORDINARY: Omit<Case, "texts">[] = [
  { name: "as rows", options: ROWS, peers: [GIT, DIFF] },
  { name: "as a patch", options: PATCH, peers: [GIT, DIFF] },
  { name: "ignoring white space", options: { ...ROWS, ignoreWhitespace: true }, peers: [git("-b")] },
  {
    name: "ignoring case too",
    options: { ...ROWS, ignoreWhitespace: true, ignoreCase: true },
    peers: [{ name: "diff -b -i", command: "diff", args: ["-u", "-b", "-i"] }],
  },
  {
    name: "by word",
    options: { ...ROWS, granularity: "word" },
    peers: [git("--word-diff=porcelain")],
    rounds: 2,
  },
  {
    name: "by character",
    options: { ...ROWS, granularity: "character" },
    peers: [git("--word-diff=porcelain", "--word-diff-regex=.")],
    rounds: 2,
  },
];

/** Prints a table: our time, and how many times the peers' it is. */
export async function benchTextCompare(megabytes: readonly number[] = [1, 10, 25]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-text-"));
  try {
    await printSpans(folder);
    for (const size of megabytes) await printOrdinary(size, folder);
    for (const { name, texts, granularity } of worstCases()) {
      const options: Options = { ...(granularity === "line" ? PATCH : ROWS), granularity };
      await print(
        { name, texts, options, peers: granularity === "line" ? [GIT, DIFF] : [], rounds: 2 },
        folder,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function printOrdinary(megabytes: number, folder: string): Promise<void> {
  const texts = makeOrdinary(megabytes);
  for (const { name, rounds = ROUNDS, ...rest } of ORDINARY) {
    await print({ ...rest, name: `${megabytes} MB ${name}`, texts, rounds }, folder);
  }
}

async function print({ name, texts, options, peers, rounds = ROUNDS }: Case, folder: string): Promise<void> {
  const files = [join(folder, "a"), join(folder, "b")];
  writeFileSync(files[0]!, texts.a);
  writeFileSync(files[1]!, texts.b);
  let ours = Infinity;
  let about = "";
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { minimal } = await compareTexts(texts, options);
    ours = Math.min(ours, performance.now() - start);
    about = minimal ? "" : "  not minimal";
  }
  const ratios = peers.map((peer) => ratio(peer.name, { ours, theirs: fastest(peer, { files, rounds }) }));
  const memory = `${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB`;
  console.log(
    `${name.padEnd(42)}${ours.toFixed(0).padStart(6)} ms ${memory.padStart(8)}  ${ratios.join("  ")}${about}`,
  );
}

/** Milliseconds of the fastest round; Infinity past our patience, NaN for a program that is not there. */
function fastest({ command, args }: Peer, { files, rounds }: { files: string[]; rounds: number }): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { error } = spawnSync(command, [...args, ...files], { stdio: "ignore", timeout: PATIENCE });
    if (error) return "code" in error && error.code === "ENOENT" ? NaN : Infinity;
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function ratio(name: string, { ours, theirs }: { ours: number; theirs: number }): string {
  if (Number.isNaN(theirs)) return `${name} is not installed`;
  if (theirs === Infinity) return `${name} gave no answer in ${PATIENCE / 1000} s`;
  return `${(ours / theirs).toFixed(2)} x ${name} (${theirs.toFixed(0)} ms)`;
}

/** How many spans the real edits of this project's documents make, by word: the fewer, the easier to read. */
async function printSpans(folder: string): Promise<void> {
  const counts = { ours: 0, jsdiff: 0, git: 0 };
  const edits = listEdits();
  for (const { a, b } of edits) {
    const answer = await compareTexts({ a, b }, { ...ROWS, granularity: "word" });
    counts.ours += "spans" in answer ? answer.spans.length : 0;
    counts.jsdiff += diffWords(a, b).length;
    const paths = [join(folder, "a"), join(folder, "b")] as const;
    writeFileSync(paths[0], a);
    writeFileSync(paths[1], b);
    const args = ["diff", "--no-index", "--word-diff=porcelain", "-U1000000", ...paths];
    const out = spawnSync("git", args, { encoding: "utf8", maxBuffer: 1e8 }).stdout;
    // Git does not print what is equal as a span of its own: there is about one for every two changes.
    counts.git += 1.5 * out.split("\n").filter((line, i) => i > 4 && /^[+-]/.test(line)).length;
  }
  console.log(`${edits.length} edits of documents, spans by word: ${JSON.stringify(counts)}`);
}

function listEdits(): Texts[] {
  const ask = (...args: string[]) => spawnSync("git", args, { encoding: "utf8", maxBuffer: 1e8 }).stdout;
  const commits = ask("log", "--format=%H", "--diff-filter=M", "--", "*.md").split("\n").filter(Boolean);
  const edits = commits.slice(0, 40).flatMap((commit) => {
    const names = ask(
      "diff-tree",
      "--no-commit-id",
      "-r",
      "--name-only",
      "--diff-filter=M",
      commit,
      "--",
      "*.md",
    );
    const paths = names.split("\n").filter(Boolean);
    return paths.map((path) => ({
      a: ask("show", `${commit}^:${path}`),
      b: ask("show", `${commit}:${path}`),
    }));
  });
  return edits.slice(0, 60);
}

function git(...options: string[]): Peer {
  return { name: ["git", ...options].join(" "), command: "git", args: ["diff", "--no-index", ...options] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = process.argv.slice(2).map(Number);
  await benchTextCompare(sizes.length > 0 ? sizes : undefined);
}
