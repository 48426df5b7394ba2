// Secrets made on SQLite while expired ones are swept, beside an idle database, and how long a sweep of many takes:
// `npm run bench -- sweeps [SECRETS ...]`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Database } from "../../db/open.ts";
import { insertSecret, sweepSecrets } from "../../db/secrets/secrets.ts";
import { bytes, insertOver, newSecret } from "../../test/db/support/fixtures.ts";
import { row } from "../support/measure.ts";

const IDLE_MS = 4_000;
const PACE_MS = 4;
const MOST_AT_ONCE = 5_000;
const SEALED_BYTES = 300;
const RECEIPTS = { receiptSeconds: 1_000_000 };

for (const rows of sizes()) for (const line of await measure(rows)) console.log(line);

function sizes(): number[] {
  const asked = process.argv.slice(2).map(Number);
  return asked.length > 0 ? asked : [50_000, 100_000, 200_000];
}

async function measure(rows: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-bench-"));
  const db = await openDatabase(join(folder, "service.db"));
  for (let left = rows; left > 0; left -= MOST_AT_ONCE) await insertOver(db, Math.min(left, MOST_AT_ONCE));
  await db.checkpoint();
  await createUntil(db, inTime(IDLE_MS / 4));
  const idle = await createUntil(db, inTime(IDLE_MS));
  const started = performance.now();
  const cpu = process.cpuUsage();
  let isDone = false;
  const sweeping = sweepSecrets(db, { now: 2_000, ...RECEIPTS }).finally(() => (isDone = true));
  const beside = await createUntil(db, () => isDone);
  const { expired } = await sweeping;
  const each = (1000 * (performance.now() - started)) / expired;
  const { user, system } = process.cpuUsage(cpu);
  await db.close();
  rmSync(folder, { recursive: true });
  const of = (what: string, share: number) =>
    row(what, { value: at(beside, share), unit: "ms", peer: at(idle, share) });
  return [
    row(`sweep of ${expired} secrets, for each`, { value: each, unit: "us" }),
    row("  CPU, with that of the creates", { value: (user + system) / expired, unit: "us" }),
    of("  a create beside it, and beside nothing", 0.5),
    of("  at the 99th percentile", 0.99),
    of("  the slowest", 1),
  ];
}

/** Milliseconds of each create, one after the other. */
async function createUntil(db: Database, isOver: () => boolean): Promise<number[]> {
  const milliseconds: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    await insertSecret(db, newSecret({ expiresAt: 9_000, sealed: bytes(1, SEALED_BYTES) }));
    milliseconds.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  return milliseconds;
}

function inTime(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}

function at(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
