// A process that is killed at its work: it names each secret or request when the database has acknowledged it.
import { endSecretDelivery } from "../../../db/deliveries/contents.ts";
import { openDatabase } from "../../../db/open.ts";
import { answerRequest, collectAnswer } from "../../../db/deliveries/answers.ts";
import { insertRequest } from "../../../db/requests.ts";
import { claimSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { bytes, newRequest, newSecret } from "./fixtures.ts";

const [url = "", work = "create", from = "0"] = process.argv.slice(2);
const db = await openDatabase(url);
const ticket = { hash: bytes(7), sweepAt: 9_000 };

/** What is done to one after the other; false where there is none left. */
const WORK: Readonly<Record<string, (id: string, i: number) => Promise<boolean>>> = {
  create: (id, i) => insertSecret(db, newSecret({ id, sealed: bytes(i % 256, 5_000) })),
  claim: (id) => claim(id),
  keep: (id) => claim(id, ticket),
  async receive(id) {
    const isClaimed = await claim(id, ticket);
    if (isClaimed) await endSecretDelivery(db, id);
    return isClaimed;
  },
  async collect(id, i) {
    await insertRequest(db, newRequest({ id }));
    await answerRequest(db, { id, gateHash: bytes(1), sealed: bytes(i % 256, 5_000), now: 1_400 });
    return Boolean(await collectAnswer(db, { id, collectHash: bytes(2), now: 1_500, ticket }));
  },
};

async function claim(id: string, kept?: typeof ticket): Promise<boolean> {
  const by = { id, verifier: bytes(1), passVerifier: null, now: 1_500 };
  return Boolean(await claimSecret(db, { ...by, ticket: kept }));
}

for (let i = Number(from); await WORK[work]!(`mortal${i}`, i); i++) console.log(`mortal${i}`);
await db.close();
console.log("end");
