// A process at work until its power fails: it says what the database has acknowledged, in the order of the system's
// calls. With "unsynced" its log is never synced, which a test of power loss has to notice.
import { writeSync } from "node:fs";
import { openDatabase } from "../../../db/open.ts";
import { claimAtOnce, insertSecret } from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "./fixtures.ts";

const AT_ONCE = 6;
const ROUNDS = 9;

const [url = "", disk] = process.argv.slice(2);
const unsynced = () => ({ flush: async () => {}, close: async () => {} });
const db = await openDatabase(url, disk === "unsynced" ? { createDisk: unsynced } : {});
for (let round = 0; round < ROUNDS; round++) {
  const work = Array.from({ length: AT_ONCE }, (_, i) => useSecret(round * AT_ONCE + i));
  await Promise.all(work);
  // Written back beside what comes next, and every third time the log begins anew.
  if (round % 3 === 1) void db.writeBack();
  if (round % 3 === 2) await db.checkpoint();
}
say("end");
process.exit();

// Every other one is read too.
async function useSecret(number: number): Promise<void> {
  const id = `powered${number}`;
  await insertSecret(db, newSecret({ id, sealed: bytes(number, 3_000) }));
  say(`created ${id}`);
  if (number % 2 === 0) return;
  // Every other one of those with a ticket.
  const ticket = number % 4 === 3 ? { hash: bytes(7), sweepAt: 9_000 } : undefined;
  await claimAtOnce(db, { id, verifier: bytes(1), now: 1_500, ticket });
  say(`claimed ${id}`);
}

function say(text: string): void {
  writeSync(1, `${text}\n`);
}
