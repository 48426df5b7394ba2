import type { ExpressionBuilder, Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Bytes } from "../columns.ts";
import type { SecretStatus, Tables } from "../schema.ts";
import { runInside, statement, type ParameterOf } from "../statement.ts";
import type { TransactionSteps } from "../stored-bytes.ts";
import { insertAtOnce, keepAtOnce, takeAtOnce, type NewRow, type ClaimResult } from "./one-trip.ts";

export interface NewSecret {
  id: string;
  verifier: Bytes;
  passVerifier: Bytes | null;
  revokeHash: Bytes;
  sealed: Bytes;
  createdAt: number;
  expiresAt: number;
  isEncrypted: boolean;
  owner: string | null;
  /** Encrypted in the owner's browser. */
  label?: string | undefined;
  /** Whether the owner's hooks are not told of it. */
  isQuiet?: boolean | undefined;
}

/** The ticket with which a claimed content can be read again, and until when. */
export interface Ticket {
  /** SHA-256 (docs/formats.md, 7). */
  hash: Bytes;
  sweepAt: number;
}

/** A claim on a secret's content, which a caller with both verifiers may take before it expires. */
export interface Claim {
  id: string;
  verifier: Bytes;
  passVerifier: Bytes | null;
  now: number;
  /** Without one the content of a text is deleted at once. */
  ticket?: Ticket | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The deciding part of a claim: takes the content of an active secret and closes it as revealed. Content kept for a
 * ticket is written too, so that a second claim, which waits for the row on PostgreSQL, finds it taken.
 */
export async function takeContent(
  trx: Kysely<Tables>,
  { id, verifier, passVerifier, now, ticket, kind }: Claim & { kind: "text" | "file" },
): Promise<ClaimResult | undefined> {
  const by = { id, verifier, passVerifier, now };
  const isKept = kind === "text" && ticket !== undefined;
  const { rows } = await (isKept
    ? runInside(trx, KEEP_CONTENT, { ...by, sweepAt: ticket.sweepAt })
    : runInside(trx, DELETE_CONTENT[kind], by));
  const [taken] = rows;
  if (!taken) return undefined;
  const [closed] = (await runInside(trx, MARK_REVEALED, { id, now, ticketHash: ticket?.hash ?? null })).rows;
  if (!closed) throw new Error("A secret's content was taken, but its row was not found.");
  const { is_encrypted, expires_at } = closed;
  return { sealed: new Uint8Array(taken.sealed), isEncrypted: is_encrypted === 1, expiresAt: expires_at };
}

const DELETE_CONTENT = { text: deleteContent("is"), file: deleteContent("is not") };

function deleteContent(isOrNot: "is" | "is not") {
  return statement((query, of: ParameterOf<Rights>) =>
    query
      .deleteFrom("secret_content")
      .where("secret_id", "=", of("id"))
      .where("sweep_at", "is", null)
      .where(isActive(of, isOrNot))
      .returning("sealed"),
  );
}

const KEEP_CONTENT = statement((query, of: ParameterOf<Rights & { sweepAt: number }>) =>
  query
    .updateTable("secret_content")
    .set({ sweep_at: of("sweepAt") })
    .where("secret_id", "=", of("id"))
    .where("sweep_at", "is", null)
    .where(isActive(of, "is"))
    .returning("sealed"),
);

type Rights = Omit<Claim, "signal" | "ticket">;

function isActive(of: ParameterOf<Rights>, isOrNot: "is" | "is not") {
  return ({ exists, selectFrom }: ExpressionBuilder<Tables, "secret_content">) =>
    exists(
      selectFrom("secret")
        .select("id")
        .where("id", "=", of("id"))
        .where("closed_at", "is", null)
        .where("expires_at", ">", of("now"))
        .where("verifier", "=", of("verifier"))
        .where("pass_verifier", "is not distinct from", of("passVerifier"))
        .where("file_size", isOrNot, null),
    );
}

const MARK_REVEALED = statement(
  (query, of: ParameterOf<{ id: string; now: number; ticketHash: Bytes | null }>) =>
    query
      .updateTable("secret")
      .set({ status: "revealed", closed_at: of("now"), ticket_hash: of("ticketHash") })
      .where("id", "=", of("id"))
      .returning(["is_encrypted", "expires_at"]),
);

/** How a secret is ended. */
export interface SecretEnd {
  id: string;
  now: number;
  status: "revoked" | "locked";
}

/** Stores how a secret has ended, and returns that. */
export async function markClosed(
  trx: Kysely<Tables>,
  { id, now, status }: SecretEnd,
): Promise<SecretStatus | undefined> {
  const row = await trx
    .updateTable("secret")
    .set(endedAs(status, now))
    .where("id", "=", id)
    .returning("status")
    .executeTakeFirst();
  return row?.status;
}

/** The columns of a secret that ends now: one past its time has expired. */
export function endedAs(status: SecretEnd["status"], now: number) {
  return (secret: ExpressionBuilder<Tables, "secret">) => {
    const whenOver = secret.case().when("expires_at", "<=", now);
    return {
      status: whenOver
        .then("expired" as const)
        .else(status)
        .end(),
      closed_at: whenOver.then(secret.ref("expires_at")).else(secret.val(now)).end(),
    };
  };
}

/** The row of a new active secret; `fileSize` is null for a text. */
export function newRow(secret: NewSecret, fileSize: number | null = null): Omit<NewRow, "size" | "sealed"> {
  return {
    id: secret.id,
    verifier: secret.verifier,
    pass_verifier: secret.passVerifier,
    revoke_hash: secret.revokeHash,
    status: "active",
    created_at: secret.createdAt,
    expires_at: secret.expiresAt,
    closed_at: null,
    is_encrypted: secret.isEncrypted ? 1 : 0,
    file_size: fileSize,
    attempts: 0,
    owner: secret.owner,
    label: secret.label ?? null,
    is_quiet: secret.isQuiet ? 1 : null,
  };
}

/** Gives up files, as part of a transaction; their rows then belong to nobody, and are deleted in steps. */
export async function giveUpFiles(trx: Kysely<Tables>, ids: string[]): Promise<void> {
  await trx.updateTable("secret_file").set({ sweep_at: 0 }).where("secret_id", "in", ids).execute();
}

/** Stores an active secret. Returns false and stores nothing when the id is taken. */
export async function insertSecret(
  db: Database,
  secret: NewSecret,
  { claim, keep }: TransactionSteps = {},
): Promise<boolean> {
  const row = { ...newRow(secret), size: secret.sealed.length, sealed: secret.sealed };
  if (db.kind === "postgres" && !claim && !keep) return insertAtOnce(db, row);
  return db.write(async (trx) => {
    await claim?.(trx);
    const { numAffectedRows } = await runInside(trx, INSERT_ROW, row);
    if (numAffectedRows === 0n) return false;
    await runInside(trx, INSERT_CONTENT, row);
    await keep?.(trx);
    return true;
  });
}

/**
 * Takes the encrypted content of an active text for the one caller with the right verifiers; others get undefined and
 * change nothing. The content is deleted, or kept for a ticket, before anything is read, so of many processes exactly
 * one gets it. Nothing is taken for a caller who leaves, by `signal`, before the commit.
 * @throws the reason of the signal
 */
export async function claimSecret(db: Database, claim: Claim): Promise<Bytes | undefined> {
  return (await take(db, claim))?.sealed;
}

async function take(db: Database, claim: Claim): Promise<ClaimResult | undefined> {
  return db.write(async (trx) => {
    // Waiting for a connection to PostgreSQL may have taken time.
    claim.signal?.throwIfAborted();
    const taken = await takeContent(trx, { ...claim, kind: "text" });
    // Waiting for the row may have taken time too. Throwing rolls everything back.
    claim.signal?.throwIfAborted();
    return taken;
  });
}

/**
 * The same with fewer round trips to PostgreSQL, for a text without a passphrase that nobody else has locked; undefined
 * means only that it was not taken in this way.
 * @throws the reason of the signal
 */
export async function claimAtOnce(
  db: Database,
  claim: Omit<Claim, "passVerifier">,
): Promise<ClaimResult | undefined> {
  if (db.kind === "sqlite") return take(db, { ...claim, passVerifier: null });
  const { ticket, ...by } = claim;
  if (!ticket) return takeAtOnce(db, by);
  return keepAtOnce(db, { ...by, ticketHash: ticket.hash, sweepAt: ticket.sweepAt });
}

const INSERT_ROW = statement((query, of: ParameterOf<NewRow>) =>
  query
    .insertInto("secret")
    .values({
      id: of("id"),
      verifier: of("verifier"),
      pass_verifier: of("pass_verifier"),
      revoke_hash: of("revoke_hash"),
      status: of("status"),
      created_at: of("created_at"),
      expires_at: of("expires_at"),
      closed_at: of("closed_at"),
      is_encrypted: of("is_encrypted"),
      file_size: of("file_size"),
      attempts: of("attempts"),
      owner: of("owner"),
      label: of("label"),
      is_quiet: of("is_quiet"),
    })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const INSERT_CONTENT = statement((query, of: ParameterOf<Pick<NewRow, "id" | "size" | "sealed">>) =>
  query.insertInto("secret_content").values({ secret_id: of("id"), size: of("size"), sealed: of("sealed") }),
);
