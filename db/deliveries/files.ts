import type { Database } from "../open.ts";
import { takeContent, type Claim, type Ticket } from "../secrets/secret-rows.ts";
import type { Bytes } from "../columns.ts";

/** What stands beside the chunks of a file, and the number of who may read them now. */
export interface FileDelivery {
  head: Bytes;
  reader: number;
}

/**
 * Claims a file as claimSecret does a text: it is revealed now, and from now on its rows are for whoever has the
 * ticket, until `sweepAt`.
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
 * Goes on with a delivery, for whoever has its ticket; who has read it until now finds no more of it. Undefined with
 * another ticket or too late.
 */
export async function resumeFile(
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

/** Keeps the rows of a file until another time, while this reader is the last one. */
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
