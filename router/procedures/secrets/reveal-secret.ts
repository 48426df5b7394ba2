import { repeatSecret } from "../../../db/deliveries/contents.ts";
import { deleteGivenUp } from "../../../db/secrets/secret-files.ts";
import {
  claimAtOnce,
  claimSecret,
  closeSecret,
  findSecret,
  takeAttempt,
  type SecretRecord,
} from "../../../db/secrets/secrets.ts";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";
import { deriveAtRest, openContent, type AtRestKeys } from "../../../tools/crypto/secret-seal.ts";
import type { Requester, Services } from "../../context.ts";
import { PASSPHRASE_ATTEMPTS } from "../../limits.ts";
import { ApiError } from "../../errors/errors.ts";
import { waiting } from "../../policy/running-call.ts";
import {
  areWellFormed,
  secretNotFound,
  gone,
  passphraseRequired,
  unlessGone,
  wrongKind,
} from "./find-secret.ts";
import { isClaimedWith, ticketOf, unlockClaimed } from "./ticket.ts";
import { toTimeOrNull } from "../../clock.ts";

/** Revokes a secret; repeating that gives the same response. @throws ApiError secret_gone when it ended otherwise */
export async function revokeSecret(found: SecretRecord, { db, now }: Services) {
  await closeSecret(db, { id: found.id, now: now(), status: "revoked" });
  if (found.fileSize !== null) await deleteGivenUp(db, found.id);
  const secret = (await findSecret(db, found.id, now())) ?? found;
  if (secret.status !== "revoked") throw gone(secret);
  return { id: secret.id, status: secret.status, closed: toTimeOrNull(secret.closedAt) };
}

export interface RevealOptions {
  readonly services: Services;
  readonly key: string;
  readonly passphrase?: string | undefined;
  readonly requester: Requester;
}

interface TextOptions extends RevealOptions {
  /** With one the text is kept for its holder; otherwise it is deleted. */
  readonly ticket?: string | undefined;
}

/**
 * The shortest way for most readings: takes an active text without a passphrase by id and key alone. Undefined for
 * everything else; nothing is used up then.
 */
export async function revealAtOnce(
  { id, key, ticket }: { id: string; key: string; ticket?: string | undefined },
  { services: { db, now }, requester: { signal } }: Pick<RevealOptions, "services" | "requester">,
) {
  if (!areWellFormed({ id, key })) return undefined;
  const { verifier, storageKey } = await deriveAtRest(key, { id });
  const taken = await claimAtOnce(db, { id, verifier, signal, ...claimAt(now(), { id, ticket }) });
  if (!taken) return undefined;
  const { sealed, isEncrypted, expiresAt } = taken;
  const content = await openContent(sealed, { storageKey, id, isEncrypted, expirySeconds: expiresAt });
  return { id, content, isEncrypted };
}

// A claim made now, with the time of its ticket if there is one.
function claimAt(now: number, { id, ticket }: { id: string; ticket?: string | undefined }) {
  return { now, ticket: ticket === undefined ? undefined : ticketOf({ id, ticket, claimedAt: now, now }) };
}

/**
 * Reads a text, and deletes it or keeps it for a ticket, whose holder gets the same again. Only the right key and
 * passphrase use it up.
 * @throws ApiError
 */
export async function revealSecret(secret: SecretRecord, options: TextOptions) {
  if (secret.fileSize !== null) throw wrongKind(secret, "file", options.services);
  if (options.ticket === undefined) return take(secret, options);
  const first = secret.status === "active" && (await unlessGone(() => take(secret, options)));
  if (first) return first;
  // Claimed before, or just now by a repetition of this call.
  const closed = await findSecret(options.services.db, secret.id, options.services.now());
  if (!closed) throw secretNotFound();
  const again = await repeat(closed, options);
  if (!again) throw gone(closed);
  return again;
}

async function repeat(secret: SecretRecord, options: TextOptions) {
  const { services, ticket } = options;
  const { id, isEncrypted, expiresAt, closedAt } = secret;
  if (ticket === undefined || closedAt === null || !isClaimedWith(secret, ticket)) return undefined;
  const { storageKey } = await unlockClaimed(secret, options);
  const now = services.now();
  const kept = { id, now, ticket: ticketOf({ id, ticket, claimedAt: closedAt, now }) };
  const sealed = await repeatSecret(services.db, kept);
  if (!sealed) return undefined;
  const content = await openContent(sealed, { storageKey, id, isEncrypted, expirySeconds: expiresAt });
  return { id, content, isEncrypted };
}

