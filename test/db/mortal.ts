// A process that is killed at its work: it names each secret when the database has acknowledged it.
import { openDatabase } from "../../db/open.ts";
import { claimSecret, insertSecret } from "../../db/secrets.ts";
import { bytes, newSecret } from "./fixtures.ts";

const [url = "", work = "create", from = "0"] = process.argv.slice(2);
const db = await openDatabase(url);
for (let i = Number(from); ; i++) {
  const id = `mortal${i}`;
  const isDone =
    work === "create"
      ? await insertSecret(db, newSecret({ id, sealed: bytes(i % 256, 5_000) }))
      : await claimSecret(db, {
          ...{ id, verifier: bytes(1), passVerifier: null, now: 1_500 },
          ticket: work === "keep" ? { hash: bytes(7), sweepAt: 9_000 } : undefined,
        });
  if (!isDone) break;
  console.log(id);
}
await db.close();
console.log("end");
