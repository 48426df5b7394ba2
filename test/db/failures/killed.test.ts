// process
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Database } from "../../../db/open.ts";
import { claimSecret, findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { repeatAnswer, repeatSecret } from "../../../db/deliveries/contents.ts";
import { collectAnswer } from "../../../db/deliveries/answers.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { describeShared, type TestDatabase } from "../support/harness.ts";
import { OWN, startChild } from "../support/runtimes.ts";

/** Kills while secrets are made, and as many while they are read; more by hand. */
const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 3);
const PATIENCE_MS = 180_000 + ROUNDS * 20_000;
/** More than processes can read before their kill arrives: what they say waits in a pipe that holds a few hundred lines. */
const STOCK = 400 * ROUNDS;
const AT_ONCE = 100;

describeShared("a process that is killed at work on %s", (make) => {
  test(
    "loses no secret that it has acknowledged, and brings back none that was read",
    async () => {
      const place = await make();
      let created = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const names = await runUntilKilled(place.url, {
          work: "create",
          from: created,
          lines: 40 + 7 * (round % 9),
        });
        const db = await place.open();
        for (const id of names) expect(await statusOf(db, id)).toBe("active");
        created = await countSecrets(db);
        expect(created).toBeGreaterThanOrEqual(names.length);
        await expectWhole(db);
        await db.close();
      }
      created = await stockUp(place, created);
      let claimed = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const work = ["keep", "claim", "receive"][round % 3]!;
        const names = await runUntilKilled(place.url, {
          work,
          from: claimed,
          lines: 10 + 3 * (round % 9),
        });
        const db = await place.open();
        for (const id of names) {
          expect(await statusOf(db, id)).toBe("revealed");
          expect(await claim(db, id)).toBeUndefined();
          const kept = { id, ticket: { hash: bytes(7), sweepAt: 9_000 }, now: 1_600 };
          const content = bytes(Number(id.slice("mortal".length)) % 256, 5_000);
          expect(await repeatSecret(db, kept)).toStrictEqual(work === "keep" ? content : undefined);
        }
        claimed = await countSecrets(db, "revealed");
        await expectWhole(db);
        await db.close();
      }
      const db = await place.open();
      await forEach({ from: claimed, to: created }, async (i) => {
        expect(await claim(db, `mortal${i}`)).toStrictEqual(bytes(i % 256, 5_000));
      });
      await db.close();
      await place.drop();
    },
    PATIENCE_MS,
  );
});

describeShared("a process that is killed while answers are collected, on %s", (make) => {
  test(
    "loses no answer that it has handed out with a ticket, and hands none out to another",
    async () => {
      const place = await make();
      let from = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const names = await runUntilKilled(place.url, { work: "collect", from, lines: 10 + 3 * (round % 9) });
        const db = await place.open();
        for (const id of names) {
          const content = bytes(Number(id.slice("mortal".length)) % 256, 5_000);
          const kept = { id, ticket: { hash: bytes(7), sweepAt: 9_000 }, now: 1_600 };
          expect(await repeatAnswer(db, kept)).toStrictEqual(content);
          const foreign = { ...kept, ticket: { ...kept.ticket, hash: bytes(8) } };
          expect(await repeatAnswer(db, foreign)).toBeUndefined();
          expect(await collectAnswer(db, { id, collectHash: bytes(2), now: 1_500 })).toBeUndefined();
        }
        await expectAnswersWhole(db);
        // The one that was under way may be there already.
        from += names.length + 1;
        await db.close();
      }
      await place.drop();
    },
    PATIENCE_MS,
  );
});

/** Makes more secrets of the kind that processes make; answers how many there are then. */
async function stockUp(place: TestDatabase, created: number): Promise<number> {
  const db = await place.open();
  await forEach({ from: created, to: created + STOCK }, (i) =>
    insertSecret(db, newSecret({ id: `mortal${i}`, sealed: bytes(i % 256, 5_000) })),
  );
  await db.close();
  return created + STOCK;
}

async function forEach(
  { from, to }: { from: number; to: number },
  work: (i: number) => Promise<unknown>,
): Promise<void> {
  for (let at = from; at < to; at += AT_ONCE) {
    const length = Math.min(AT_ONCE, to - at);
    await Promise.all(Array.from({ length }, (_, i) => work(at + i)));
  }
}

/** An answer is kept exactly while it waits and while it is delivered, however the process ended. */
async function expectAnswersWhole(db: Database): Promise<void> {
  const rows = await db.query
    .selectFrom("request")
    .leftJoin("request_answer", "request_id", "id")
    .select(["status", "request_id", "sweep_at"])
    .execute();
  const kinds = rows.map(({ status, request_id, sweep_at }) =>
    request_id === null ? status : `${status}, ${sweep_at === null ? "waiting" : "kept"}`,
  );
  const sound = ["open", "answered, waiting", "collected, kept"];
  expect(kinds.filter((kind) => !sound.includes(kind))).toStrictEqual([]);
}

/** Starts a process, kills it without notice after a number of lines, and answers these lines. */
async function runUntilKilled(
  url: string,
  { work, from, lines }: { work: string; from: number; lines: number },
) {
  const child = startChild(OWN, ["mortal.ts", url, work, String(from)]);
  const ended = once(child.process, "exit");
  const names: string[] = [];
  while (names.length < lines) names.push(await child.next());
  child.process.kill("SIGKILL");
  await ended;
  expect(child.process.signalCode).toBe("SIGKILL");
  expect(names).not.toContain("end");
  return names;
}

/** A content stands there exactly for each active secret and each delivery, however the process ended. */
async function expectWhole(db: Database): Promise<void> {
  const halves = await db.query
    .selectFrom("secret")
    .fullJoin("secret_content", "secret_id", "id")
    .select(["id", "secret_id", "closed_at"])
    .where(({ eb, or, and }) =>
      or([
        and([eb("closed_at", "is", null), eb("secret_id", "is", null)]),
        and([eb("closed_at", "is not", null), eb("secret_id", "is not", null), eb("sweep_at", "is", null)]),
        eb("id", "is", null),
      ]),
    )
    .execute();
  expect(halves).toStrictEqual([]);
}

async function statusOf(db: Database, id: string): Promise<string | undefined> {
  return (await findSecret(db, id, 1_500))?.status;
}

async function countSecrets(db: Database, status?: "revealed"): Promise<number> {
  const query = db.query.selectFrom("secret").select("id");
  return (await (status ? query.where("status", "=", status) : query).execute()).length;
}

function claim(db: Database, id: string) {
  return claimSecret(db, { id, verifier: bytes(1), passVerifier: null, now: 1_500 });
}
