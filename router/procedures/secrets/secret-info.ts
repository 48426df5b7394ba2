import { z } from "zod";
import type { SecretRecord } from "../../../db/secrets/secrets.ts";
import { secretStatus, time } from "../../schemas.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";

const closed = time.nullable().describe("When it was revealed, revoked, locked or expired; RFC 3339, UTC");

/** What a caller may know about a secret without its content. */
export const secretInfo = z.object({
  id: z.string(),
  kind: z.enum(["text", "file"]),
  status: secretStatus,
  expiry: time,
  closed,
  isEncrypted: z.boolean(),
  hasPassphrase: z.boolean(),
});

/** The same for whoever has the key or the revoke token. */
export const sizedSecretInfo = secretInfo.extend({
  size: z.int().optional().describe("Of a file, in bytes; for whoever has the key or the revoke token"),
});

/** What whoever has the key or the revoke token may know. */
export function describeSized(secret: SecretRecord): z.infer<typeof sizedSecretInfo> {
  const { fileSize } = secret;
  return { ...describeSecret(secret), ...(fileSize === null ? {} : { size: fileSize }) };
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
