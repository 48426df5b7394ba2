import type { Kysely } from "kysely";
import type { Database } from "../open.ts";
import { changesRow, countChanged } from "../columns.ts";
import { putValue } from "../installation.ts";
import { setActor } from "../outbox/actor.ts";
import { currentActor } from "../running-call.ts";
import type { Tables } from "../schema.ts";
import { endedAs } from "../secrets/secret-rows.ts";
import { workInSteps } from "../sweep/sweep-steps.ts";
import { actOnMember, type Act } from "./act-on-member.ts";

interface Deletion extends Act {
  now: number;
  secrets: "keep" | "revoke";
  keepsAdministrator?: boolean;
}

/** So many secrets or requests end with their member in one transaction, which on SQLite blocks everybody. */
const MOST_AT_ONCE = 1_000;

/**
 * Deletes a member with all sessions and tokens. Secrets are revoked, or stay without an owner; receipts always stay
 * without an owner. False when there is no such member, or when that would be the last administrator where
 * `keepsAdministrator` is set. Many secrets and requests are revoked and released in steps before, while the member is
 * still there: a process that ends meanwhile has deleted only a part.
 */
export async function deleteMember(db: Database, of: Deletion): Promise<boolean> {
  const { id, now, secrets } = of;
  const stays = (trx: Kysely<Tables>) => of.keepsAdministrator === true && isLastAdministrator(trx, id);
  if (await hasMany(db, id)) {
    if (!(await actOnMember(db, of, async (trx) => !(await stays(trx))))) return false;
    await releaseInSteps(db, of);
  }
  return actOnMember(db, of, async (trx) => {
    if (await stays(trx)) return false;
    // Changing the key locks the row against references from secrets that are being created, so that the next statement
    // sees all of them. No real name begins so, and the row is deleted anyway.
    const locked = trx
      .updateTable("member")
      .set({ name: `~${id}` })
      .where("id", "=", id);
    if (!(await locked.$call(changesRow))) return false;
    if (secrets === "revoke") for (const end of ENDS) await end(trx, { owner: id, now });
    await trx.deleteFrom("member").where("id", "=", id).execute();
    return true;
  });
}

async function hasMany({ query }: Database, owner: string): Promise<boolean> {
  for (const table of ["secret", "request"] as const) {
    const own = query.selectFrom(table).select("id").where("owner", "=", owner);
    if (await own.offset(MOST_AT_ONCE).limit(1).executeTakeFirst()) return true;
  }
  return false;
}

async function releaseInSteps(db: Database, { id: owner, now, secrets }: Deletion): Promise<void> {
  const actor = currentActor();
  const inSteps = (step: (trx: Kysely<Tables>, rows: number) => Promise<number>) =>
    workInSteps(db, {
      isAwaited: true,
      step: (rows) =>
        db.writeSoon(async (trx) => {
          if (actor && db.kind === "postgres") await setActor(trx, actor);
          return step(trx, rows);
        }),
    });
  if (secrets === "revoke")
    for (const end of ENDS) await inSteps((trx, rows) => end(trx, { owner, now, rows }));
  for (const table of ["secret", "request"] as const)
    await inSteps((trx, rows) => release(trx, table, { owner, now, rows }));
}

// With their files, all of which the end of the member would otherwise release in one statement.
async function release(trx: Kysely<Tables>, table: "secret" | "request", of: EndOptions): Promise<number> {
  const ids = await idsOf(trx, table, of);
  if (ids.length === 0) return 0;
  if (table === "secret")
    await trx.updateTable("secret_file").set({ owner: null }).where("secret_id", "in", ids).execute();
  return trx.updateTable(table).set({ owner: null }).where("id", "in", ids).$call(countChanged);
}

// Of two who leave at the same time, the second waits for the first at a row of its own, which is locked last: all of
// their own rows would be locked in another order than by those who act on members.
async function isLastAdministrator(trx: Kysely<Tables>, id: string): Promise<boolean> {
  const able = trx
    .selectFrom("member")
    .select("id")
    .where("role", "=", "admin")
    .where("disabled_at", "is", null);
  if (!(await able.where("id", "=", id).executeTakeFirst())) return false;
  await putValue(trx, "leaving administrators", new Uint8Array());
  return !(await able.where("id", "!=", id).executeTakeFirst());
}

/** What of a member's ends: everything, or at most `rows` rows. */
interface EndOptions {
  owner: string;
  now: number;
  rows?: number;
}

const ENDS = [revokeSecrets, cancelRequests];

/** In the order of an index: PostgreSQL would look for the last of a member's rows in the whole table. */
async function idsOf(
  trx: Kysely<Tables>,
  table: "secret" | "request",
  { owner, rows, isOpen = false }: Omit<EndOptions, "now"> & { isOpen?: boolean },
): Promise<string[]> {
  const found = await trx
    .selectFrom(table)
    .select("id")
    .where("owner", "=", owner)
    .$if(isOpen, (own) => own.where("closed_at", "is", null))
    // The index of open secrets.
    .$if(!isOpen || table === "request", (own) => own.orderBy("created_at"))
    .orderBy("id")
    .$if(rows !== undefined, (own) => own.limit(rows ?? 0))
    .execute();
  return found.map(({ id }) => id);
}

// Contents first, as in every transaction that ends a secret. What is being delivered ends at its own time.
async function revokeSecrets(trx: Kysely<Tables>, of: EndOptions): Promise<number> {
  const ids = await idsOf(trx, "secret", { ...of, isOpen: true });
  if (ids.length === 0) return 0;
  await trx
    .deleteFrom("secret_content")
    .where("secret_id", "in", ids)
    .where("sweep_at", "is", null)
    .execute();
  await trx
    .updateTable("secret_file")
    .set({ sweep_at: 0 })
    .where("secret_id", "in", (active) =>
      active.selectFrom("secret").select("id").where("id", "in", ids).where("closed_at", "is", null),
    )
    .execute();
  await trx
    .updateTable("secret")
    .set(endedAs("revoked", of.now))
    .where("id", "in", ids)
    .where("closed_at", "is", null)
    .execute();
  return ids.length;
}

// Requests first, as in every transaction that ends one. Receipts of expired requests say so.
async function cancelRequests(trx: Kysely<Tables>, of: EndOptions): Promise<number> {
  const ids = await idsOf(trx, "request", { ...of, isOpen: true });
  if (ids.length === 0) return 0;
  const { now } = of;
  const cancelled = await trx
    .updateTable("request")
    .set((request) => {
      const whenOver = request.case().when("expires_at", "<=", now);
      return {
        note: null,
        status: whenOver
          .then("expired" as const)
          .else("cancelled" as const)
          .end(),
        closed_at: whenOver.then(request.ref("expires_at")).else(request.val(now)).end(),
      };
    })
    .where("id", "in", ids)
    .where("closed_at", "is", null)
    .returning("id")
    .execute();
  const over = cancelled.map(({ id }) => id);
  if (over.length > 0) await trx.deleteFrom("request_answer").where("request_id", "in", over).execute();
  return ids.length;
}
