import type { Insertable, Kysely } from "kysely";
import { compileOnce } from "./connection/compiled.ts";
import type { Bytes, SecretStatus, SecretTable, Tables } from "./schema.ts";

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
  /** Sealed in a browser of the owner. */
  label?: string | undefined;
}

/** Who may take the content of a secret: whoever has both verifiers, before it expires. */
export interface Claim {
  id: string;
  verifier: Bytes;
  passVerifier: Bytes | null;
  now: number;
  signal?: AbortSignal | undefined;
}

/** What a claim has taken. */
export interface Taken {
  sealed: Bytes;
  isEncrypted: boolean;
  expiresAt: number;
}

/** The part of a claim that decides: deletes the content of an active secret and closes it as revealed. */
export async function takeContent(
  trx: Kysely<Tables>,
  { id, verifier, passVerifier, now, kind }: Claim & { kind: "text" | "file" },
): Promise<Taken | undefined> {
  const { rows } = await DELETE_CONTENT[kind](trx, { id, verifier, passVerifier, now });
  const [taken] = rows;
  if (!taken) return undefined;
  const [closed] = (await markRevealed(trx, { id, now })).rows;
  if (!closed) throw new Error("A content stands beside the row of its secret.");
  const { is_encrypted, expires_at } = closed;
  return { sealed: new Uint8Array(taken.sealed), isEncrypted: is_encrypted === 1, expiresAt: expires_at };
}

const DELETE_CONTENT = { text: compileDelete("is"), file: compileDelete("is not") };

function compileDelete(isOrNot: "is" | "is not") {
  return compileOnce((query: Kysely<Tables>, { id, verifier, passVerifier, now }: Omit<Claim, "signal">) =>
    query
      .deleteFrom("secret_content")
      .where("secret_id", "=", id)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("secret")
            .select("id")
            .where("id", "=", id)
            .where("closed_at", "is", null)
            .where("expires_at", ">", now)
            .where("verifier", "=", verifier)
            .where("pass_verifier", "is not distinct from", passVerifier)
            .where("file_size", isOrNot, null),
        ),
      )
      .returning("sealed"),
  );
}

const markRevealed = compileOnce((query: Kysely<Tables>, { id, now }: { id: string; now: number }) =>
  query
    .updateTable("secret")
    .set({ status: "revealed", closed_at: now })
    .where("id", "=", id)
    .returning(["is_encrypted", "expires_at"]),
);

/** How a secret ends; an expired one ended when its time was over, not when somebody noticed. */
export interface Ending {
  id: string;
  now: number;
  status: Exclude<SecretStatus, "active">;
}

/** Writes how a secret has ended. */
export async function markClosed(trx: Kysely<Tables>, { id, now, status }: Ending): Promise<void> {
  await trx
    .updateTable("secret")
    .set((secret) => ({ status, closed_at: status === "expired" ? secret.ref("expires_at") : now }))
    .where("id", "=", id)
    .execute();
}

/** The row of a new active secret; `fileSize` is null for a text. */
export function newRow(secret: NewSecret, fileSize: number | null = null): Required<Insertable<SecretTable>> {
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
  };
}

/** Gives files up for good, as part of a transaction; their rows are then nobody's, and are deleted in steps. */
export async function giveUpFiles(trx: Kysely<Tables>, ids: string[]): Promise<void> {
  await trx.updateTable("secret_file").set({ sweep_at: 0 }).where("secret_id", "in", ids).execute();
}
