import type { Database } from "../open.ts";
import { DAY_SECONDS } from "../allowance.ts";
import { giveUpFiles, type Ticket } from "../secrets/secret-rows.ts";
import type { Bytes } from "../columns.ts";
import { sweepRows, type SweepOptions } from "../sweep/sweep-steps.ts";

/** A claimed content, and the ticket with which it is asked for again. */
interface ClaimRepeat {
  id: string;
  ticket: Ticket;
  now: number;
}

/**
 * The content of a text that was claimed with this ticket, kept until a later time; undefined with another ticket or
 * too late.
 */
export async function repeatSecret(
  db: Database,
  { id, ticket, now }: ClaimRepeat,
): Promise<Bytes | undefined> {
  const row = await db.writeSoon((trx) =>
    trx
      .updateTable("secret_content")
      .set({ sweep_at: ticket.sweepAt })
      .where("secret_id", "=", id)
      .where("sweep_at", ">", now)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom("secret").select("id").where("id", "=", id).where("ticket_hash", "=", ticket.hash)),
      )
      .returning("sealed")
      .executeTakeFirst(),
  );
  return row && new Uint8Array(row.sealed);
}

/** Like `repeatSecret`, for an answer that was collected. */
export async function repeatAnswer(
  db: Database,
  { id, ticket, now }: ClaimRepeat,
): Promise<Bytes | undefined> {
  const row = await db.writeSoon((trx) =>
    trx
      .updateTable("request_answer")
      .set(({ eb, case: choose, val }) => {
        const last = eb("collected_at", "+", DAY_SECONDS);
        return {
          sweep_at: choose().when(last, "<", ticket.sweepAt).then(last).else(val(ticket.sweepAt)).end(),
        };
      })
      .where("request_id", "=", id)
      .where("ticket_hash", "=", ticket.hash)
      .where("sweep_at", ">", now)
      .returning("sealed")
      .executeTakeFirst(),
  );
  return row && new Uint8Array(row.sealed);
}

/** Ends the delivery of a secret: a text is deleted, and the rows of a file belong to nobody any more. */
export async function endSecretDelivery(db: Database, id: string): Promise<void> {
  await db.write(async (trx) => {
    await trx
      .deleteFrom("secret_content")
      .where("secret_id", "=", id)
      .where("sweep_at", "is not", null)
      .execute();
    await giveUpFiles(trx, [id]);
  });
}

/** Ends the delivery of an answer, and deletes it. */
export async function endAnswerDelivery(db: Database, id: string, ticketHash: Bytes): Promise<void> {
  await db.write((trx) =>
    trx
      .deleteFrom("request_answer")
      .where("request_id", "=", id)
      .where("ticket_hash", "=", ticketHash)
      .execute(),
  );
}

/** Deletes texts and answers whose delivery is over; returns how many. Files are deleted by sweepFiles. */
export async function sweepDeliveries(db: Database, sweep: { now: number } & SweepOptions): Promise<number> {
  const texts = await sweepRows(db, "secret_content.secret_id", sweep);
  return texts + (await sweepRows(db, "request_answer.request_id", sweep));
}

/** Counts texts, answers and files that were claimed with a ticket and may still be asked for again. */
export async function countDeliveries({ query }: Database): Promise<number> {
  const kept = query
    .selectFrom("secret_content")
    .select("size")
    .where("sweep_at", "is not", null)
    .unionAll(query.selectFrom("request_answer").select("size").where("sweep_at", "is not", null))
    .unionAll(
      query
        .selectFrom("secret_file")
        .select("size")
        .where("sweep_at", ">", 0)
        .where("ticket_hash", "is not", null),
    );
  const { count } = await query
    .selectFrom(kept.as("kept"))
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}