/** The keys of an active secret for callers with the right key and passphrase. Uses nothing up. @throws ApiError */
export async function unlockSecret(secret: SecretRecord, options: RevealOptions): Promise<AtRestKeys> {
  const { key, passphrase } = options;
  if (secret.status !== "active") throw gone(secret);
  if (!secret.passVerifier) return deriveAtRest(key, { id: secret.id });
  if (!passphrase) throw passphraseRequired();
  return unlockWithPassphrase(secret, { ...options, passphrase });
}

async function unlockWithPassphrase(
  secret: SecretRecord,
  options: RevealOptions & { passphrase: string },
): Promise<AtRestKeys> {
  const { services, requester } = options;
  const attempt = await services.lanes.passwords.run(requester, () => tryPassphrase(secret, options));
  if (!attempt) throw gone(await settle(secret.id, services));
  const { number, keys } = attempt;
  if (keys.passVerifier && secret.passVerifier && equalBytes(keys.passVerifier, secret.passVerifier)) {
    return keys;
  }
  const attemptsLeft = PASSPHRASE_ATTEMPTS - number;
  const { db, now } = services;
  if (attemptsLeft === 0) await closeSecret(db, { id: secret.id, now: now(), status: "locked" });
  if (attemptsLeft === 0 && secret.fileSize !== null) await deleteGivenUp(db, secret.id);
  throw wrongPassphrase(attemptsLeft);
}

// A caller whom a full lane refuses, or who leaves it, has used up no attempt. The counter is raised before the slow
// derivation: thirty guesses at once are still only ten.
async function tryPassphrase({ id }: SecretRecord, { services, key, passphrase }: RevealOptions) {
  const { db, now } = services;
  const number = await takeAttempt(db, { id, now: now(), ceiling: PASSPHRASE_ATTEMPTS });
  return number === undefined ? undefined : { number, keys: await deriveAtRest(key, { id, passphrase }) };
}

// Eight seconds; the rest of a call's time is for locking the secret.
const SETTLE_TRIES = 40;
const SETTLE_WAIT_MS = 200;

// All attempts are used, but the last may still be deriving, perhaps in another process: wait for its outcome instead
// of guessing it. If that process has died, the secret is locked here.
async function settle(id: string, { db, now }: Services): Promise<SecretRecord> {
  for (let i = 0; i < SETTLE_TRIES; i++) {
    const secret = await findSecret(db, id, now());
    if (!secret) throw secretNotFound();
    if (secret.status !== "active") return secret;
    await waiting(new Promise((resolve) => setTimeout(resolve, SETTLE_WAIT_MS)));
  }
  await closeSecret(db, { id, now: now(), status: "locked" });
  const secret = await findSecret(db, id, now());
  if (!secret) throw secretNotFound();
  return secret;
}

async function take(secret: SecretRecord, options: TextOptions) {
  const { id, verifier, isEncrypted, expiresAt } = secret;
  const { services, requester, ticket } = options;
  const { db, now } = services;
  const { passVerifier, storageKey } = await unlockSecret(secret, options);
  // A caller who left during the derivation would never see the content that is deleted now.
  const { signal } = requester;
  signal?.throwIfAborted();
  const claim = { id, verifier, passVerifier, signal, ...claimAt(now(), { id, ticket }) };
  const sealed = await claimSecret(db, claim);
  if (!sealed) {
    const closed = await findSecret(db, id, now());
    throw closed ? gone(closed) : secretNotFound();
  }
  const content = await openContent(sealed, { storageKey, id, isEncrypted, expirySeconds: expiresAt });
  return { id, content, isEncrypted };
}

function wrongPassphrase(attemptsLeft: number): ApiError {
  const left =
    attemptsLeft === 0
      ? "it was the tenth try, and the secret is deleted"
      : `${attemptsLeft} more ${attemptsLeft === 1 ? "try is" : "tries are"} left`;
  return new ApiError("wrong_passphrase", `The passphrase is wrong; ${left}`, {
    parameter: "passphrase",
    attemptsLeft,
  });
}
