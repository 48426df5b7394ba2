// One of several processes on one database: it does a step, says so, and waits for the word to go on.
import { createInterface } from "node:readline";
import { takeAllowance } from "../../../db/allowance.ts";
import { adoptKeyCheck, readKeyCheck } from "../../../db/installation.ts";
import { openDatabase } from "../../../db/open.ts";
import { claimFile } from "../../../db/deliveries/files.ts";
import { claimAtOnce, claimSecret, insertSecret, takeAttempt } from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "./fixtures.ts";

const [url = "", own = "0", processes = "1", count = "0", limit = "0"] = process.argv.slice(2);
const me = Number(own);
/** As many files as race.test.ts has stored. */
const FILES = 40;
const input = createInterface({ input: process.stdin });
const lines = input[Symbol.asyncIterator]();

await meet();
const db = await openDatabase(url);
await adoptKeyCheck(db, bytes(me + 1), { openBytes: 20, seal: async (seed) => seed });
const key = (await readKeyCheck(db.query)) ?? [];
await meet();
for (let i = 0; i < Number(count); i++) await insertSecret(db, newSecret(secretOf(me, i)));
await meet();
console.log(JSON.stringify({ key: key[0], ...(await race()) }));
await db.close();
// Not by process.exit, which would cut off a long last line.
input.close();
process.stdin.destroy();

async function meet(): Promise<void> {
  console.log("ready");
  await lines.next();
}

/** What everybody knows of the secret number `i` that process `maker` makes. */
function secretOf(maker: number, i: number) {
  const id = `maker${maker}secret${i}`;
  return { id, sealed: new TextEncoder().encode(`content of ${id}`) };
}

async function claimOne(step: number): Promise<boolean> {
  const claim = { id: `file${step}`, verifier: bytes(1), passVerifier: null, now: 1_500 };
  return (await claimFile(db, { ...claim, ticket: { hash: bytes(me), sweepAt: 9_000 } })) !== undefined;
}

/** Wants every secret of every process, each process from another place on, and as many calls as secrets. */
async function race() {
  const total = Number(processes) * Number(count);
  const claimed: string[] = [];
  const files: string[] = [];
  const result = { claimed, damaged: 0, allowed: 0, attempts: 0, files };
  for (let step = 0; step < total; step++) {
    const at = (step + Math.floor((me * Number(count)) / 4)) % total;
    const { id, sealed } = secretOf(Math.floor(at / Number(count)), at % Number(count));
    // Half of them with tickets.
    const ticket = step % 4 < 2 ? { hash: bytes(me), sweepAt: 9_000 } : undefined;
    const claim = { id, verifier: bytes(1), now: 1_500, ticket };
    const got =
      step % 2 === 0
        ? await claimSecret(db, { ...claim, passVerifier: null })
        : (await claimAtOnce(db, claim))?.sealed;
    if (got) claimed.push(id);
    if (got && String(got) !== String(sealed)) result.damaged += 1;
    if (step < FILES && (await claimOne(step))) files.push(`file${step}`);
    const window = { bucket: "race", key: bytes(1), limit: Number(limit), windowSeconds: 900, now: 1_500 };
    if (step % 4 === 0 && (await takeAllowance(db, window)).allowed) result.allowed += 1;
    if (step % 50 === 0 && (await takeAttempt(db, { id: "attempted", now: 1_500, ceiling: 10 })))
      result.attempts += 1;
  }
  return result;
}
