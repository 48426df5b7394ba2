import { findSecret, type SecretRecord } from "../../../db/secrets/secrets.ts";
import { isBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { deriveVerifier } from "../../../tools/crypto/secret-seal.ts";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";
import type { Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";
import {
  REVOKE_TOKEN_LENGTH,
  SECRET_ID_LENGTH,
  SECRET_KEY_LENGTH,
  secretStatus,
  time,
} from "../../schemas.ts";
import { z } from "zod";
import { describeEnd } from "../../../wire/call-error.ts";

/**
 * The secret that id and key identify together. The verifier is derived before the look-up, so that a wrong id takes as
 * long as a wrong key.
 * @throws ApiError secret_not_found
 */
export async function findByKey(
  by: { id: string; key: string },
  { db, now }: Services,
): Promise<SecretRecord> {
  if (!areWellFormed(by)) throw secretNotFound();
  const verifier = deriveVerifier(by.key, by.id);
  const secret = await findSecret(db, by.id, now());
  if (!secret || !equalBytes(secret.verifier, verifier)) throw secretNotFound();
  return secret;
}

/** Whether they have the form of a secret's id and key. */
export function areWellFormed({ id, key }: { id: string; key: string }): boolean {
  return isBase62(id, SECRET_ID_LENGTH) && isBase62(key, SECRET_KEY_LENGTH);
}

/** The secret with this revoke token. @throws ApiError secret_not_found */
export async function findByToken(
  by: { id: string; token: string },
  { db, now }: Services,
): Promise<SecretRecord> {
  if (!isBase62(by.id, SECRET_ID_LENGTH) || !isBase62(by.token, REVOKE_TOKEN_LENGTH)) throw secretNotFound();
  const revokeHash = digestText(by.token);
  const secret = await findSecret(db, by.id, now());
  if (!secret || !equalBytes(secret.revokeHash, revokeHash)) throw secretNotFound();
  return secret;
}

/** The member's own secret; one of another member is not found either. @throws ApiError secret_not_found */
export async function findOwnSecret(
  by: { id: string; owner: string },
  { db, now }: Services,
): Promise<SecretRecord> {
  const secret = isBase62(by.id, SECRET_ID_LENGTH) && (await findSecret(db, by.id, now()));
  if (!secret || secret.owner !== by.owner)
    throw new ApiError("secret_not_found", "You have no secret with this id");
  return secret;
}

/** The same error for an unknown id and a wrong key, so that an id alone reveals nothing. */
export function secretNotFound(): ApiError {
  return new ApiError("secret_not_found", "No secret has this id and key; nothing was used up");
}

/** Says how to read a secret of the other kind. */
export function wrongKind(
  { id }: SecretRecord,
  kind: "text" | "file",
  services: Pick<Services, "basePath">,
): ApiError {
  const path = `${services.basePath}/api/secrets/${id}/${kind === "file" ? "file" : "reveal"}`;
  return new ApiError("wrong_kind", `This secret is a ${kind}: read it with POST ${path}`, { kind, path });
}

/** Only callers with the right key get this error. */
export function gone({ status: secretStatus, closedAt }: SecretRecord): ApiError {
  const closed = toTimeOrNull(closedAt);
  const error = `This secret can no longer be opened: ${describeEnd({ status: secretStatus, closed })}`;
  return new ApiError("secret_gone", error, { secretStatus, closed });
}

export function passphraseRequired(): ApiError {
  return new ApiError("passphrase_required", 'This secret needs a passphrase; send it as "passphrase"', {
    parameter: "passphrase",
  });
}

/** The result of the work; undefined when the secret is gone. @throws whatever else the work throws */
export async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === "secret_gone") return undefined;
    throw error;
  }
}

const closed = time.nullable().describe("When it was revealed, revoked, locked or expired; RFC 3339, UTC");

/** What callers may know about a secret without its content. */
export const secretInfo = z.object({
  id: z.string(),
  kind: z.enum(["text", "file"]),
  status: secretStatus,
  expiry: time,
  closed,
  isEncrypted: z.boolean(),
  hasPassphrase: z.boolean(),
});

/** What holders of the key or the revoke token may know: its size too. */
export const sizedSecretInfo = secretInfo.extend({
  size: z.int().optional().describe("Of a file, in bytes; for callers with the key or the revoke token"),
});

/** What holders of the key or the revoke token may know. */
export function describeSized(secret: SecretRecord): z.infer<typeof sizedSecretInfo> {
  return { ...describeSecret(secret), size: secret.fileSize ?? undefined };
}

export const revokedSecret = secretInfo.pick({ id: true, status: true, closed: true });

export function describeSecret(secret: SecretRecord): z.infer<typeof secretInfo> {
  const { id, status, expiresAt, closedAt, isEncrypted, passVerifier } = secret;
  return {
    id,
    kind: secret.fileSize === null ? "text" : "file",
    status,
    expiry: toTime(expiresAt),
    closed: toTimeOrNull(closedAt),
    isEncrypted,
    hasPassphrase: passVerifier !== null,
  };
}
