// Digests of 100 MiB in process beside the programs that people use for it, in the same run, one thread each.
// Run alone: node bin/start.mjs bench/tools/checksums.ts [mebibytes]
import { spawnSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HASH_ALGORITHMS, hashFile, type HashAlgorithm } from "../../tools/file-hash.ts";
import { generatePasswords } from "../../tools/password.ts";
import { row } from "../support/measure.ts";

const mebibytes = Number(process.argv[2] ?? 100);
const ROUNDS = 5;
/** What a socket gives at a time. */
const OPTIONS = { highWaterMark: 64 * 1024 };

const PROGRAMS: Readonly<Record<HashAlgorithm, readonly [string, ...string[]]>> = {
  md5: ["md5sum"],
  sha1: ["sha1sum"],
  sha224: ["sha224sum"],
  sha256: ["sha256sum"],
  sha384: ["sha384sum"],
  sha512: ["sha512sum"],
  "sha3-256": ["openssl", "dgst", "-sha3-256"],
  "sha3-384": ["openssl", "dgst", "-sha3-384"],
  "sha3-512": ["openssl", "dgst", "-sha3-512"],
  blake2b: ["b2sum"],
  blake3: ["b3sum", "--num-threads", "1"],
};

const folder = mkdtempSync(join(tmpdir(), "bench-checksums-"));
const path = join(folder, "file.bin");
writeFileSync(path, randomFillSync(new Uint8Array(mebibytes * 2 ** 20)));
try {
  for (const algorithm of HASH_ALGORITHMS) await compare(algorithm);
  await compareAll();
  benchPasswords();
} finally {
  rmSync(folder, { recursive: true });
}

async function compare(algorithm: HashAlgorithm): Promise<void> {
  const [command, ...args] = PROGRAMS[algorithm];
  let [ours, peer] = [Infinity, Infinity];
  // Turn by turn, so that a busy machine is busy for both.
  for (let i = 0; i < ROUNDS; i++) {
    ours = Math.min(
      ours,
      await time(() => hashFile(createReadStream(path, OPTIONS), { algorithms: [algorithm] })),
    );
    peer = Math.min(peer, await time(() => run(command, args)));
  }
  console.log(row(`${algorithm}: ${command}, a process`, { value: peer, unit: "ms" }));
  console.log(row(`${algorithm}: file-hash`, { value: ours, unit: "ms", peer }));
}

/** The whole set in one pass beside the programs one after another. */
async function compareAll(): Promise<void> {
  const ours = await time(() => hashFile(createReadStream(path, OPTIONS), { algorithms: HASH_ALGORITHMS }));
  const peer = await time(() => Object.values(PROGRAMS).map(([command, ...args]) => run(command, args)));
  console.log(row("all: file-hash", { value: ours, unit: "ms", peer }));
}

function benchPasswords(): void {
  for (const mode of ["characters", "words"] as const) {
    const start = performance.now();
    for (let i = 0; i < 20; i++) generatePasswords({ mode, count: 1000 });
    console.log(row(`20,000 passwords of ${mode}`, { value: performance.now() - start, unit: "ms" }));
  }
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, [...args, path]);
  if (status !== 0) throw new Error(`${command} is not installed`);
}

async function time(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
