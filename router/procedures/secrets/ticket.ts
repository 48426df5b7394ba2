import { DAY_SECONDS } from "../../../db/allowance.ts";
import type { SecretRecord } from "../../../db/secrets/secrets.ts";
import type { Ticket } from "../../../db/secrets/secret-rows.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { deriveAtRest, type AtRestKeys } from "../../../tools/crypto/secret-seal.ts";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";
import type { Requester, Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { TICKET_LENGTH, secretText } from "../../schemas.ts";
import { DELIVERY_SECONDS } from "../../limits.ts";
import { passphraseRequired } from "./find-secret.ts";

const FORM = new RegExp(`^[0-9A-Za-z]{${TICKET_LENGTH}}$`);

/** The ticket of a delivery, made by its caller or received earlier. */
export const ticket = secretText(
  "32 random characters of base62; with it the same call is answered again",
).regex(FORM, `must be ${TICKET_LENGTH} characters of base62`);

/** A ticket as it is stored, valid for ten minutes from now, and at most a day after the claim. */
export function ticketOf(options: { id: string; ticket: string; claimedAt: number; now: number }): Ticket {
  const { id, ticket: text, claimedAt, now } = options;
  return { hash: digestTicket({ id, ticket: text }), sweepAt: sweepTime({ claimedAt, now }) };
}

/** When a delivery ends of which a byte was taken now. */
export function sweepTime({ claimedAt, now }: { claimedAt: number; now: number }): number {
  return Math.min(now + DELIVERY_SECONDS, claimedAt + DAY_SECONDS);
}

/** Whether a secret was claimed with this ticket. */
export function isClaimedWith(
  claimed: { readonly id: string; readonly ticketHash: Uint8Array | null },
  text: string | undefined,
): boolean {
  if (text === undefined || claimed.ticketHash === null) return false;
  return equalBytes(claimed.ticketHash, digestTicket({ id: claimed.id, ticket: text }));
}

/** The stored form of a ticket of a secret or a request. */
export function digestTicket({ id, ticket: text }: { id: string; ticket: string }) {
  return digestText(`hushkit ticket v1${id}${text}`);
}

/**
 * The keys of a claimed secret for the holder of its ticket. Wrong passphrases are not counted: a ticket has 190 bits,
 * so nobody has somebody else's to try passphrases with, and there is nothing left to lock.
 * @throws ApiError passphrase_required, wrong_passphrase
 */
export async function unlockClaimed(
  { id, passVerifier: expected }: SecretRecord,
  of: { services: Services; key: string; passphrase?: string | undefined; requester: Requester },
): Promise<AtRestKeys> {
  const { services, key, passphrase, requester } = of;
  if (expected === null) return deriveAtRest(key, { id });
  if (!passphrase) throw passphraseRequired();
  const keys = await services.lanes.passwords.run(requester, () => deriveAtRest(key, { id, passphrase }));
  if (keys.passVerifier && equalBytes(keys.passVerifier, expected)) return keys;
  const error = "The passphrase is wrong; the content is still kept for this ticket";
  throw new ApiError("wrong_passphrase", error, { parameter: "passphrase" });
}

/** Nothing was claimed yet, so nothing can be confirmed. */
export function notClaimed(what: "secret" | "request"): ApiError {
  const error = `This ${what} was not read with a ticket yet; nothing was changed`;
  return new ApiError("invalid_parameter", error, { parameter: "ticket", in: "body" });
}
