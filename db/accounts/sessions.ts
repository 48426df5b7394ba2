import type { Database } from "../open.ts";
import { changesRow, countChanged, type Bytes } from "../columns.ts";
import type { FormerRights, LoginKind } from "./tables.ts";
import { insertClaim, type TimedClaim } from "../idempotency-keys.ts";
import { lockMember } from "./lock-member.ts";
import type { TransactionSteps, Transaction } from "../stored-bytes.ts";
import { workInSteps, type SweepOptions } from "../sweep/sweep-steps.ts";

/** The stored time of the last use is updated only when it is older than this, so that reading costs no write. */
const TOUCH_SECONDS = 600;

interface Session {
  /** Identifies the session in lists; independent of the cookie's value. */
  id: string;
  member: string;
  memberName: string;
  /** When the member joined, in unix seconds, and from where, while that is stored. */
  memberCreatedAt: number;
  memberCreatedFrom: Uint8Array | null;
  /** Unix seconds, as the next two. */
  createdAt: number;
  expiresAt: number;
  /** Accurate to ten minutes. */
  lastUsedAt: number;
  /** When the member last gave a proof of identity in this session. */
  provedAt: number;
  /** 1 when the proof was more than a password. */
  isStrong: number | null;
  role: "admin" | null;
  /** Until when a password that an administrator has set is valid. */
  passwordUntil: number | null;
  /** What it began with; null in old ones. */
  login: LoginKind | null;
}

export interface NewSession {
  id: string;
  /** SHA-256 of the cookie's value. */
  hash: Bytes;
  member: string;
  createdAt: number;
  expiresAt: number;
  /** When the member gave the proof that it began with, if that was earlier. */
  provedAt?: number | undefined;
  isStrong: boolean;
  login: LoginKind;
  /** The provider's id for its own session. */
  providerSession: string | null;
}

/** A session is valid before its expiry, and while its last use is less than `idleSeconds` ago. */
interface IdleLimit {
  now: number;
  idleSeconds: number;
}

/** What has just opened an account: a password by its stored hash, a passkey, or a provider's identity. */
export type UsedWayIn = { password: string } | { passkey: string } | { issuer: string; subject: string };

/**
 * Stores a session, with its creation as its first use. Returns false and stores nothing when the member is disabled or
 * gone, or when what opened the account (`by`) was changed or removed since: a login that was under way meanwhile must
 * not outlast that.
 */
export async function insertSession(
  db: Database,
  session: NewSession,
  { by, keep }: Pick<TransactionSteps, "keep"> & { by: UsedWayIn },
): Promise<boolean> {
  return db.write(async (trx) => {
    // Locked first: so does whatever ends all sessions, and what it ends is found gone after it.
    if (!(await lockMember(trx, session.member))) return false;
    if (!(await isStillOpen(trx, session.member, by))) return false;
    await addSession(trx, session);
    await keep?.(trx);
    return true;
  });
}

async function isStillOpen(trx: Transaction, member: string, by: UsedWayIn): Promise<boolean> {
  if ("password" in by) {
    const same = trx.selectFrom("member").select("id").where("id", "=", member);
    return exists(same.where("password", "=", by.password));
  }
  if ("passkey" in by) {
    const same = trx.selectFrom("passkey").select("id").where("member", "=", member);
    return exists(same.where("id", "=", by.passkey));
  }
  const same = trx.selectFrom("identity").select("subject").where("member", "=", member);
  return exists(
    same
      .where("issuer", "=", by.issuer)
      .where("subject", "=", by.subject)
      .where("confirmed_at", "is not", null),
  );
}

