import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Tables } from "../schema.ts";
import { ActorGone, lockMember } from "./lock-member.ts";
import { countChanged } from "../columns.ts";

/** The member to act on, and the member who acts, if it is one. */
export interface Act {
  readonly id: string;
  readonly by?: string | undefined;
}

/**
 * Does something to a member that another member may do only while still there: of two who disable each other at once,
 * one succeeds. Locks rows in a fixed order, so that two do not wait for each other.
 * @throws ActorGone
 */
export async function actOnMember<Result>(
  db: Database,
  { id, by }: Act,
  act: (trx: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.write(async (trx) => {
    const check = async () => {
      if (by !== undefined && !(await lockMember(trx, by))) throw new ActorGone();
    };
    if (by !== undefined && by < id) await check();
    const result = await act(trx);
    if (by !== undefined && by >= id) await check();
    return result;
  });
}

/** Nothing would open the account any more, so nothing was changed. */
export class LastWayIn extends Error {
  override readonly name = "LastWayIn";
}

/** Whose way in is removed, and what opens accounts on this server. */
export interface WayInRemoval {
  readonly member: string;
  readonly opensByPassword: boolean;
  /** The issuer whose identities do, if any. */
  readonly opensByIssuer: string | undefined;
}

/**
 * Removes a passkey or an identity, but not the last way into an account: of two that are removed at once, one stays.
 * Returns what `remove` does: false where there was nothing to remove.
 * @throws LastWayIn
 */
export async function removeWayIn(
  db: Database,
  { member, opensByPassword, opensByIssuer = "" }: WayInRemoval,
  remove: (trx: Kysely<Tables>) => Promise<boolean>,
): Promise<boolean> {
  return db.write(async (trx) => {
    await lockMember(trx, member);
    if (!(await remove(trx))) return false;
    const passwords = trx.selectFrom("member").select("id").where("password", "!=", "");
    const identities = trx.selectFrom("identity").select("member as id").where("issuer", "=", opensByIssuer);
    const others = [
      ...(opensByPassword ? [passwords.where("id", "=", member)] : []),
      trx.selectFrom("passkey").select("member as id").where("member", "=", member),
      identities.where("member", "=", member),
    ];
    for (const other of others) if (await other.executeTakeFirst()) return true;
    throw new LastWayIn();
  });
}

/** What opens an account besides password and recovery code, and the hooks, which tell somebody what happens in it. */
export const WAYS_IN = ["sessions", "tokens", "passkeys", "totp", "identities", "hooks"] as const;

export type WayIn = (typeof WAYS_IN)[number];

/** How many of each have ended. */
export type EndedWays = Record<WayIn, number>;

/** Ends every way into an account except those to keep; returns how many of each have ended. */
export async function endWaysIn(
  trx: Kysely<Tables>,
  member: string,
  keep: readonly WayIn[],
): Promise<EndedWays> {
  const ended: EndedWays = { sessions: 0, tokens: 0, passkeys: 0, totp: 0, identities: 0, hooks: 0 };
  for (const way of WAYS_IN.filter((each) => !keep.includes(each)))
    ended[way] = await (way === "totp"
      ? forgetTotp(trx, member)
      : trx.deleteFrom(TABLES[way]).where("member", "=", member).$call(countChanged));
  return ended;
}

const TABLES = {
  sessions: "session",
  tokens: "token",
  passkeys: "passkey",
  identities: "identity",
  hooks: "hook",
} as const;

/** Removes the key of a member's authenticator app; returns how many there were. */
export async function forgetTotp(trx: Kysely<Tables>, member: string): Promise<number> {
  return trx
    .updateTable("member")
    .set({ totp_key: null, totp_since: null, totp_step: null })
    .where("id", "=", member)
    .where("totp_key", "is not", null)
    .$call(countChanged);
}
