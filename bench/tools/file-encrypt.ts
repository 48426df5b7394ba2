// Locks and opens 100 MB beside one-shot AES-256-GCM of node:crypto and `openssl enc`, in the same run.
// Run alone: node bin/start.mjs bench/tools/file-encrypt.ts [megabytes]
import { spawn } from "node:child_process";
import { createCipheriv, randomFillSync } from "node:crypto";
import type { Bytes } from "../../wire/bytes.ts";
import { concatBytes } from "../../wire/bytes.ts";
import { unlockFile } from "../../tools/crypto/unlock-file.ts";
import { lockFile } from "../../tools/file-encrypt.ts";

const megabytes = Number(process.argv[2] ?? 100);
const password = "correct horse battery staple";
const ROUNDS = 5;

const peak = await measurePeak();
const content = randomFillSync(new Uint8Array(megabytes * 2 ** 20));
const container = await collect(lockFile(content, { password }));
const oneShot = await fastest(() => encryptAtOnce(content));
const rows: [string, number][] = [
  ["node:crypto AES-256-GCM, one shot", oneShot],
  ["Web Crypto AES-256-GCM, one shot", await fastest(() => encryptByWebCrypto(content))],
  ["lock as a stream, without the key", await fastest(() => timeLock(content))],
  ["unlock, without the key derivation", await fastest(() => timeUnlock(container))],
  ["openssl enc -aes-256-ctr, a process", await fastest(() => runOpenssl(content))],
];

console.log(`${megabytes} MB, best of ${ROUNDS}`);
for (const [name, ms] of rows) {
  const speed = `${(oneShot / ms).toFixed(2)} x the speed of one shot`;
  console.log(`${name.padEnd(38)} ${ms.toFixed(0).padStart(6)} ms   ${speed}`);
}
console.log(`locking a stream of ${megabytes} MB: ${peak.toFixed(0)} MB above idle`);

/** The most memory above idle while a stream is locked and thrown away. */
async function measurePeak(): Promise<number> {
  const piece = new Uint8Array(65_000);
  async function* stream() {
    for (let sent = 0; sent < megabytes * 2 ** 20; sent += piece.length) yield piece;
  }
  await collect(lockFile(piece, { password }));
  const idle = process.memoryUsage.rss();
  let most = idle;
  for await (const _ of lockFile(stream(), { password })) most = Math.max(most, process.memoryUsage.rss());
  return (most - idle) / 2 ** 20;
}

async function fastest(work: () => Promise<number>): Promise<number> {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) best = Math.min(best, await work());
  return best;
}

async function encryptAtOnce(bytes: Bytes): Promise<number> {
  const start = performance.now();
  const cipher = createCipheriv("aes-256-gcm", new Uint8Array(32), new Uint8Array(12));
  cipher.update(bytes);
  cipher.final();
  return performance.now() - start;
}

async function encryptByWebCrypto(bytes: Bytes): Promise<number> {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, ["encrypt"]);
  const start = performance.now();
  await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, bytes);
  return performance.now() - start;
}

async function timeLock(bytes: Bytes): Promise<number> {
  const pieces = lockFile(bytes, { password });
  await pieces.next();
  const start = performance.now();
  for await (const _ of pieces);
  return performance.now() - start;
}

async function timeUnlock(bytes: Bytes): Promise<number> {
  let start = 0;
  await unlockFile(bytes, {
    password,
    limiter: async (work) => {
      const key = await work();
      start = performance.now();
      return key;
    },
  });
  return performance.now() - start;
}

/** Pipes through openssl, which has no GCM here; counter mode does the same work without the tag. */
async function runOpenssl(bytes: Bytes): Promise<number> {
  const start = performance.now();
  const zeros = "0".repeat(64);
  const child = spawn("openssl", ["enc", "-aes-256-ctr", "-K", zeros, "-iv", zeros.slice(32)]);
  const isAbsent = new Promise<boolean>((resolve) => {
    child.on("error", () => resolve(true));
    child.on("close", () => resolve(false));
  });
  child.stdin.on("error", () => undefined);
  child.stdout.resume();
  child.stdin.end(bytes);
  return (await isAbsent) ? NaN : performance.now() - start;
}

async function collect(pieces: AsyncIterable<Bytes>): Promise<Bytes> {
  const parts: Bytes[] = [];
  for await (const piece of pieces) parts.push(piece);
  return concatBytes(...parts);
}
