import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import { changesRow, type Bytes } from "../columns.ts";
import type { HookForm } from "./tables.ts";
import type { Tables } from "../schema.ts";
import type { TransactionSteps } from "../stored-bytes.ts";
import { countOwn, lockMember } from "./lock-member.ts";

export type { HookForm };

/** An address of a member's that is told about the member's secrets and requests. Times are unix seconds. */
export interface Hook {
  id: string;
  member: string;
  form: HookForm;
  /** The host of the URL, to show to people. */
  host: string;
  events: readonly string[];
  /** The URL and the signing secret, encrypted. */
  sealed: Bytes;
  createdAt: number;
  /** When its receiver asked for nothing more; null while it is in use. */
  endedAt: number | null;
}

/** Stores a hook. Returns false and stores nothing where the member has `ceiling` hooks already or is gone. */
export async function insertHook(
  db: Database,
  { ceiling, keep, ...hook }: Omit<Hook, "endedAt"> & Pick<TransactionSteps, "keep"> & { ceiling: number },
): Promise<boolean> {
  return db.write(async (trx) => {
    if (!(await lockMember(trx, hook.member))) return false;
    if ((await countOwn(trx, "hook", hook.member)) >= ceiling) return false;
    const { events, createdAt, ...rest } = hook;
    await trx
      .insertInto("hook")
      .values({ ...rest, events: events.join(","), created_at: createdAt })
      .execute();
    await keep?.(trx);
    return true;
  });
}

/** Changes a hook. Returns false and changes nothing where the hook is gone or differs from `from` by now. */
export async function updateHook(
  db: Database,
  { id, form, host, events, sealed, endedAt }: Hook,
  { from, keep }: Pick<TransactionSteps, "keep"> & { from: Bytes },
): Promise<boolean> {
  return db.write(async (trx) => {
    const isChanged = await trx
      .updateTable("hook")
      .set({ form, host, events: events.join(","), sealed, ended_at: endedAt })
      .where("id", "=", id)
      .where("sealed", "=", from)
      .$call(changesRow);
    if (!isChanged) return false;
    await keep?.(trx);
    return true;
  });
}

/** A member's hooks, newest first. */
export async function listHooks(db: Database, member: string): Promise<Hook[]> {
  const rows = await selectHooks(db.query)
    .where("member", "=", member)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toHook);
}

/** The hook with this id, if it still exists and its member is not disabled. */
export async function findHook(db: Database, id: string): Promise<Hook | undefined> {
  const row = await selectHooks(db.query)
    .where("id", "=", id)
    .where("member", "in", (members) =>
      members.selectFrom("member").select("member.id").where("disabled_at", "is", null),
    )
    .executeTakeFirst();
  return row && toHook(row);
}

/** Removes one of a member's hooks and its pending events. False where the member has no such hook. */
export async function deleteHook(db: Database, member: string, id: string): Promise<boolean> {
  return db.write((trx) =>
    trx.deleteFrom("hook").where("member", "=", member).where("id", "=", id).$call(changesRow),
  );
}

/** Stops recording events for a hook and deletes its pending ones; its member still sees the hook. */
export async function endHook(db: Database, id: string, now: number): Promise<void> {
  await db.write(async (trx) => {
    await trx.updateTable("hook").set({ ended_at: now }).where("id", "=", id).execute();
    await trx.deleteFrom("outbox").where("hook", "=", id).execute();
  });
}

function selectHooks(query: Kysely<Tables>) {
  return query
    .selectFrom("hook")
    .select([
      ...(["id", "member", "form", "host", "events", "sealed"] as const),
      ...(["created_at as createdAt", "ended_at as endedAt"] as const),
    ]);
}

function toHook<Row extends { events: string; sealed: Uint8Array }>({ events, sealed, ...row }: Row) {
  return { ...row, events: events.split(","), sealed: new Uint8Array(sealed) };
}
