import { basePathOf } from "../../base-path.ts";
import { deleteGivenUp } from "../../../db/secret-files.ts";
import {
  claimAtOnce,
  claimSecret,
  closeSecret,
  findSecret,
  takeAttempt,
  type SecretRecord,
} from "../../../db/secrets.ts";
import { equalBytes, type Bytes } from "../../../wire/bytes.ts";
import { deriveAtRest, openContent, type AtRest } from "../../../tools/crypto/secret-seal.ts";
import type { Requester, Services } from "../../context.ts";
import { PASSPHRASE_ATTEMPTS } from "../../limits.ts";
import { ApiError } from "../../errors/errors.ts";
import { areHandles, secretNotFound } from "./find-secret.ts";
import { toTime, toTimeOrNull } from "../../sql-time.ts";

/** Revokes a secret; revoking again gives the same answer. @throws ApiError secret_gone when it ended otherwise */
export async function revokeSecret(found: SecretRecord, { db, now }: Services) {
  await closeSecret(db, { id: found.id, now: now(), status: "revoked" });
  if (found.fileSize !== null) await deleteGivenUp(db, { id: found.id });
  const secret = (await findSecret(db, { id: found.id, now: now() })) ?? found;
  if (secret.status !== "revoked") throw gone(secret);
  return { id: secret.id, status: secret.status, closed: toTimeOrNull(secret.closedAt) };
}

export interface RevealOptions {
  readonly services: Services;
  readonly key: string;
  readonly passphrase?: string | undefined;
  readonly requester: Requester;
}

/**
 * What nearly every reading needs, and no more: takes an active text that has no passphrase by id and key alone.
 * Undefined for everything else, of which nothing was used up.
 */
export async function revealAtOnce(
  { id, key }: { id: string; key: string },
  { services: { db, now }, requester: { signal } }: Pick<RevealOptions, "services" | "requester">,
) {
  if (!areHandles({ id, key })) return undefined;
  const { verifier, storageKey } = await deriveAtRest(key, { id });
  const taken = await claimAtOnce(db, { id, verifier, now: now(), signal });
  if (!taken) return undefined;
  const { sealed, isEncrypted, expiresAt } = taken;
  const content = await openContent(sealed, { storageKey, id, isEncrypted, expirySeconds: expiresAt });
  return { id, content, isEncrypted };
}

/** Reads a text and deletes it. Nothing but the right key and passphrase uses it up. @throws ApiError */
export async function revealSecret(secret: SecretRecord, options: RevealOptions) {
  if (secret.fileSize !== null) throw wrongKind(secret, { kind: "file", services: options.services });
  const { services, requester } = options;
  return take(secret, { services, requester, ...(await unlockSecret(secret, options)) });
}

/** The keys of an active secret, for whoever has the right key and passphrase. Uses nothing up. @throws ApiError */
export async function unlockSecret(secret: SecretRecord, options: RevealOptions): Promise<AtRest> {
  const { key, passphrase } = options;
  if (secret.status !== "active") throw gone(secret);
  if (!secret.passVerifier) return deriveAtRest(key, { id: secret.id });
  if (!passphrase) throw passphraseRequired();
  return unlockWithPassphrase(secret, { ...options, passphrase });
}

async function unlockWithPassphrase(
  secret: SecretRecord,
  options: RevealOptions & { passphrase: string },
): Promise<AtRest> {
  const { services, requester } = options;
  const attempt = await services.lanes.passwords.run(requester, () => tryPassphrase(secret, options));
  if (!attempt) throw gone(await settle(secret.id, services));
  const { number, sealing } = attempt;
  if (sealing.passVerifier && secret.passVerifier && equalBytes(sealing.passVerifier, secret.passVerifier)) {
    return sealing;
  }
  const attemptsLeft = PASSPHRASE_ATTEMPTS - number;
  const { db, now } = services;
  if (attemptsLeft === 0) await closeSecret(db, { id: secret.id, now: now(), status: "locked" });
  if (attemptsLeft === 0 && secret.fileSize !== null) await deleteGivenUp(db, { id: secret.id });
  throw wrongPassphrase(attemptsLeft);
}

