import { findMember } from "../../db/accounts/members.ts";
import { endSession, insertSession } from "../../db/accounts/sessions.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { CallerContext } from "../context.ts";
import { HANDLE_LENGTH, SESSION_VALUE_LENGTH } from "../ids.ts";
import { accountDeleted, accountDisabled } from "./members.ts";
import { SESSION_SECONDS } from "../limits.ts";
import { setSessionCookie } from "./session-cookie.ts";

/** What a session begins with: who calls, and the headers of the answer that sets its cookie. */
export type SessionContext = Pick<CallerContext, "caller" | "services" | "responseHeaders">;

/**
 * Logs the caller in as a member, and ends the session that the browser had. Always with a new value, so that a cookie
 * planted in the browser never becomes a member's (session fixation).
 * @throws ApiError account_disabled, account_deleted
 */
export async function startSession(
  member: string,
  ctx: SessionContext,
  /** Whether more than a password was proved. */
  { isStrong = false }: { isStrong?: boolean } = {},
): Promise<void> {
  const { db, now, publicUrl } = ctx.services;
  await endOwnSession(ctx);
  const [id, value, createdAt] = [randomBase62(HANDLE_LENGTH), randomBase62(SESSION_VALUE_LENGTH), now()];
  const hash = digestText(value);
  const expiresAt = createdAt + SESSION_SECONDS;
  if (!(await insertSession(db, { id, hash, member, createdAt, expiresAt, isStrong }))) {
    throw (await findMember(db, { id: member })) ? accountDisabled() : accountDeleted();
  }
  setSessionCookie(ctx.responseHeaders, { value, publicUrl });
}

/** Ends the session of the call. False when it has none. */
export async function endOwnSession({
  caller,
  services,
}: Pick<SessionContext, "caller" | "services">): Promise<boolean> {
  if (caller.tier !== "member" || caller.via !== "session") return false;
  return endSession(services.db, { member: caller.memberId, id: caller.credentialId });
}
