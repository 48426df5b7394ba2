// Whole commands, as the package has them, beside the programs that people use for the same, turn by turn: start,
// reading and writing included.
// Run alone: node bin/start.mjs bench/tools/commands.ts [megabytes]
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
  closeSync,
  writeFileSync,
} from "node:fs";
import { randomFillSync } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../release/bundle.ts";
import { row } from "../support/measure.ts";

const megabytes = Number(process.argv[2] ?? 500);
const ROUNDS = 5;
const MEGABYTE = 1_000_000;
const SMALL_FILES = 10_000;

/** In memory where the system offers that: a disk would measure itself. */
const MEMORY = "/dev/shm";
const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "bench-commands-"));
const [large, small] = [join(folder, "large.bin"), join(folder, "small.bin")];
const [key, theirs, ours] = [join(folder, "key.txt"), join(folder, "theirs"), join(folder, "ours")];
const NODE = process.execPath;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Where it finds its libraries. */
const installed = mkdtempSync(join(ROOT, "node_modules/.bench-command-"));
const PASSWORD = { HUSHKIT_PASSWORD: "correct horse battery" };

type Command = readonly [program: string, ...args: string[]];

try {
  writeFiles();
  await install();
  run(hushkit("keygen", "-o", key));
  const [, recipient = ""] = /public key: (\S+)/.exec(readFileSync(key, "utf8")) ?? [];
  compare("--version", [NODE, "-e", "0"], hushkit("--version"));
  compare("hash of 1 kB", [NODE, "-e", "0"], hushkit("hash", small));
  compare(`SHA-256 of ${megabytes} MB`, ["openssl", "dgst", "-sha256", large], hushkit("hash", large));
  const { many, names, list } = writeMany();
  compare(`SHA-256 of ${SMALL_FILES} files`, ["sha256sum", ...names], hushkit("hash", many));
  compare(`SHA-256 of ${SMALL_FILES} files, -c`, ["sha256sum", "-c", list], hushkit("hash", "-c", list));
  const blake3 = hushkit("hash", "-a", "blake3", large);
  compare(`BLAKE3 of ${megabytes} MB`, ["b3sum", large], blake3);
  const age: Command = ["age", "-r", recipient, "-o", theirs, large];
  compare("lock -r", age, hushkit("lock", "-r", recipient, "-o", ours, large));
  compare("lock with a password", age, hushkit("lock", "-o", ours, large));
  compare("lock with a password", withPassphrase("-p", theirs, large), hushkit("lock", "-o", ours, large));
  const locked = `${large}.locked`;
  run(hushkit("lock", "-o", locked, large));
  const sealed = `${large}.age`;
  run(["age", "-r", recipient, "-o", sealed, large]);
  const open: Command = ["age", "-d", "-i", key, "-o", theirs, sealed];
  compare("unlock -i", open, hushkit("unlock", "-i", key, "-o", ours, sealed));
  compare("unlock with a password", open, hushkit("unlock", "-o", ours, locked));
  const closed = `${large}.closed`;
  run(withPassphrase("-p", closed, large));
  compare(
    "unlock with a password",
    withPassphrase("-d", theirs, closed),
    hushkit("unlock", "-o", ours, locked),
  );
} finally {
  for (const made of [folder, installed]) rmSync(made, { recursive: true });
}

async function install(): Promise<void> {
  for (const part of ["bin", "package.json"])
    cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  await bundle("hushkit", join(installed, "dist"));
}

function writeFiles(): void {
  writeFileSync(small, randomFillSync(new Uint8Array(1000)));
  const file = openSync(large, "w");
  for (let i = 0; i < megabytes; i++) writeSync(file, randomFillSync(new Uint8Array(MEGABYTE)));
  closeSync(file);
}

/** A folder of small files, their paths, and a list of their checksums. */
function writeMany(): { many: string; names: string[]; list: string } {
  const [many, list] = [join(folder, "many"), join(folder, "many.sha256")];
  mkdirSync(many);
  const names = Array.from({ length: SMALL_FILES }, (_, i) => join(many, `${i}.txt`));
  for (const [i, name] of names.entries()) writeFileSync(name, `${i}\n`);
  writeFileSync(list, execFileSync("sha256sum", names, { maxBuffer: 1e7 }));
  return { many, names, list };
}

function hushkit(...args: readonly string[]): Command {
  return [NODE, join(installed, "bin/hushkit.mjs"), ...args];
}

/** age asks a terminal for its passphrase, once or twice. */
function withPassphrase(...[does, to, file]: readonly ["-p" | "-d", to: string, file: string]): Command {
  return ["script", "-qec", `age ${does} -o ${to} ${file}`, "/dev/null"];
}

function compare(what: string, peer: Command, own: Command): void {
  let [theirTime, ourTime] = [Infinity, Infinity];
  for (let i = 0; i < ROUNDS; i++) {
    theirTime = Math.min(theirTime, time(peer));
    ourTime = Math.min(ourTime, time(own));
  }
  console.log(row(`${what}: ${nameOf(peer)}`, { value: theirTime, unit: "ms" }));
  console.log(row(`${what}: hushkit`, { value: ourTime, unit: "ms", peer: theirTime }));
}

function nameOf([program, , typed]: Command): string {
  if (program === NODE) return "node alone";
  return program === "script" ? `${typed?.slice(0, "age -p".length)}` : program;
}

function time(command: Command): number {
  for (const path of [theirs, ours]) rmSync(path, { force: true });
  const start = performance.now();
  run(command);
  return performance.now() - start;
}

function run([program, ...args]: Command): void {
  const { status, error } = spawnSync(program, args, {
    env: { ...process.env, ...PASSWORD },
    input: `${PASSWORD.HUSHKIT_PASSWORD}\n`.repeat(2),
    stdio: ["pipe", "ignore", "ignore"],
  });
  if (error) throw new Error(`${program} is not installed`);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
}
