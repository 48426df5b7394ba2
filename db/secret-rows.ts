import type { Insertable, Kysely } from "kysely";
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
}

/** Who may take the content of a secret: whoever has both verifiers, before it expires. */
export interface Claim {
  id: string;
  verifier: Bytes;
  passVerifier: Bytes | null;
  now: number;
  signal?: AbortSignal | undefined;
}

/** The part of a claim that decides: deletes the content of an active secret and closes it as revealed. */
export async function takeContent(
  trx: Kysely<Tables>,
  { id, verifier, passVerifier, now }: Claim,
): Promise<Bytes | undefined> {
  const taken = await trx
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
          .where("pass_verifier", passVerifier === null ? "is" : "=", passVerifier),
      ),
    )
    .returning("sealed")
    .executeTakeFirst();
  if (!taken) return undefined;
  await markClosed(trx, { id, now, status: "revealed" });
  return new Uint8Array(taken.sealed);
}

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
export function newRow(secret: NewSecret, fileSize: number | null = null): Insertable<SecretTable> {
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
  };
}

/** Gives files up for good, as part of a transaction; their rows are then nobody's, and are deleted in steps. */
export async function giveUpFiles(trx: Kysely<Tables>, ids: string[]): Promise<void> {
  await trx.updateTable("secret_file").set({ sweep_at: 0 }).where("secret_id", "in", ids).execute();
}
