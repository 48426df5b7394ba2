import type { Alone } from "../db/backup/backups.ts";
import { adoptKeyCheck, replaceKeyCheck, type RenewedSeeds } from "../db/installation.ts";
import type { Database } from "../db/open.ts";
import { decryptGcm, sealGcm } from "../tools/crypto/aes-gcm.ts";
import { systemRandom } from "../tools/crypto/base62.ts";
import { equalBytes } from "../tools/crypto/equal-bytes.ts";
import { hkdfFrom, keyedDigest } from "../tools/crypto/key-derivation.ts";
import { concatBytes, utf8, type Bytes } from "../wire/bytes.ts";

/** Of the key of an instance, which stands outside the database. */
const INSTANCE_KEY_BYTES = 32;
/** Of what an authenticator app shares with the server: as long as its digest, as RFC 4226 has it. */
export const SEED_BYTES = 20;

const SALT = "hushkit instance key";
const IV_BYTES = 12;

/** What is derived from the key of an instance: a key for each purpose, so that none stands for another. */
export interface InstanceKeys {
  /** HMAC of addresses and names, of whom the database keeps nothing else. */
  readonly digest: (text: string) => Bytes;
  /** HMAC of what a browser is asked to sign with a passkey. */
  readonly challenge: (text: string) => Bytes;
  /** HMAC of what was asked for by a call of an account that may be sent again: there are passwords in it. */
  readonly call: (text: string) => Bytes;
  /** Seals what a browser keeps while somebody logs in at the provider. */
  readonly loginFlow: Bytes;
  /** Seals the seeds of authenticator apps. */
  readonly seeds: Bytes;
  /** Seals the URLs of members' hooks, and what signs their calls. */
  readonly hooks: Bytes;
  /** By this the database knows the key again. It says nothing of the key or of what else is derived. */
  readonly check: Bytes;
}

/** A new key of an instance. */
export function makeInstanceKey(): Bytes {
  return systemRandom(new Uint8Array(INSTANCE_KEY_BYTES));
}

/** Derives a key for each purpose by HKDF-SHA-256 (RFC 5869). */
export function deriveInstanceKeys(instanceKey: Bytes): InstanceKeys {
  const derive = hkdfFrom(instanceKey, { salt: SALT });
  const keyFor = (purpose: string) => derive(purpose, INSTANCE_KEY_BYTES);
  return {
    digest: keyedDigest(keyFor("digests")),
    challenge: keyedDigest(keyFor("passkey challenges")),
    call: keyedDigest(keyFor("calls of accounts")),
    loginFlow: keyFor("login flows"),
    seeds: keyFor("seeds of authenticator apps"),
    hooks: keyFor("hooks of members"),
    check: keyedDigest(keyFor("check"))("This database is sealed with this key."),
  };
}

/** Whether a database with this check value is sealed with this key. */
export function isKeyOf(instanceKey: Bytes, check: Bytes): boolean {
  return equalBytes(deriveInstanceKeys(instanceKey).check, check);
}

/** Seals the seed of a member's authenticator app with AES-256-GCM: iv, ciphertext and tag. It opens for this member alone. */
export async function sealSeed(
  seed: Bytes,
  { member, keys }: { member: string; keys: Pick<InstanceKeys, "seeds"> },
): Promise<Bytes> {
  return seal(seed, { key: keys.seeds, owner: member });
}

/** The seed again; undefined for one that was sealed with another key or for another member, or was changed. */
export async function openSeed(
  stored: Bytes,
  { member, keys }: { member: string; keys: Pick<InstanceKeys, "seeds"> },
): Promise<Bytes | undefined> {
  return open(stored, { key: keys.seeds, owner: member });
}

/** Where a member's hook is: the URL may hold a key of its own, and the secret signs what is sent there. */
export interface HookTarget {
  readonly url: string;
  readonly secret: string | null;
}

/** Seals where a hook is, in the same way; it opens for this hook alone. */
export async function sealHookTarget(
  { url, secret }: HookTarget,
  { id, keys }: { id: string; keys: Pick<InstanceKeys, "hooks"> },
): Promise<Bytes> {
  return seal(utf8(JSON.stringify({ url, secret })), { key: keys.hooks, owner: id });
}

/** Where a hook is; undefined where it was sealed with another key or for another hook, or was changed. */
export async function openHookTarget(
  stored: Bytes,
  { id, keys }: { id: string; keys: Pick<InstanceKeys, "hooks"> },
): Promise<HookTarget | undefined> {
  const opened = await open(stored, { key: keys.hooks, owner: id });
  // What opens with our own key is what we have written.
  return opened && (JSON.parse(new TextDecoder().decode(opened)) as HookTarget);
}

async function seal(data: Bytes, { key, owner }: { key: Bytes; owner: string }): Promise<Bytes> {
  const iv = systemRandom(new Uint8Array(IV_BYTES));
  return concatBytes(iv, await sealGcm(data, { key, iv, additionalData: utf8(owner) }));
}

async function open(
  stored: Bytes,
  { key, owner }: { key: Bytes; owner: string },
): Promise<Bytes | undefined> {
  const [iv, sealed] = [stored.slice(0, IV_BYTES), stored.slice(IV_BYTES)];
  try {
    // A copy, because ciphers of the runtime answer views on buffers of their own.
    return new Uint8Array(await decryptGcm(sealed, { key, iv, additionalData: utf8(owner) }));
  } catch {
    return undefined;
  }
}

/**
 * Has a database served with a key: the first one that comes is its own, and seals what an older version has left
 * open. False, and nothing is changed, where the database has another one.
 */
export function adoptInstanceKey(db: Database, keys: InstanceKeys): Promise<boolean> {
  return adoptKeyCheck(db, {
    check: keys.check,
    openBytes: SEED_BYTES,
    seal: (seed, member) => sealSeed(seed, { member, keys }),
  });
}

/**
 * Has a database sealed with another key, while nobody else works on it. Undefined, and nothing is changed, where it was
 * sealed with neither of the two, unless the old key is given up as `isLost`: seeds that it alone opens stay, so that
 * their members are still asked for a second factor.
 */
export function replaceInstanceKey(
  alone: Alone,
  { from, to, isLost }: { from: Bytes | undefined; to: Bytes; isLost: boolean },
): Promise<RenewedSeeds | undefined> {
  const keys = { from: from && deriveInstanceKeys(from), to: deriveInstanceKeys(to) };
  return alone((trx) =>
    replaceKeyCheck(trx, {
      from: isLost ? undefined : keys.from?.check,
      to: keys.to.check,
      renew: (stored, member) => resealSeed(stored, { member, ...keys }),
      renewHook: (stored, id) => resealHook(stored, { id, ...keys }),
    }),
  );
}

async function resealSeed(
  stored: Bytes,
  { member, from, to }: { member: string; from: InstanceKeys | undefined; to: InstanceKeys },
): Promise<Bytes | undefined> {
  // An older version has left it open.
  const isOpen = stored.length === SEED_BYTES;
  const seed = isOpen ? stored : from && (await openSeed(stored, { member, keys: from }));
  return seed && sealSeed(seed, { member, keys: to });
}

async function resealHook(
  stored: Bytes,
  { id, from, to }: { id: string; from: InstanceKeys | undefined; to: InstanceKeys },
): Promise<Bytes | undefined> {
  const target = from && (await openHookTarget(stored, { id, keys: from }));
  return target && sealHookTarget(target, { id, keys: to });
}
