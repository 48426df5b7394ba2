import type { Database } from "../open.ts";
import { takeContent, type Claim, type Ticket } from "../secrets/secret-rows.ts";
import type { Bytes } from "../columns.ts";

/** The metadata stored with the chunks of a file, and the number of its current reader. */
export interface FileDelivery {
  head: Bytes;
  reader: number;
}

/**
 * Claims a file as claimSecret claims a text: it is revealed now, and until `sweepAt` its rows are for the holder of
 * the ticket.
 * @throws the reason of the signal
 */
export async function claimFile(
  db: Database,
  { ticket, ...claim }: Claim & { ticket: Ticket },
): Promise<FileDelivery | undefined> {
  return db.write(async (trx) => {
    claim.signal?.throwIfAborted();
    const head = (await takeContent(trx, { ...claim, ticket, kind: "file" }))?.sealed;
    if (!head) return undefined;
    const { reader } = await trx
      .updateTable("secret_file")
      .set((file) => ({
        head,
        ticket_hash: ticket.hash,
        sweep_at: ticket.sweepAt,
        reader: file("reader", "+", 1),
      }))
      .where("secret_id", "=", claim.id)
      .returning("reader")
      .executeTakeFirstOrThrow();
    claim.signal?.throwIfAborted();
    return { head, reader };
  });
}

/**
 * Continues a delivery for the holder of its ticket; an earlier reader gets no more of it. Undefined with another
 * ticket or too late.
 */
export async function resumeDelivery(
  db: Database,
  { id, ticket, now }: { id: string; ticket: Ticket; now: number },
): Promise<FileDelivery | undefined> {
  const row = await db.writeSoon((trx) =>
    trx
      .updateTable("secret_file")
      .set((file) => ({ reader: file("reader", "+", 1), sweep_at: ticket.sweepAt }))
      .where("secret_id", "=", id)
      .where("ticket_hash", "=", ticket.hash)
      .where("sweep_at", ">", now)
      .returning(["head", "reader"])
      .executeTakeFirst(),
  );
  return row?.head ? { head: new Uint8Array(row.head), reader: row.reader } : undefined;
}

/** Keeps the rows of a file until a later time, while this reader is the latest. */
export async function keepDelivery(
  db: Database,
  { id, reader, sweepAt }: { id: string; reader: number; sweepAt: number },
): Promise<void> {
  await db.writeSoon((trx) =>
    trx
      .updateTable("secret_file")
      .set({ sweep_at: sweepAt })
      .where("secret_id", "=", id)
      .where("reader", "=", reader)
      .where("sweep_at", ">", 0)
      .execute(),
  );
}
