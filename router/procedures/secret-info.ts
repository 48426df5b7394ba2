import { z } from "zod";
import type { SecretRecord } from "../../db/secrets.ts";
import { secretStatus, time } from "../schemas.ts";
import { toTime, toTimeOrNull } from "../sql-time.ts";

const closed = time.nullable().describe("When it was revealed, revoked, locked or expired; RFC 3339, UTC");

/** What a caller may know about a secret without its content. */
export const secretInfo = z.object({
  id: z.string(),
  status: secretStatus,
  expiry: time,
  closed,
  isEncrypted: z.boolean(),
  hasPassphrase: z.boolean(),
});

export const revokedSecret = secretInfo.pick({ id: true, status: true, closed: true });

export function describeSecret(secret: SecretRecord): z.infer<typeof secretInfo> {
  const { id, status, expiresAt, closedAt, isEncrypted, passVerifier } = secret;
  return {
    id,
    status,
    expiry: toTime(expiresAt),
    closed: toTimeOrNull(closedAt),
    isEncrypted,
    hasPassphrase: passVerifier !== null,
  };
}
