import type { Selectable } from "kysely";
import type { Database } from "../open.ts";
import { changesRow, countChanged, type Bytes } from "../columns.ts";
import type { MemberTable } from "./tables.ts";
import type { TransactionSteps } from "../stored-bytes.ts";
import { countOwn } from "./lock-member.ts";
import { endWaysIn, type EndedWays, type WayIn } from "./act-on-member.ts";

export interface Member {
  id: string;
  name: string;
  /** A PHC string. */
  password: string;
  hasRecoveryCode: boolean;
  /** Unix seconds. */
  createdAt: number;
  /** The secret shared with an authenticator app, encrypted; null before it is set up. */
  totpKey: Bytes | null;
  /** Whether logins require its codes. */
  hasTotp: boolean;
  isAdmin: boolean;
  /** When the member was disabled; null otherwise. */
  disabledAt: number | null;
  /** Until when a password that an administrator has set is valid. */
  passwordUntil: number | null;
  /** When the recovery code last set the password. */
  recoveredAt: number | null;
  /** The earliest time to set up a second factor again after the recovery code removed it. */
  enrolFrom: number | null;
}

export interface NewMember {
  id: string;
  name: string;
  password: string;
  /** SHA-256 of the recovery code. */
  recoveryHash: Bytes | null;
  createdAt: number;
  /** HMAC of the address at registration; deleted after a day. */
  createdFrom?: Bytes | undefined;
  /** Until when a password that an administrator has set is valid. */
  passwordUntil?: number | undefined;
}

/** Stores a member. Returns false and stores nothing when the name is taken. */
export async function insertMember(
  db: Database,
  member: NewMember,
  { keep }: Pick<TransactionSteps, "keep"> = {},
): Promise<boolean> {
  const { id, name, password, recoveryHash, createdAt, createdFrom = null, passwordUntil = null } = member;
  return db.write(async (trx) => {
    const isFree = await trx
      .insertInto("member")
      .values({
        id,
        name,
        password,
        recovery_hash: recoveryHash,
        created_at: createdAt,
        created_from: createdFrom,
        password_until: passwordUntil,
      })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .$call(changesRow);
    if (!isFree) return false;
    await keep?.(trx);
    return true;
  });
}

/** Deletes registration addresses older than `before`; returns how many. */
export async function forgetOrigins(db: Database, before: number): Promise<number> {
  return db.query
    .updateTable("member")
    .set({ created_from: null })
    .where("created_from", "is not", null)
    .where("created_at", "<=", before)
    .$call(countChanged);
}

/** Finds a member by id or name. */
export async function findMember(
  db: Database,
  by: { id: string } | { name: string },
): Promise<Member | undefined> {
  const [column, value] = "id" in by ? (["id", by.id] as const) : (["name", by.name] as const);
  const row = await selectMembers(db).where(column, "=", value).executeTakeFirst();
  return row && toMember(row);
}

/** What the holder of the recovery code sets. */
interface Recovery {
  name: string;
  recoveryHash: Bytes;
  password: string;
  nextRecoveryHash: Bytes;
  keep: readonly WayIn[];
  now: number;
  /** How long, in seconds, setting up a second factor has to wait where this removes one. */
  waitSeconds: number;
  /** Whether the code of the authenticator app was right too. */
  isStrong: boolean;
}

/**
 * Sets a password for the holder of the recovery code, replaces the code by the next one, and ends every way in except
 * those to keep. Returns the member's id and what has ended; undefined, changing nothing, when name or code are wrong
 * or the member is disabled. A code works once, even for two who use it at the same time.
 */
export async function recoverMember(
  db: Database,
  recovery: Recovery,
): Promise<{ id: string; ended: EndedWays } | undefined> {
  const { name, recoveryHash, password, nextRecoveryHash, keep, now, waitSeconds, isStrong } = recovery;
  return db.write(async (trx) => {
    const member = await trx
      .updateTable("member")
      .set({ password, password_until: null, recovery_hash: nextRecoveryHash, recovered_at: now })
      .where("name", "=", name)
      .where("recovery_hash", "=", recoveryHash)
      .where("disabled_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!member) return undefined;
    const { id } = member;
    const waits = !isStrong && (await countOwn(trx, "passkey", id)) > 0;
    if (waits)
      await trx
        .updateTable("member")
        .set({ enrol_from: now + waitSeconds })
        .where("id", "=", id)
        .execute();
    return { id, ended: await endWaysIn(trx, id, keep) };
  });
}

/** The member with this name and recovery code. */
export async function findByRecovery(
  db: Database,
  name: string,
  recoveryHash: Bytes,
): Promise<Member | undefined> {
  const row = await selectMembers(db)
    .where("name", "=", name)
    .where("recovery_hash", "=", recoveryHash)
    .executeTakeFirst();
  return row && toMember(row);
}

function selectMembers(db: Database) {
  return db.query
    .selectFrom("member")
    .select(["id", "name", "password", "recovery_hash", "created_at", "totp_key", "totp_since"])
    .select(["role", "disabled_at", "password_until", "recovered_at", "enrol_from"]);
}

function toMember(row: Omit<Selectable<MemberTable>, "created_from" | "totp_step">): Member {
  const { id, name, password, recovery_hash, created_at, totp_key, totp_since } = row;
  return {
    id,
    name,
    password,
    hasRecoveryCode: recovery_hash !== null,
    createdAt: created_at,
    totpKey: totp_key && new Uint8Array(totp_key),
    hasTotp: totp_since !== null,
    isAdmin: row.role === "admin",
    disabledAt: row.disabled_at,
    passwordUntil: row.password_until,
    recoveredAt: row.recovered_at,
    enrolFrom: row.enrol_from,
  };
}
