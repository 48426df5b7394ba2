import type { Kysely } from "kysely";
import type { MemberSession } from "../running-call.ts";
import type { Tables } from "../schema.ts";
import { changesRow } from "../columns.ts";

/**
 * Locks the member's row by writing it unchanged: other calls that count what this member has, or disable the
 * member, then wait. False when the member is gone or disabled.
 */
export async function lockMember(trx: Kysely<Tables>, id: string): Promise<boolean> {
  return trx
    .updateTable("member")
    .set((member) => ({ created_at: member.ref("created_at") }))
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .$call(changesRow);
}

/** How many hooks, passkeys or tokens a member has. */
export async function countOwn(
  query: Kysely<Tables>,
  table: "hook" | "passkey" | "token",
  member: string,
): Promise<number> {
  const { count } = await query
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("member", "=", member)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The acting member was disabled or deleted meanwhile, or lost the session or the role, so nothing was changed. */
export class ActorGone extends Error {
  override readonly name = "ActorGone";
}

/**
 * Checks that the session of the running call has not ended since the call came in: a caller can send the body as
 * slowly as they like, and what ends a session ends what it has begun. Everything that ends all sessions locks the
 * member first, so this does too; not for administrators, who lock two members in an order of their own (`actOnMember`).
 * @throws ActorGone
 */
export async function checkSession(
  trx: Kysely<Tables>,
  { member, session, isAdmin }: MemberSession,
): Promise<void> {
  if (!isAdmin) await lockMember(trx, member);
  const found = await trx
    .selectFrom("session")
    .innerJoin("member", "member.id", "session.member")
    .select("role")
    .where("session.id", "=", session)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  if (!found || (isAdmin && found.role !== "admin")) throw new ActorGone();
}
