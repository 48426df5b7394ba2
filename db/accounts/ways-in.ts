import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** What opens an account besides its password and its recovery code. */
export const WAYS_IN = ["sessions", "tokens", "passkeys", "totp", "identities"] as const;

export type WayIn = (typeof WAYS_IN)[number];

/** How many of each there were. */
export type EndedWays = Record<WayIn, number>;

/** Ends every way into an account but those to keep; answers how many of each it has ended. */
export async function endWaysIn(
  trx: Kysely<Tables>,
  { member, keep }: { member: string; keep: readonly WayIn[] },
): Promise<EndedWays> {
  const end = async (way: WayIn) => (keep.includes(way) ? 0 : ENDS[way](trx, member));
  return {
    sessions: await end("sessions"),
    tokens: await end("tokens"),
    passkeys: await end("passkeys"),
    totp: await end("totp"),
    identities: await end("identities"),
  };
}

const ENDS: Readonly<Record<WayIn, (trx: Kysely<Tables>, member: string) => Promise<number>>> = {
  sessions: (trx, member) => deleteOf(trx, "session", member),
  tokens: (trx, member) => deleteOf(trx, "token", member),
  passkeys: (trx, member) => deleteOf(trx, "passkey", member),
  identities: (trx, member) => deleteOf(trx, "identity", member),
  totp: async (trx, member) => {
    const { numUpdatedRows } = await trx
      .updateTable("member")
      .set({ totp_key: null, totp_since: null, totp_step: null })
      .where("id", "=", member)
      .where("totp_key", "is not", null)
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },
};

async function deleteOf(
  trx: Kysely<Tables>,
  table: "session" | "token" | "passkey" | "identity",
  member: string,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where("member", "=", member)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
