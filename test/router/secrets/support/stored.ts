import { expect } from "vitest";
import { takeAllowance } from "../../../../db/allowance.ts";
import type { Harness } from "../../../support/harness.ts";

/** Counts a number of bytes as stored by somebody today. */
export async function spendStorage(
  { db, clock, services }: Harness,
  who: string,
  amount: number,
): Promise<void> {
  const key = services.rateKey(who);
  const window = {
    bucket: "storedBytes",
    key,
    limit: 2 ** 31 - 1,
    windowSeconds: 86_400,
    now: clock.now,
    amount,
  };
  expect(await takeAllowance(db, window)).toMatchObject({ allowed: true });
}

/** Makes a secret look as if it were so large, and forgets what was counted. */
export async function enlargeSecret({ db: { query } }: Harness, id: string, size: number): Promise<void> {
  await query.updateTable("secret_content").set({ size }).where("secret_id", "=", id).execute();
  await query.deleteFrom("allowance").where("bucket", "=", "storedBytes").execute();
}