async function exists(query: { executeTakeFirst(): Promise<object | undefined> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** Stores a session in the transaction that creates or has locked its member. */
export async function addSession(trx: Transaction, session: NewSession): Promise<void> {
  const { createdAt, expiresAt, provedAt = createdAt, isStrong, providerSession, ...rest } = session;
  const times = {
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: createdAt,
    proved_at: provedAt,
  };
  const row = { ...rest, ...times, is_strong: isStrong ? 1 : null, provider_session: providerSession };
  await trx.insertInto("session").values(row).execute();
}

/** A session; with the former rights where it was found by its value from before a proof. */
export type FoundSession = Session & { former: FormerRights | null };

/** Finds a valid session, also by its former value while that counts, and stores its use, at most every ten minutes. */
export async function findSession(
  db: Database,
  { hash, now, idleSeconds }: { hash: Bytes } & IdleLimit,
): Promise<FoundSession | undefined> {
  const valid = selectValid(db, { now, idleSeconds });
  const current = await valid.where("hash", "=", hash).executeTakeFirst();
  const session = current
    ? { ...current, former: null }
    : await valid
        .select("former_rights as former")
        .where("former_hash", "=", hash)
        .where("former_until", ">", now)
        // A later time was written before the clock was set back.
        .where("former_until", "<=", now + TOUCH_SECONDS)
        .executeTakeFirst();
  if (!session || Math.abs(now - session.lastUsedAt) < TOUCH_SECONDS) return session;
  await db.query.updateTable("session").set({ last_used_at: now }).where("id", "=", session.id).execute();
  return { ...session, lastUsedAt: now };
}

/** Whether a session is valid, by its id; that is no use of it. */
export async function hasSession(
  db: Database,
  { id, ...limit }: { id: string } & IdleLimit,
): Promise<boolean> {
  return exists(selectValid(db, limit).where("session.id", "=", id));
}

/** A member's valid sessions, the last used first. */
export async function listSessions(
  db: Database,
  { member, now, idleSeconds }: { member: string } & IdleLimit,
): Promise<Session[]> {
  return selectValid(db, { now, idleSeconds })
    .where("member", "=", member)
    .orderBy("last_used_at", "desc")
    .orderBy("session.id")
    .execute();
}

/** A proof of identity given within a session. */
interface SessionProof {
  id: string;
  now: number;
  /** Whether it was more than a password. */
  isStrong: boolean;
  /** Whether it was all that the account asks for: only then does it count for what comes next. */
  isWhole?: boolean;
  /** SHA-256 of the value that the proof came with, and of its replacement. */
  from: Bytes;
  to: Bytes;
  /** Until when the former value counts, in unix seconds, and with which rights. */
  formerUntil: number;
  formerRights: FormerRights;
}

/**
 * Stores a proof and replaces the session's value. Returns when the session expires, in unix seconds; undefined,
 * changing nothing, when it has another value by now, as after another proof at the same time, or has ended.
 */
export async function proveSession(db: Database, proof: SessionProof): Promise<number | undefined> {
  const { id, now, isStrong, isWhole = false, from, to, formerUntil, formerRights } = proof;
  const former = { former_hash: from, former_until: formerUntil, former_rights: formerRights };
  const proved = await db.write((trx) =>
    trx
      .updateTable("session")
      .set({
        hash: to,
        ...former,
        ...(isWhole && { proved_at: now }),
        ...(isStrong && { is_strong: 1 }),
      })
      .where("id", "=", id)
      .where("hash", "=", from)
      .returning("expires_at as expiresAt")
      .executeTakeFirst(),
  );
  return proved?.expiresAt;
}

/**
 * Ends the sessions that began with what a provider has ended: all of a person, or those of one of its own sessions.
 * Returns false and ends none where the message was seen before, by its claim.
 */
export async function endProviderSessions(
  db: Database,
  claim: TimedClaim,
  of: { issuer: string; subject: string | undefined; providerSession: string | undefined },
): Promise<boolean> {
  const { issuer, subject, providerSession } = of;
  return db.write(async (trx) => {
    // In the same transaction: if it fails, the provider can send the message again.
    if (!(await insertClaim(trx, claim))) return false;
    await trx
      .deleteFrom("session")
      .where("login", "=", "provider")
      .where("member", "in", (identities) =>
        identities
          .selectFrom("identity")
          .select("member")
          .where("issuer", "=", issuer)
          .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? "")),
      )
      .$if(providerSession !== undefined, (query) =>
        query.where("provider_session", "=", providerSession ?? ""),
      )
      .execute();
    return true;
  });
}

/** Ends one of a member's sessions. False when the member has no such session. */
export async function endSession(db: Database, member: string, id: string): Promise<boolean> {
  return db.write((trx) =>
    trx.deleteFrom("session").where("member", "=", member).where("id", "=", id).$call(changesRow),
  );
}

/** Ends all of a member's sessions but one; returns how many. */
export async function endOtherSessions(
  db: Database,
  { member, except }: { member: string; except: string },
): Promise<number> {
  return db.write((trx) =>
    trx.deleteFrom("session").where("member", "=", member).where("id", "!=", except).$call(countChanged),
  );
}

/** Deletes sessions that are no longer valid; returns how many. */
export async function sweepSessions(
  db: Database,
  { now, idleSeconds, signal }: IdleLimit & SweepOptions,
): Promise<number> {
  const step = (rows: number) =>
    db.writeSoon((trx) =>
      trx
        .deleteFrom("session")
        .where("id", "in", (sessions) =>
          sessions
            .selectFrom("session")
            .select("id")
            .where(({ eb, or }) =>
              or([eb("expires_at", "<=", now), eb("last_used_at", "<=", now - idleSeconds)]),
            )
            .limit(rows),
        )
        .$call(countChanged),
    );
  return workInSteps(db, { step, signal });
}

function selectValid(db: Database, { now, idleSeconds }: IdleLimit) {
  return db.query
    .selectFrom("session")
    .innerJoin("member", "member.id", "session.member")
    .select([
      "session.id",
      "member",
      "member.name as memberName",
      "member.created_at as memberCreatedAt",
      "member.created_from as memberCreatedFrom",
      "session.created_at as createdAt",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
      "is_strong as isStrong",
      "role",
      "password_until as passwordUntil",
      "session.login",
    ])
    .select(({ fn }) => fn.coalesce("proved_at", "session.created_at").as("provedAt"))
    .where("disabled_at", "is", null)
    .where("expires_at", ">", now)
    .where("last_used_at", ">", now - idleSeconds);
}
