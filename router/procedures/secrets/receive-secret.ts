import { endSecretDelivery } from "../../../db/deliveries/contents.ts";
import { deleteGivenUp } from "../../../db/secrets/secret-files.ts";
import type { SecretRecord } from "../../../db/secrets/secrets.ts";
import type { Services } from "../../context.ts";
import { gone } from "./gone.ts";
import { isClaimedWith, notClaimed } from "./ticket.ts";

/** The rows of a larger file take longer than an answer should. */
const DELETED_AT_ONCE = 1_048_576;

/**
 * Ends a delivery; saying so again gives the same answer. With another ticket nothing changes.
 * @throws ApiError secret_gone, invalid_parameter
 */
export async function receiveSecret(
  secret: SecretRecord,
  { ticket, services: { db } }: { ticket: string; services: Pick<Services, "db"> },
) {
  const { id, fileSize, status } = secret;
  if (status === "active") throw notClaimed("secret");
  if (!isClaimedWith(secret, ticket)) throw gone(secret);
  await endSecretDelivery(db, { id });
  if (fileSize !== null) {
    // What is not deleted here is for the sweep.
    const deleted = deleteGivenUp(db, { id }).catch(() => undefined);
    if (fileSize <= DELETED_AT_ONCE) await deleted;
  }
  return { id, status: "revealed" as const };
}
