// process
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeWith } from "../../machine/skips.ts";
import { openDatabase, type Database } from "../../../db/open.ts";
import { repeatSecret } from "../../../db/deliveries/contents.ts";
import { claimAtOnce, findSecret } from "../../../db/secrets/secrets.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { isSameData } from "../../../wire/bytes.ts";
import { replayInto, traceProcess, type Step } from "../support/disk-trace.ts";
import { bytes } from "../support/fixtures.ts";
import { OWN } from "../support/runtimes.ts";

/** Points in time at which the power fails; more by hand, and others with another seed. */
const FAILURES = Number(process.env["POWER_FAILURES"] ?? 25);
const SEED = Number(process.env["POWER_SEED"] ?? 1);
const PATIENCE_MS = 180_000 + 1_000 * FAILURES;

describeWith("strace")("a disk whose power fails while SQLite is at work", () => {
  test(
    "has every secret that was acknowledged, and none that was handed out",
    async () => {
      expect(await losses([])).toStrictEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    "loses some when nothing is synced, which this test would notice",
    async () => {
      expect(await losses(["unsynced"])).not.toStrictEqual([]);
    },
    PATIENCE_MS,
  );
});

/** What is wrong after each of the failures. */
async function losses(disk: readonly string[]): Promise<string[]> {
  const steps = traceProcess(OWN, ["powered.ts", join(makeTempFolder(), "service.db"), ...disk]);
  expect(saidIn(steps)).toContain("end");
  const first = steps.findIndex(({ kind }) => kind === "said");
  const random = makeRandom(SEED);
  const found: string[] = [];
  for (let i = 0; i < FAILURES; i++) {
    const end = first + 1 + Math.floor(random() * (steps.length - first));
    // From nothing that was not synced to all of it.
    const share = Math.round(4 * random()) / 4;
    found.push(...(await lossesAt(steps, { end, isKept: () => random() < share })));
  }
  return found;
}

async function lossesAt(
  steps: readonly Step[],
  { end, isKept }: { end: number; isKept: () => boolean },
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-power-"));
  replayInto(folder, { steps, end, isKept });
  try {
    const db = await openDatabase(join(folder, "service.db"));
    const found = await compare(db, saidIn(steps.slice(0, end)));
    await db.close();
    return found.map((what) => `step ${end}: ${what}`);
  } catch (error) {
    return [`step ${end}: ${String(error)}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(db: Database, said: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.query);
  const created = said.flatMap((line) => /^created powered(\d+)$/.exec(line)?.[1] ?? []);
  const found = await Promise.all(created.map((number) => compareOne(db, { number: Number(number), said })));
  return [...(rows[0]?.integrity_check === "ok" ? [] : ["the file is damaged"]), ...found.flat()];
}

async function compareOne(
  db: Database,
  { number, said }: { number: number; said: readonly string[] },
): Promise<string[]> {
  const id = `powered${number}`;
  if (!(await findSecret(db, id, 1_500))) return [`${id} is lost`];
  const taken = await claimAtOnce(db, { id, verifier: bytes(1), now: 1_500 });
  if (number % 4 === 3 && !taken) {
    const kept = { id, ticket: { hash: bytes(7), sweepAt: 9_000 }, now: 1_600 };
    const again = await repeatSecret(db, kept);
    return again && isSameData(again, bytes(number, 3_000)) ? [] : [`the delivery of ${id} is lost`];
  }
  if (said.includes(`claimed ${id}`)) return taken ? [`${id} came back`] : [];
  // What somebody was just reading may have been handed out or not.
  const mayBeRead = number % 2 === 1 && !taken;
  const isWhole = taken !== undefined && isSameData(taken.sealed, bytes(number, 3_000));
  return mayBeRead || isWhole ? [] : [`the content of ${id} is lost`];
}

function saidIn(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => (step.kind === "said" ? step.text.split("\n") : []));
}

// Mulberry32: the same numbers for the same seed.
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
