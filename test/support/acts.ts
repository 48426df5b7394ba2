import type { Harness } from "./harness.ts";

/** Who did what, in the order in which it was written down, and forgets it. */
export async function takeActs({ db }: Pick<Harness, "db">) {
  const acts = await db.query
    .selectFrom("outbox")
    .select(["event", "account", "subject", "token", "address", "login"])
    .where("sink", "=", "audit")
    .orderBy("position")
    .execute();
  await db.query.deleteFrom("outbox").where("sink", "=", "audit").execute();
  return acts;
}