// Whoever is refused by a full lane, or leaves it, has used up no attempt. The counter is raised before the slow
// derivation: thirty guesses at once are still only ten guesses.
async function tryPassphrase({ id }: SecretRecord, { services, key, passphrase }: RevealOptions) {
  const { db, now } = services;
  const number = await takeAttempt(db, { id, now: now(), ceiling: PASSPHRASE_ATTEMPTS });
  return number === undefined ? undefined : { number, sealing: await deriveAtRest(key, { id, passphrase }) };
}

const SETTLE_TRIES = 50;
const SETTLE_WAIT_MS = 200;

// All tries are used, but the last may still be deriving, perhaps in another process: wait for its outcome
// rather than guess it. If that process died, the secret is locked here.
async function settle(id: string, { db, now }: Services): Promise<SecretRecord> {
  for (let i = 0; i < SETTLE_TRIES; i++) {
    const secret = await findSecret(db, { id, now: now() });
    if (!secret) throw secretNotFound();
    if (secret.status !== "active") return secret;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_WAIT_MS));
  }
  await closeSecret(db, { id, now: now(), status: "locked" });
  const secret = await findSecret(db, { id, now: now() });
  if (!secret) throw secretNotFound();
  return secret;
}

interface ClaimOptions {
  readonly services: Services;
  readonly requester: Requester;
  readonly passVerifier: Bytes | null;
  readonly storageKey: Bytes;
}

async function take(secret: SecretRecord, { services, requester, passVerifier, storageKey }: ClaimOptions) {
  const { id, verifier, isEncrypted, expiresAt } = secret;
  const { db, now } = services;
  // A caller who left while the key was derived would never see the content that is deleted now.
  const { signal } = requester;
  signal?.throwIfAborted();
  const sealed = await claimSecret(db, { id, verifier, passVerifier, now: now(), signal });
  if (!sealed) {
    const closed = await findSecret(db, { id, now: now() });
    throw closed ? gone(closed) : secretNotFound();
  }
  return {
    id,
    content: await openContent(sealed, { storageKey, id, isEncrypted, expirySeconds: expiresAt }),
    isEncrypted,
  };
}

/** What to send to read a secret of the other kind. */
export function wrongKind(
  { id }: SecretRecord,
  { kind, services }: { kind: "text" | "file"; services: Pick<Services, "publicUrl"> },
): ApiError {
  const path = `${basePathOf(services.publicUrl)}/api/secrets/${id}/${kind === "file" ? "file" : "reveal"}`;
  return new ApiError("wrong_kind", `This secret is a ${kind}: read it with POST ${path}`, { kind, path });
}

/** Only the right key gets this answer. */
export function gone({ status: secretStatus, closedAt }: SecretRecord): ApiError {
  const at = closedAt === null ? "" : ` at ${toTime(closedAt)}`;
  return new ApiError("secret_gone", `This secret can no longer be opened: it was ${secretStatus}${at}`, {
    secretStatus,
    closed: toTimeOrNull(closedAt),
  });
}

export function passphraseRequired(): ApiError {
  return new ApiError("passphrase_required", 'This secret needs a passphrase; send it as "passphrase"', {
    parameter: "passphrase",
  });
}

function wrongPassphrase(attemptsLeft: number): ApiError {
  const left =
    attemptsLeft === 0
      ? "the secret is now locked and its content deleted"
      : `${attemptsLeft} more ${attemptsLeft === 1 ? "try is" : "tries are"} left`;
  return new ApiError("wrong_passphrase", `The passphrase is wrong; ${left}`, {
    parameter: "passphrase",
    attemptsLeft,
  });
}
